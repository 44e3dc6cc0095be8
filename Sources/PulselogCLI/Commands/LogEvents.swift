internal import ArgumentParser
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import LookingBack
internal import Words

extension LogCommand {
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
            guard count <= 1_000_000 else {
                throw CommandFailure(.usage, "tail shows at most 1000000 events; use cat for all.")
            }
            let filter = try shown.filter()
            let store = try Store.open(common, for: .reading)
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

                Times are those of the recorded clock under the recorded zone offsets. Where \
                several options are given an event must satisfy each; of the kinds, and of the \
                devices, one. Lines of JSON keep their positions. So a part of the log has gaps: \
                it can be read and searched, but neither imported nor replayed. `pulselog export \
                SESSION` writes a part that can.
                """)
        @OptionGroup var span: LogSpan
        @OptionGroup var shown: FilterOptions
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let (filter, date) = (try shown.filter(), try span.date())
            let store = try Store.open(common, for: .reading)
            var printer = EventPrinter(json: common.json, filter: filter)
            try store.withLog { (log) throws(EventLogError) in
                let positions = try span.positions(in: log, on: date)
                try printer.print(from: positions.lowerBound, until: positions.upperBound, log)
            }
        }
    }
}
