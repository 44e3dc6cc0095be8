internal import ArgumentParser
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Interchange
internal import Projections
internal import Recording
internal import TamperEvidence
internal import Words

/// `pulselog log`: the log itself.
struct LogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "The log itself: its events, its size, its soundness, its copies.",
        subcommands: [
            Tail.self, Cat.self, Statistics.self, Verify.self, Rebuild.self, Backup.self,
            Restore.self, Recover.self,
        ])

    /// `pulselog log tail`.
    struct Tail: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tail", abstract: "The last events.")
        @Option(name: .customShort("n"), help: "How many, 0 to 1000000.")
        var count: UInt64 = 10
        @Flag(help: "Keep printing events as they are appended, until Ctrl-C.")
        var follow = false
        @OptionGroup var common: CommonOptions

        func run() async throws {
            guard count <= 1_000_000 else {
                throw CommandFailure(.usage, "tail shows at most 1000000 events; use cat for all.")
            }
            let store = try Store.open(common, for: .reading)
            do {
                let next = try store.log.next
                var printer = EventPrinter(json: common.json)
                try printer.print(from: next - min(next, count), store.log)
                while follow {
                    try await store.log.waitForEvent(at: printer.next)
                    try printer.print(from: printer.next, store.log)
                }
            } catch {
                throw CommandFailure(error, store: store.directory)
            }
        }
    }

    /// `pulselog log cat`.
    struct Cat: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cat", abstract: "All events; with --json as JSON Lines, lossless.")
        @Option(help: "First position.")
        var from: UInt64 = 0
        @Option(help: "Position to stop before.")
        var until: UInt64?
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let store = try Store.open(common, for: .reading)
            var printer = EventPrinter(json: common.json)
            try store.withLog { (log) throws(EventLogError) in
                try printer.print(from: from, until: until, log)
            }
        }
    }

    /// `pulselog log rebuild`.
    struct Rebuild: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rebuild",
            abstract: "Fold the whole log anew from position 0 and give the digest.",
            discussion: """
                Makes the log's snapshot anew as well. Exit code 1 if the one that was there is \
                not what the events before it give: then other commands were told wrong numbers.
                """)
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let store = try Store.open(common, for: .reading)
            let (state, worth) = try store.withLog { (log) throws(EventLogError) in
                try log.refolded(against: store.snapshots)
            }
            if case .differs = worth { store.snapshots.remove() }
            let digest = StateDigest.text(of: state)
            if common.json {
                Output.standard.write(
                    JSONWriter.line {
                        $0.field("events", state.events)
                        $0.field("head", state.head)
                        $0.field("digest", digest)
                        $0.field("snapshotHolds", worth.holds)
                    })
            } else {
                Output.standard.write("\(counted(state.events, "event")) folded\n\(digest)\n")
            }
            store.log.keepSnapshot(of: state, in: store.snapshots)
            guard case .differs(let next) = worth else { return }
            if !common.json {
                Output.standard.write(SnapshotText(differingBefore: next).text)
            }
            throw ExitCode(CommandFailure.Code.finding.rawValue)
        }
    }
}
