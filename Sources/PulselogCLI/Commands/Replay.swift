internal import ArgumentParser
internal import EventStore
internal import Events
internal import Interchange
internal import Projections
internal import Recording
internal import Sensors
internal import TamperEvidence
internal import Words

/// `pulselog replay`: fold a capture, a session or a whole store through the live path.
struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Fold a capture, a session or a whole store again, as the recorder does.",
        discussion: """
            SOURCE is a file of JSON Lines, a Bluetooth capture (btsnoop, pcapng, pcap, or what \
            btmon, gatttool or a program with bleak has written), `-` for \
            standard input, `store` for the whole store, or `session:POSITION`, which shows what \
            `sessions show POSITION` shows. Nothing is appended. Exit code 65 if the file is cut \
            off: then only the part before is shown; or if a Bluetooth capture has no heart rate.
            """)

    @Argument(help: "FILE, -, store, or session:POSITION.")
    var source: String

    @Option(help: "Speed: 1 is real time, 10 ten times as fast; default as fast as possible.")
    var rate: Double?

    @Option(help: "First position to show; what comes before it is folded silently.")
    var from: UInt64 = 0

    @Option(
        help: ArgumentHelp(
            "Position to stop before, or time to stop after; 10:15 is one of the first day.",
            valueName: "position|time"))
    var until: AuditMoment?

    @Flag(help: "Show each event and wait for Enter.")
    var step = false

    @Flag(help: "Begin again at the end, until Ctrl-C.")
    var loop = false

    @Flag(help: "Print the state's digest at each event.")
    var digests = false

    @Option(
        name: .customLong("what-if"), parsing: .singleValue,
        help: ArgumentHelp(
            "Another rule, such as graceMilliseconds=5000; shows both results. Repeatable.",
            valueName: "key=value"))
    var whatIf: [String] = []

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The format of a Bluetooth capture: btsnoop, pcap, pcapng, btmon, notifications, or "
                + "lines for a value on each; default by content.", valueName: "format"))
    var format: CaptureFormatOption?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "What a Bluetooth capture does not tell: a handle's characteristic, such as 0x12=2a37. "
                + "Repeatable.", valueName: "handle=uuid"))
    var handle: [HandleOption] = []

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if let rate, !(rate > 0 && rate <= 1_000_000) {
            throw ValidationError("--rate must be above 0 and at most 1000000.")
        }
    }

    func run() async throws {
        let rules = try changedRules()
        let reel = try await ReplaySource(
            source, common, as: format?.format, handles: handle, until: until)
        do throws(EventLogError) {
            repeat {
                let state = try await play(reel)
                var other: LogState?
                if let rules {
                    var state = LogState(rules: rules)
                    try reel.log.fold(until: reel.end, into: &state)
                    other = state
                }
                let offset: (Position) -> Int64 =
                    common.json ? { _ in 0 } : try reel.offsetMinutes(in: state)
                common.write(
                    ReplayText(
                        state, whatIf: other, session: reel.session,
                        series: common.json ? try reel.series(in: state) : nil,
                        digest: StateDigest.text, offsetMinutes: offset))
            } while loop
        } catch {
            throw CommandFailure(error, store: source)
        }
        if let missing = reel.missing {
            throw CommandFailure(.badData, "\(source): \(missing)")
        }
        if let damage = reel.damage {
            throw CommandFailure(.badData, "\(source): partial: \(damage)")
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

    /// Folds at speed, event by event where something is to be shown.
    private func play(_ reel: ReplaySource) async throws(EventLogError) -> LogState {
        var state = LogState()
        guard rate != nil || step || digests else {
            try reel.log.fold(until: reel.end, into: &state)
            return state
        }
        var end = try reel.log.next
        if let limit = reel.end { end = min(end, limit) }
        var next = min(max(from, reel.start), end)
        try reel.log.fold(until: next, into: &state)
        var pace = Pace(rate: rate)
        var printer = EventPrinter(
            json: common.json, offsetMinutes: try reel.log.zoneOffsetMinutes(at: next))
        while next < end {
            let events = try reel.log.events(in: next..<min(end, next + 256))
            guard !events.isEmpty else { break }
            for event in events {
                await pace.wait(for: event.header.stamp)
                try reel.log.fold(
                    from: event.header.position, until: event.header.position + 1, into: &state)
                show(event, state, &printer)
            }
            next += UInt64(events.count)
        }
        return state
    }

    private func show(
        _ event: RecordedEvent, _ state: LogState, _ printer: inout EventPrinter
    ) {
        if digests {
            let digest = StateDigest.text(of: state)
            Output.standard.write(
                common.json
                    ? JSONWriter.line {
                        $0.field("position", event.header.position)
                        $0.field("digest", digest)
                    } : Array("\(event.header.position) \(digest)\n".utf8))
        } else {
            Output.standard.write(printer.lines(event))
        }
        if step { _ = readLine() }
    }
}
