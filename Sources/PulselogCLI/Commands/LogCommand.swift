internal import ArgumentParser
internal import Deciding
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Interchange
internal import JSON
internal import Projections
internal import Recording
internal import TamperEvidence
internal import Terminal
internal import Text
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
            let digest = state.digest
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
