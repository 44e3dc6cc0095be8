internal import ArgumentParser
internal import Deciding
internal import EventStore
internal import Events
internal import LookingBack
internal import Projections
internal import Stores
internal import Terminal
internal import Text
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

    @Option(
        help: ArgumentHelp(
            "Speed: 1 is real time, 10 ten times as fast; default as fast as possible.",
            discussion: "A terminal shows the recorder's screen, anything else each event."))
    var rate: Double?

    @Option(
        help: ArgumentHelp(
            "First position or time to show; what comes before it is folded silently.",
            valueName: "position|time"))
    var from: LogStart?

    @Option(
        help: ArgumentHelp(
            "Position to stop before, or time to stop after; 10:15 is on the first day.",
            valueName: "position|time"))
    var until: LogMoment?

    @Flag(help: "Show each event.")
    var events = false

    @Flag(
        help: ArgumentHelp(
            "Show each event, its bytes and its effect; Enter continues, q ends.",
            discussion: "A number shows that many. With --json nobody is asked."))
    var step = false

    @Flag(help: "With --step: show every field of the state that changes; --json always does.")
    var all = false

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
        help: ArgumentHelp(
            "What a bad link would do: drops=5,duplicates=3,reorder=2,crash=1; shows both results.",
            discussion: "Each drop or crash lasts 3 to 60 s.",
            valueName: "faults"))
    var faults: WrittenFaults?

    @Option(help: ArgumentHelp("What places the faults.", valueName: "number"))
    var seed: UInt32 = 1

    @OptionGroup var capture: CaptureOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try refuse(
            faults != nil && (loop || !whatIf.isEmpty),
            "--faults is played once, and without --what-if.")
        let isPossible = rate.map { $0 > 0 && $0 <= 1_000_000 } ?? true
        try refuse(!isPossible, "--rate must be above 0 and at most 1000000.")
        try refuse(all && !step, "--all belongs to --step; give that too.")
        try refuse(
            step && source == "-" && !common.json,
            "--step asks on standard input, where the capture is; name a file, or add --json.")
    }

    func run() async throws {
        let rules = try Rules(changedBy: whatIf)
        let reel = try await ReplaySource(
            source, as: capture.format?.value, capture.handles.hints, until: until,
            quietly: showing().isAny, in: { try common.open(.reading) })
        let stop = StopRequest()
        try failing(in: source) {
            let shown = try reel.shown(from: from, until: until)
            if from != nil || until != nil, try shown.isEmpty(in: reel.log) {
                throw CommandFailure.nothingThere
            }
            var isStopped = false
            repeat {
                var run = ReplayRun(reel.log, rules: rules, showing(of: reel), orUntil: stop)
                try run.play(shown, until: reel.end)
                let link = try run.isStopped ? nil : link(of: reel, shown)
                let faulty = try link?.folded(reel.log, until: reel.end, orUntil: stop)
                try tell(run, of: reel, stop.hasCome ? nil : faulty)
                isStopped = run.isStopped
            } while loop && !isStopped && !stop.hasCome
        }
        stop.endIfRequested(
            saying: "Interrupted. The totals say where they stop.")
        try reel.refuseDamage(source)
    }

    /// What is shown of each event; of an import, which the recorder never showed, no screen.
    private func showing(of reel: ReplaySource? = nil) -> ReplayRun.Showing {
        let isScreen = !(events || step || digests || common.json) && reel?.source == 0
        var showing = ReplayRun.Showing()
        showing.rate = rate
        showing.screen = isScreen && rate != nil ? common.screen : nil
        showing.name = source
        showing.events = events
        showing.steps = step
        showing.fields = all || common.json
        showing.asks = step && !common.json
        showing.digests = digests
        showing.json = common.json
        return showing
    }

    private func link(of reel: ReplaySource, _ shown: WindowedPositions) throws -> BadLink? {
        try faults.map { try BadLink($0.kinds, seed: UInt64(seed), in: reel.log, shown) }
    }

    private func tell(
        _ run: ReplayRun, of reel: ReplaySource,
        _ faulty: (state: LogState, faults: [LinkFault])?
    ) throws(EventLogError) {
        let offset: (Position) -> Int64 =
            common.json ? { _ in 0 } : try reel.offsetMinutes(in: run.state)
        common.write(
            ReplayText(
                run.state, whatIf: faulty?.state ?? run.other, session: reel.session,
                series: common.json ? try reel.series(in: run.state) : nil,
                digest: { $0.digest }, offsetMinutes: offset, isStopped: run.isStopped,
                faults: faulty?.faults ?? []))
    }
}

