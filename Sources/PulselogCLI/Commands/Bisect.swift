internal import ArgumentParser
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Interchange
internal import LookingBack
internal import Projections
internal import Stores
internal import Terminal
internal import Text
internal import Words

/// `pulselog bisect`: the first event at which two folds of one log show another result.
struct Bisect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bisect",
        abstract: "Find the first event at which other rules, or an old version, differ.",
        discussion: """
            SOURCE is one that `replay` takes. What people see is compared after each event: \
            sessions, days, the strap, what could not be used. A rule by itself is no difference. \
            Exit code 1 if there is one, 0 if there is none.
            """)

    @Argument(help: "FILE, -, store, or session:POSITION.")
    var source: String

    @Option(
        name: .customLong("what-if"), parsing: .singleValue,
        help: ArgumentHelp(
            "Another rule, such as graceMilliseconds=5000. Repeatable.", valueName: "key=value"))
    var whatIf: [String] = []

    @Option(
        help: ArgumentHelp(
            "An old version that is kept: \(KeptVersion.all.map(\.name).joined(separator: ", ")).",
            valueName: "name@version"))
    var projection: String?

    @Option(
        help: ArgumentHelp(
            "Position to stop before, or time to stop after; 10:15 is one of the first day.",
            valueName: "position|time"))
    var until: LogMoment?

    @OptionGroup var capture: CaptureOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard whatIf.isEmpty != (projection == nil) else {
            throw ValidationError("Give either --what-if or --projection: what to compare with.")
        }
    }

    func run() async throws {
        let version = try kept()
        let rules = try Rules(changedBy: whatIf)
        let reel = try await ReplaySource(
            source, as: capture.format?.format, capture.handles.hints, until: until,
            in: { try common.open(.reading) })
        let stop = StopRequest()
        var pair: any FoldPair =
            version?.pair() ?? RulePair(and: rules ?? Rules(), session: reel.session)
        var events: UInt64 = 0
        let parting = try failing(in: source) {
            var found: RecordedEvent?
            let end = reel.end ?? .max
            try reel.log.read(from: 0) { event in
                guard event.header.position < end, !stop.hasCome else { return false }
                events += 1
                if !pair.evolve(event) { found = event.recorded }
                return found == nil && event.header.position + 1 < end
            }
            return try found.map {
                PartingText.Parting(
                    $0, pair.differences,
                    offsetMinutes: try reel.log.zoneOffsetMinutes(at: $0.header.position))
            }
        }
        if parting == nil {
            stop.endIfRequested(
                saying: "Interrupted. The first \(counted(events, "event")) are the same.")
        }
        common.write(
            PartingText(
                parting, events: events, compared: version.map { [$0.name] } ?? whatIf,
                note: version?.note))
        try reel.refuseDamage(source)
        if parting != nil { throw ExitCode.finding }
    }

    private func kept() throws(CommandFailure) -> KeptVersion? {
        guard let projection else { return nil }
        guard let version = KeptVersion.named(projection) else {
            let names = KeptVersion.all.map(\.name).joined(separator: ", ")
            throw CommandFailure(
                .usage, "There is no kept version \(projection); there is \(names).")
        }
        return version
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
