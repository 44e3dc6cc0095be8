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

        @Option(help: "The program; pulselog beside this one if it is not given.")
        var program: String?

        @Option(help: "Try one in so many changed bytes of the small store.")
        var every: Int = 1

        @Option(help: "Try one in so many changed bytes of the larger store.")
        var everyLarge: Int = 1_000

        @Option(help: "Try one in so many pages that are zeroed, copied, swapped or cut.")
        var everyPage: Int = 1

        @Option(help: "Run the commands on so many changed bytes of the small store, and pages.")
        var commands: Int = 100

        @Option(help: "Run one in so many commands.")
        var everyCommand: Int = 1

        @Option(help: "Which of them.")
        var seed: UInt64 = 1

        @Option(help: "How many processes at the same time.")
        var jobs: Int = 2

        @Flag(help: "Run the commands on stores with a snapshot that each of them begins with.")
        var snapshots = false

        @Flag(help: "Leave the folder with the stores in place.")
        var keep = false

        func validate() throws {
            guard
                [every, everyLarge, everyPage, commands, everyCommand, jobs].allSatisfy({ $0 > 0 })
            else {
                throw ValidationError("give positive numbers")
            }
        }

        func run() async throws {
            let own = try Files.ownPath()
            let program = program ?? Files.folder(of: own) + "/pulselog"
            let folder = try Files.temporaryFolder("pulselog-damage")
            defer { leave(folder) }
            setenv("TZ", "UTC", 1)
            setenv("LC_ALL", "C", 1)
            setenv("SWIFT_BACKTRACE", "enable=no", 1)
            setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=\(folder)/no-bus", 1)
            if snapshots { setenv("PULSELOG_SNAPSHOT_EVENTS", "1", 1) }
            let maker = StoreMaker(program: program, folder: folder)
            let small = try maker.small("small")
            let other = try maker.small("other")
            let large = try await maker.large(from: small)

            var findings = 0
            for (name, store, every) in [("small", small, every), ("larger", large, everyLarge)] {
                let file = try Files.read("\(store)/data.mdb")
                let damages =
                    sample(Damage.ofBytes(file), every) + sample(Damage.ofPages(file), everyPage)
                var pool = WorkerPool(
                    program: own, reference: store, folder: "\(folder)/\(name)-trials")
                let report = try pool.run(damages, jobs: jobs)
                print("\(name) store: \(report)")
                fflush(nil)
                findings += report.findings
            }
            let file = try Files.read("\(small)/data.mdb")
            let chosen = [Damage.ofBytes(file), Damage.ofPages(file)].flatMap { all in
                sample(all, max(1, all.count / commands)).prefix(commands)
            }
            var runs = CommandRuns(
                program: program, reference: small, folder: "\(folder)/runs",
                every: everyCommand)
            try runs.runWhole()
            for damage in chosen { try runs.run(on: damage) }
            try runs.runExchanges(with: other)
            try runs.runClosedDescriptors()
            print("commands: \(runs.count) runs, \(runs.findings) findings")
            findings += runs.findings
            guard findings == 0 else { throw ExitCode(1) }
        }

        /// One in `every`, beginning where the seed says.
        private func sample(_ damages: [Damage], _ every: Int) -> [Damage] {
            stride(from: Int(seed % UInt64(every)), to: damages.count, by: every)
                .map { damages[$0] }
        }

        /// Removes the stores, unless they are wanted.
        private func leave(_ folder: String) {
            guard !keep else { return print("kept: \(folder)") }
            do throws(CampaignError) {
                try Files.removeTree(folder)
            } catch {
                print(error)
            }
        }
    }
}
