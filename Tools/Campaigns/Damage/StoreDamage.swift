internal import ArgumentParser
internal import CampaignRuns
internal import Glibc

/// Damages a store in every way that was thought of, and uses what is left of it.
@main
struct StoreDamage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "StoreDamage",
        abstract: "Damage a store byte by byte and page by page, and run everything on the result.",
        discussion: """
            A small store and a larger one are made with pulselog. In worker processes every byte \
            of their data files gets three other values, pages are zeroed, copied and swapped, \
            and the file is cut; each time the store is read, verified and appended to. Then \
            every command runs on a sample of both, on stores whose files were exchanged, and \
            with each combination of closed standard descriptors. Exit code 1 if a process ended \
            by a signal or not at all, if a damaged log was read as if it were whole, if another \
            content came without an error, or if reading changed the file. With --snapshots the \
            stores have one, near their end, and it is exchanged and damaged as the others are.
            """,
        subcommands: [Campaign.self, Worker.self], defaultSubcommand: Campaign.self)

    /// The campaign.
    struct Campaign: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "all", abstract: "All of it (the default).")

        @OptionGroup var options: CampaignOptions
        @OptionGroup var keep: KeepOption

        @Option(help: "Run the commands on so many changed bytes of the small store, and pages.")
        var commands: Int?

        @Option(help: "Run one in so many commands.")
        var everyCommand: Int?

        @Flag(
            help: """
                Run the commands on stores with a snapshot that each of them begins with, and \
                less of the rest.
                """)
        var snapshots = false

        func validate() throws {
            guard commands ?? 1 > 0, everyCommand ?? 1 > 0 else {
                throw ValidationError("give positive numbers")
            }
        }

        func run() async throws {
            let own = try Files.ownPath()
            let program = "\(Files.folder(of: own))/pulselog"
            let folder = try Files.temporaryFolder("pulselog-damage")
            defer { keep.leave(folder) }
            Files.settleEnvironment(in: folder)
            if snapshots { setenv("PULSELOG_SNAPSHOT_EVENTS", "1", 1) }
            let maker = StoreMaker(program: program, folder: folder)
            let small = try maker.small("small")
            let other = try maker.small("other")
            let large = try await maker.large(from: small)

            var findings = 0
            let most = options.count(snapshots ? 250 : .max, sample: 250)
            // Each of the larger one takes longer, and there are more.
            let stores = [("small", small, most), ("larger", large, min(most, 200_000) / 10)]
            for (name, store, most) in stores {
                let file = try Files.read("\(store)/data.mdb")
                let damages = [Damage.ofBytes(file), Damage.ofPages(file)].flatMap {
                    chosen(most, of: $0)
                }
                var pool = WorkerPool(
                    program: own, reference: store, folder: "\(folder)/\(name)-trials")
                let report = try pool.run(damages, jobs: options.jobs)
                print("\(name) store: \(report)")
                fflush(nil)
                findings += report.findings
            }
            let file = try Files.read("\(small)/data.mdb")
            let commands = commands ?? (options.isSample ? 2 : 100)
            var runs = CommandRuns(
                program: program, reference: small, folder: "\(folder)/runs",
                every: everyCommand ?? (options.isSample ? 5 : 1))
            try runs.runWhole()
            for all in [Damage.ofBytes(file), Damage.ofPages(file)] {
                for damage in chosen(commands, of: all) { try runs.run(on: damage) }
            }
            try runs.runExchanges(with: other)
            try runs.runClosedDescriptors()
            print("commands: \(runs.count) runs, \(runs.findings) findings")
            findings += runs.findings
            guard findings == 0 else { throw ExitCode(1) }
        }

        /// At most so many, at equal distances, beginning where the seed says.
        private func chosen(_ most: Int, of damages: [Damage]) -> [Damage] {
            let every = (damages.count - 1) / max(1, most) + 1
            return stride(from: Int(options.seed % UInt64(every)), to: damages.count, by: every)
                .map { damages[$0] }
        }
    }
}
