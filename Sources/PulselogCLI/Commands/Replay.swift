internal import ArgumentParser
internal import EventStore
internal import Events
internal import Interchange
internal import Projections
internal import Recording
internal import TamperEvidence

/// `pulselog replay`: fold a capture, a session or a whole store through the live path.
struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fold a capture, a session or a whole store again, as the recorder does.",
        discussion: """
            SOURCE is a file of JSON Lines, `-` for standard input, `store` for the whole store, \
            or `session:POSITION`. Nothing is appended.
            """)

    @Argument(help: "FILE, -, store, or session:POSITION.")
    var source: String

    @Option(help: "Speed: 1 is real time, 10 ten times as fast; default as fast as possible.")
    var rate: Double?

    @Option(help: "First position to show; what stands before is folded silently.")
    var from: UInt64 = 0

    @Option(help: "Position to stop before.")
    var until: UInt64?

    @Flag(help: "Show each event and wait for Enter.")
    var step = false

    @Flag(help: "Begin again at the end, until Ctrl-C.")
    var loop = false

    @Flag(help: "Print the state's digest at each event.")
    var digests = false

    @Option(
        name: .customLong("what-if"), parsing: .singleValue,
        help: ArgumentHelp(
            "Another rule, as graceMilliseconds=5000; shows both results. Repeatable.",
            valueName: "key=value"))
    var whatIf: [String] = []

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if let rate, !(rate > 0 && rate <= 1_000_000) {
            throw ValidationError("--rate is a number above 0, up to 1000000.")
        }
    }

    func run() async throws {
        let rules = try changedRules()
        let (log, range) = try await events()
        do {
            repeat {
                let state = try await play(log, range)
                var other: LogState?
                if let rules {
                    var state = LogState(rules: rules)
                    try log.fold(from: range.lowerBound, until: range.upperBound, into: &state)
                    other = state
                }
                try ReplayOutput(state: state, whatIf: other, json: common.json).write()
            } while loop
        } catch let error as EventLogError {
            throw CommandFailure(error, store: source)
        }
    }

    private func changedRules() throws(CommandFailure) -> Rules? {
        guard !whatIf.isEmpty else { return nil }
        var rules = Rules()
        for setting in whatIf {
            do throws(RuleError) {
                try rules.set(setting)
            } catch {
                throw CommandFailure(.usage, error.description)
            }
        }
        return rules
    }

    /// The log to fold, and which part of it.
    private func events() async throws(CommandFailure) -> (any EventLog, Range<Position>) {
        let isSession = source.hasPrefix("session:")
        guard source == "store" || isSession else {
            var capture = try Capture(reading: source)
            if let damage = capture.damage {
                Output.standardError.write("pulselog: \(source): partial: \(damage)\n")
            }
            try capture.wrapIfNeeded()
            let end = min(until ?? .max, UInt64(capture.events.count))
            return (try await capture.log(), 0..<end)
        }
        let store = try Store.open(common, for: .reading)
        guard isSession else { return (store.log, 0..<(until ?? .max)) }
        guard let position = Position(source.dropFirst(8)) else {
            throw CommandFailure(.usage, "Write a session as session:POSITION, as session:4.")
        }
        return (store.log, try sessionRange(position, store))
    }

    /// A session's events stand between its start and its end.
    private func sessionRange(
        _ position: Position, _ store: Store
    ) throws(CommandFailure) -> Range<Position> {
        var end: Position?
        var isSession = false
        do throws(EventLogError) {
            try store.log.read(from: position) { header, _ in
                if header.position == position { isSession = header.kind == .sessionStarted }
                if header.kind == .sessionEnded && header.source == 0 { end = header.position + 1 }
                return isSession && end == nil
            }
        } catch {
            throw CommandFailure(error, store: store.directory)
        }
        guard isSession else {
            throw CommandFailure(
                .noInput, "No session starts at position \(position); see `pulselog sessions`.")
        }
        guard until ?? .max > position else {
            throw CommandFailure(.usage, "--until stands before the session's start.")
        }
        return position..<min(end ?? .max, until ?? .max)
    }

    /// Folds event by event, at speed, and shows what is asked for.
    private func play(
        _ log: any EventLog, _ range: Range<Position>
    ) async throws(EventLogError) -> LogState {
        var state = LogState()
        guard rate != nil || step || digests else {
            try log.fold(from: range.lowerBound, until: range.upperBound, into: &state)
            return state
        }
        var pace = Pace(rate: rate)
        var next = range.lowerBound
        let printer = EventPrinter(json: common.json)
        while next < range.upperBound {
            let end = min(range.upperBound, next + 256)
            let events = try log.events(in: next..<end)
            guard !events.isEmpty else { break }
            for event in events {
                await pace.wait(for: event.header.stamp)
                try log.fold(
                    from: event.header.position, until: event.header.position + 1, into: &state)
                guard event.header.position >= from else { continue }
                show(event, state, printer)
            }
            next += UInt64(events.count)
        }
        return state
    }

    private func show(_ event: RecordedEvent, _ state: LogState, _ printer: EventPrinter) {
        if digests {
            let digest = StateDigest(ofCanonicalBytes: state.canonicalBytes()).description
            Output.standard.write(
                common.json
                    ? JSONWriter.line {
                        $0.field("position", event.header.position)
                        $0.field("digest", digest)
                    } : Array("\(event.header.position) \(digest)\n".utf8))
        } else {
            Output.standard.write(printer.line(event))
        }
        if step { _ = readLine() }
    }
}
