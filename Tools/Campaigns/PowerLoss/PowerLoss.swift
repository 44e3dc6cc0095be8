internal import ArgumentParser
internal import CampaignRuns
internal import Glibc

/// Tries what a power cut leaves of a store, at every moment of every kind of commit.
@main
struct PowerLoss: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "PowerLoss",
        abstract: "Try what a power cut leaves of a store, for every kind of commit.",
        discussion: """
            Each kind of commit runs once, under strace. What it did to its files is then followed \
            call by call: at each moment some of what was written is on disk for certain, because \
            it was flushed, and of all the rest any page, sector, size and name may be there or \
            not. Such remains are put into a folder, and a worker process opens the store, reads \
            it, verifies it, appends and seals. --count is that of each kind, at most. Exit code 1 \
            if an event that was acknowledged is missing, if another one is there, if a store \
            cannot be used, or if a copy is there and not whole.
            """,
        subcommands: [Campaign.self, JudgingWorker.self, Writer.self],
        defaultSubcommand: Campaign.self)

    /// The campaign.
    struct Campaign: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "all", abstract: "All of it (the default).")

        @OptionGroup var options: CampaignOptions
        @OptionGroup var keep: KeepOption

        @Option(help: "Try this kind of commit only; give it again for more.")
        var kind: [String] = []

        @Option(
            help: ArgumentHelp(
                "Let a call not do what it promises, to see that it is noticed: fsync, fdatasync "
                    + "or O_DSYNC; give it again for more.", valueName: "call"))
        var broken: [String] = []

        func validate() throws {
            let names = Scenario.all.map(\.name)
            guard kind.allSatisfy(names.contains) else {
                throw ValidationError("the kinds are: \(names.joined(separator: ", "))")
            }
            guard broken.allSatisfy(["fsync", "fdatasync", "O_DSYNC"].contains) else {
                throw ValidationError("fsync, fdatasync and O_DSYNC can be broken")
            }
        }

        func run() async throws {
            let own = try Files.ownPath()
            let pulselog = "\(Files.folder(of: own))/pulselog"
            guard access("/usr/bin/strace", X_OK) == 0 else {
                print("strace is missing; `apt-get install strace` installs it.")
                throw ExitCode(69)
            }
            let folder = try Files.temporaryFolder("pulselog-power")
            defer { keep.leave(folder) }
            Files.settleEnvironment(in: folder)
            setenv("PULSELOG_SNAPSHOT_EVENTS", "1", 1)
            let chosen = Scenario.all.filter { kind.isEmpty || kind.contains($0.name) }
            let maker = BaseMaker(pulselog: pulselog, own: own, folder: folder)
            var bases: [Scenario.Base: FileTree] = [:]
            var runs: [StagedRun] = []
            for scenario in chosen {
                let base = try bases[scenario.base] ?? maker.make(scenario.base)
                bases[scenario.base] = base
                let run = StagedRun(scenario, in: folder)
                try run.run(from: base, pulselog: pulselog, own: own)
                runs.append(run)
            }
            let plan = PlanOptions(
                cases: options.count(4_000, sample: 100), seed: options.seed, broken: broken)
            var pool = try JudgePool(own: own, folder: folder, runs: runs, plan: plan)
            try pool.judge(jobs: options.jobs)
            guard Self.tell(chosen, pool.reports) == 0 else { throw ExitCode(1) }
        }

        /// Prints the table.
        ///
        /// - Returns: How much was found.
        private static func tell(_ scenarios: [Scenario], _ reports: [RunReport]) -> Int {
            let heads = ["moments", "cases", "distinct"] + RunReport.faults.map(String.init)
            print(row("kind", heads))
            var sums = heads.map { _ in 0 }
            for (scenario, report) in zip(scenarios, reports) {
                let numbers =
                    [report.moments, report.cases, report.states.count]
                    + RunReport.faults.map { report.counts[$0] ?? 0 }
                sums = zip(sums, numbers).map { $0 + $1 }
                print(row(scenario.name, numbers.map(String.init)))
            }
            print(row("all", sums.map(String.init)))
            let findings = reports.reduce(0) { $0 + $1.findings }
            print("\(sums[1]) power cuts: \(findings) findings")
            return findings
        }

        private static func row(_ name: String, _ cells: [String]) -> String {
            cells.reduce(padded(name, 12, isLeft: true)) { $0 + padded($1, 10, isLeft: false) }
        }

        private static func padded(_ text: String, _ width: Int, isLeft: Bool) -> String {
            let space = String(repeating: " ", count: max(0, width - text.count))
            return isLeft ? text + space : space + text
        }
    }
}

/// Makes the stores that runs begin with.
private struct BaseMaker {
    let pulselog: String
    let own: String
    let folder: String

    func make(_ base: Scenario.Base) throws(CampaignError) -> FileTree {
        let root = "\(folder)/base"
        try Files.removeTree(root)
        try Files.put(.folder([:]), root)
        func run(_ program: String, _ arguments: [String]) throws(CampaignError) {
            try StagedRun.run(program, arguments, in: root, messages: "\(folder)/messages")
        }
        let writer = ["writer", "STORE", "STATE", "--creates"]
        switch base {
        case .none: break
        case .walked:
            for command in walkedStore { try run(pulselog, command + ["--store", "STORE"]) }
            // After the snapshot of the last command.
            try run(own, ["writer", "STORE", "STATE", "--commits", "2"])
        case .written: try run(own, writer + ["--commits", "6", "--events", "20"])
        case .narrow:
            try run(own, writer + ["--commits", "2", "--map-bytes", "\(Scenario.narrowMapBytes)"])
        }
        guard let tree = try Files.tree(of: root) else {
            throw CampaignError(description: "\(root) is gone")
        }
        return tree
    }
}
