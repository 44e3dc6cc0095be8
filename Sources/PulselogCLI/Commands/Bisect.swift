internal import ArgumentParser
internal import EventStore
internal import Events
internal import LookingBack
internal import Projections
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
    var until: AuditMoment?

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
            source, common, as: capture.format?.format, handles: capture.handles,
            until: until)
        let stop = StopRequest()
        var pair: any FoldPair =
            version?.pair() ?? RulePair(and: rules ?? Rules(), session: reel.session)
        var parting: PartingText.Parting?
        var events: UInt64 = 0
        do throws(EventLogError) {
            var found: RecordedEvent?
            let end = reel.end ?? .max
            try reel.log.read(from: 0) { event in
                guard event.header.position < end, !stop.hasCome else { return false }
                events += 1
                if !pair.evolve(event) { found = event.recorded }
                return found == nil && event.header.position + 1 < end
            }
            if let found {
                let offset = try reel.log.zoneOffsetMinutes(at: found.header.position)
                parting = PartingText.Parting(found, pair.differences, offsetMinutes: offset)
            }
        } catch {
            throw CommandFailure(error, store: source)
        }
        if parting == nil {
            stop.endIfRequested(
                saying: "Interrupted. The first \(counted(events, "event")) are the same.")
        }
        common.write(
            PartingText(
                parting, events: events, compared: version.map { [$0.name] } ?? whatIf,
                note: version?.note))
        if let missing = reel.missing {
            throw CommandFailure(.badData, "\(source): \(missing)")
        }
        if let damage = reel.damage {
            throw CommandFailure(.badData, "\(source): partial: \(damage)")
        }
        if parting != nil { throw ExitCode(CommandFailure.Code.finding.rawValue) }
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