/// `pulselog bisect`: the first event at which two folds of one log show another result.
struct Bisect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bisect",
        abstract: "Find the first event at which other rules, or an old version, differ.",
        discussion: """
            SOURCE is one that `replay` takes. What people see is compared after each event: \
            sessions, days, the strap, what could not be used. A rule alone is not a difference. \
            Exit code 1 if there is one, 0 if there is none.
            """)

    /// The old version whose rules are kept, as people name it.
    private static let firstHeartRate = "heartRate@1"
    private static let note =
        "Values counted as often as the daemon signalled them, and every heart rate but 0."

    @Argument(help: "FILE, -, store, or session:POSITION.")
    var source: String

    @Option(
        name: .customLong("what-if"), parsing: .singleValue,
        help: ArgumentHelp(
            "Another rule, such as graceMilliseconds=5000. Repeatable.", valueName: "key=value"))
    var whatIf: [String] = []

    @Option(
        help: ArgumentHelp(
            "An old version that is kept: \(Self.firstHeartRate).", valueName: "name@version"))
    var projection: String?

    @Option(
        help: ArgumentHelp(
            "Position to stop before, or time to stop after; 10:15 is on the first day.",
            valueName: "position|time"))
    var until: LogMoment?

    @OptionGroup var capture: CaptureOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try refuse(
            whatIf.isEmpty == (projection == nil),
            "Give either --what-if or --projection: what to compare with.")
    }

    func run() async throws {
        try require(
            [nil, Self.firstHeartRate].contains(projection), .usage,
            "There is no kept version \(projection ?? ""); there is \(Self.firstHeartRate).")
        let rules = try Rules(changedBy: whatIf)
        let reel = try await ReplaySource(
            source, as: capture.format?.value, capture.handles.hints, until: until,
            in: { try common.open(.reading) })
        let stop = StopRequest()
        var pair = RulePair(
            projection == nil ? Rules() : .firstHeartRate, and: rules ?? Rules(),
            session: reel.session, isOfHeartRate: projection != nil)
        var events: UInt64 = 0
        let parting: PartingText.Parting? = try failing(in: source) {
            var found: RecordedEvent?
            let end = reel.end ?? .max
            try reel.log.read(from: 0) { event in
                guard event.header.position < end, !stop.hasCome else { return false }
                events += 1
                if !pair.evolve(event) { found = event.recorded }
                return found == nil && event.header.position + 1 < end
            }
            return try found.map {
                ($0, pair.differences, try reel.log.zoneOffsetMinutes(at: $0.header.position))
            }
        }
        if parting == nil {
            stop.endIfRequested(
                saying: "Interrupted. The first \(counted(events, "event")) are the same.")
        }
        common.write(
            PartingText(
                parting, events: events, compared: projection.map { [$0] } ?? whatIf,
                note: projection.map { _ in Self.note }))
        try reel.refuseDamage(source)
        if parting != nil { throw ExitCode.finding }
    }
}

extension Rules {
    /// The rules of a recorder with settings of people; nil if there is none.
    ///
    /// - Parameter settings: Each as `key=value`.
    /// - Throws: ``CommandFailure`` in the words of the setting that cannot be used.
    init?(changedBy settings: [String]) throws(CommandFailure) {
        guard !settings.isEmpty else { return nil }
        self.init()
        for setting in settings {
            do throws(RuleError) {
                try set(setting)
            } catch {
                throw CommandFailure(.usage, error.description)
            }
        }
    }
}
