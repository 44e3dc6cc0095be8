internal import ArgumentParser
internal import EventStore
internal import Deciding
internal import EventStoreLMDB
internal import Events
internal import JSON
internal import LookingBack
internal import Projections
internal import Stores
internal import Terminal
internal import Text
internal import Words
internal import Clocks

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
            abstract: "Refold the whole log from position 0 and print the digest.",
            discussion: """
                Remakes the log's snapshot as well. Exit code 1 if the one that was there is \
                not what the events before it give: then other commands showed wrong numbers.
                """)
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let store = try common.open(.reading)
            let (folded, worth) = try store.withLog { try $0.refolded(against: store.snapshots) }
            let state = folded.state
            if case .differs = worth { store.snapshots.remove() }
            for part in LookBack.allCases { store.snapshots.beside(part)?.remove() }
            let digest = state.digest
            common.write("\(counted(state.events, "event")) folded\n\(digest)\n") {
                $0.field("events", state.events)
                $0.field("head", state.head)
                $0.field("digest", digest)
                $0.field("snapshotHolds", worth.holds)
            }
            store.log.keepSnapshot(of: folded, in: store.snapshots)
            guard case .differs(let next) = worth else { return }
            if !common.json {
                Output.standard.write(SnapshotText(differingBefore: next).text)
            }
            throw ExitCode.finding
        }
    }

    /// `pulselog log tail`.
    struct Tail: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tail", abstract: "The last events.")
        @Option(name: .customShort("n"), help: "How many, 0 to 1000000.")
        var count: UInt64 = 10
        @Flag(help: "Keep printing events as they are appended, until Ctrl-C.")
        var follow = false
        @OptionGroup var shown: FilterOptions
        @OptionGroup var common: CommonOptions

        func run() async throws {
            try require(
                count <= 1_000_000, .usage, "tail shows at most 1000000 events; use cat for all.")
            let filter = try shown.filter()
            let store = try common.open(.reading)
            do {
                var printer = EventPrinter(json: common.json, filter: filter)
                let start = try filter.start(ofLast: count, in: store.log)
                try printer.print(from: start, store.log)
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
            commandName: "cat",
            abstract: "The events, or some of them; with --json as JSON Lines, lossless.",
            discussion: """
                Examples: pulselog log cat --kind link --kind sessionPaused
                pulselog log cat --day 2026-03-01 --from 10:15 --until 10:30 --json

                Times are those of the recorded clock under the recorded zone offsets. With \
                several options, an event must satisfy each; among kinds, and among \
                devices, any one. JSON lines keep their positions, so a part of the log has gaps: \
                it can be read and searched, but neither imported nor replayed. `pulselog export \
                SESSION` writes a part that can.
                """)
        @OptionGroup var span: SpanOptions
        @OptionGroup var shown: FilterOptions
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let (filter, span) = (try shown.filter(), try span.span())
            let store = try common.open(.reading)
            var printer = EventPrinter(json: common.json, filter: filter)
            let isEmpty = try store.withLog { log in
                let positions = try span.positions(in: log)
                try printer.print(positions, log)
                return try positions.isEmpty(in: log)
            }
            if isEmpty { throw CommandFailure.nothingThere }
        }
    }

    /// `pulselog log stats`.
    struct Statistics: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stats",
            abstract: "Events, blocks and bytes; by lanes and kinds, and of the file.",
            discussion: """
                Looks at every page of the database itself, the checksum of each block, and \
                what each event takes; `log verify` also checks that they are those that were \
                signed. Exit code 1 if a block is damaged. An event whose payload cannot be \
                decoded is not damage: it is kept as it came, and named here.
                """)
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let store = try common.open(.reading)
            let figures = try store.withLog { _ in try LogFigures(store) }
            common.write(figures)
            if figures.areDamaged { throw ExitCode.finding }
        }
    }

    /// `pulselog log verify`.
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Check that no event was altered, dropped, inserted or reordered.",
            discussion: """
                Every block: checksum, encoding, positions without gaps. Every sealed block: that \
                it is the one that was signed. Every checkpoint: its signature, and that it is no \
                older than the last one known outside the store. Exit code 1 if \
                something is wrong; the first bad position is named. Also if only the \
                snapshot, or what is kept of walks for records, is not what the events give.
                """)
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let directory = try common.storeDirectory()
            var run = CopyRun()
            let answer: VerificationText
            let isSound: Bool
            do {
                var folder: CheckpointFolder?
                var obstacle: String?
                let result = try LMDBEventLog.verify(
                    directory: directory,
                    comparingWith: { log in
                        folder = CheckpointFolder.usual(for: log)
                        obstacle = CheckpointFolder.usualObstacle(for: log)
                        return folder
                    }, progress: { run.goesOn($0) })
                if !result.isStopped {
                    folder?.remember(
                        result, in: directory, atMilliseconds: Arrival.now().wallMilliseconds)
                }
                var worth = SnapshotWorth.none
                var wrongOutline: Position?
                if result.damage == nil, !result.isStopped {
                    let store = try common.open(.reading)
                    worth = try store.log.checkSnapshot(in: store.snapshots) { done, all in
                        run.goesOn("Folding again", doneEvents: done, of: all)
                    }
                    if worth.holds ?? true {
                        wrongOutline = try store.wrongOutline(until: result.next, &run)
                    }
                }
                answer = VerificationText(
                    result, worth, wrongOutline: wrongOutline, obstacle: obstacle)
                isSound = result.damage == nil && worth.holds ?? true && wrongOutline == nil
                run.clear()
            } catch {
                run.clear()
                throw CommandFailure(error, store: directory)
            }
            if run.isStopped { throw run.interruption("The log was not verified to its end.") }
            common.write(answer)
            if !isSound { throw ExitCode.finding }
        }
    }
}
