public import Events
internal import Interchange
internal import JSON
public import Projections
public import Text

/// A session's totals as lines for people, within 80 columns.
public struct SessionText: Answer {
    /// The lines, without line ends.
    public private(set) var lines: [String]

    /// The lines, each with its end.
    public var text: String { lines.joined(separator: "\n") + "\n" }

    /// All figures of the session, as one object and a newline; with what they are made of, if that
    /// was given.
    public var jsonLine: [UInt8] {
        JSONWriter.line { json in
            session.writeFields(to: &json)
            series?.writeFields(to: &json)
        }
    }

    private let session: SessionReport
    private let series: SessionSeries?

    /// Tells a session.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - offsetMinutes: Minutes east of UTC, for the times.
    ///   - asOfMilliseconds: Until when an open session is told, UTC; nil for now.
    ///   - series: What its figures are made of, for JSON; nil to leave it out.
    public init(
        _ session: SessionReport, offsetMinutes: Int64, asOfMilliseconds: Int64? = nil,
        series: SessionSeries? = nil
    ) {
        self.session = session
        self.series = series
        let start = TimeText.local(session.startedAtMilliseconds, offsetMinutes: offsetMinutes)
        var title = "Session \(session.position), \(start) \(TimeText.offset(offsetMinutes))"
        title += session.provenance.mark
        if session.state != .ended {
            let end = asOfMilliseconds.map { TimeText.local($0, offsetMinutes: offsetMinutes) }
            let isSameDay = end?.prefix(10) == start.prefix(10)
            let asOf = end.map { ", as of " + (isSameDay ? $0.suffix(8) : $0[...]) } ?? ""
            title += " (\(session.state.name)\(asOf))"
        }
        lines = [title]
        add(
            "Time",
            "\(TimeText.duration(session.elapsedMilliseconds)), active "
                + "\(TimeText.duration(session.activeMilliseconds)), paused "
                + TimeText.duration(session.pausedMilliseconds))
        addHeart(session)
        add("Signal", Self.signal(session.accounting))
        add("Link", lines: LinkText(session.link, session.rrConservation).lines)
        add(
            "Steps",
            (session.knownSteps.map(grouped) ?? "none counted")
                + "; today \(grouped(session.stepsToday))")
        add(
            "Distance",
            session.knownDistanceMillimetres.map {
                kilometres($0) + Self.source(of: session) + Self.leftOut(session.excludedDistances)
            }
                ?? (session.distanceMillimetres == nil
                    ? "unknown: no height (pulselog profile set height=180cm)" : "none counted"))
        if !session.route.isEmpty { add("Route", Self.route(session.route)) }
        if let calories = session.knownEnergyCalories {
            add(
                "Energy",
                kilocalories(calories)
                    + (session.isWeightAssumed ? ", for 70 kg (no weight is set)" : ""))
        }
        if let goal = session.goal { add("Goal", Self.goal(goal, session)) }
    }

    /// Tells a session as of the last moment of a log, in the zone in which it began.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - state: The fold that tells it.
    ///   - offsetMinutes: Minutes east of UTC at the event that began it.
    ///   - series: What its figures are made of, for JSON; nil to leave it out.
    public init(
        _ session: SessionReport, in state: LogState, offsetMinutes: Int64,
        series: SessionSeries? = nil
    ) {
        self.init(
            session, offsetMinutes: offsetMinutes,
            asOfMilliseconds: state.lastMoment.stamp.wallMilliseconds, series: series)
    }

    /// Sessions as a list for people.
    ///
    /// - Parameters:
    ///   - sessions: The sessions.
    ///   - offsetMinutes: Minutes east of UTC at the event that began a session.
    /// - Returns: The list.
    public static func table(
        of sessions: [SessionReport], offsetMinutes: (Position) -> Int64
    ) -> TextTable {
        var table = TextTable(
            .numbers("position"), .words("started"), .numbers("active"), .numbers("mean BPM"),
            .numbers("steps"), .words("state"))
        for session in sessions {
            let offset = offsetMinutes(session.position)
            table.add(
                "\(session.position)",
                TimeText.local(session.startedAtMilliseconds, offsetMinutes: offset) + " "
                    + TimeText.offset(offset),
                TimeText.duration(session.activeMilliseconds),
                session.heartRate.mean?.description ?? "none", grouped(session.steps),
                session.state.name + session.provenance.mark)
        }
        return table
    }

    /// What told the distance.
    private static func source(of session: SessionReport) -> String {
        switch session.distanceSource {
        case .pedometer: return " by the pedometer"
        case .stride: return " by steps and height"
        case .position: return " by position"
        case .mixed, nil:
            let millimetres = session.distanceByPositionMillimetres
            return millimetres == 0
                ? " by the pedometer, in part by steps and height"
                : ", \(kilometres(millimetres)) of it by position"
        }
    }

    private static func leftOut(_ distances: UInt64) -> String {
        distances == 0 ? "" : ", \(counted(distances, "reading")) left out"
    }

    private static func route(_ route: Route) -> String {
        var parts = [
            kilometres(route.distanceMillimetres) + " by position",
            "up \(grouped((route.ascentMillimetres + 500) / 1_000)) m",
            "down \(grouped((route.descentMillimetres + 500) / 1_000)) m",
        ]
        if route.jumps > 0 { parts.append(counted(route.jumps, "jump")) }
        if route.excludedFixes > 0 {
            parts.append("\(counted(route.excludedFixes, "fix", "es")) left out")
        }
        if route.excludedHeights > 0 {
            parts.append("\(counted(route.excludedHeights, "height")) left out")
        }
        return parts.joined(separator: ", ")
    }

    /// How wide the text after the label may be.
    private static let width = 67

    private mutating func add(_ label: String, _ text: String) {
        add(label, lines: wrapped(text, to: Self.width))
    }

    private mutating func add(_ label: String, lines texts: [String]) {
        for (index, text) in texts.enumerated() {
            lines.append("  " + padded(index == 0 ? label : "", to: 11) + text)
        }
    }

    private mutating func addHeart(_ session: SessionReport) {
        let report = session.heartRate
        add("Heart rate", Self.heartRate(report))
        let excluded = report.excluded
        let reasons: [(UInt64, String)] = [
            (excluded.zero, HeartRateDoubt.zero.words),
            (excluded.noReading, HeartRateDoubt.noReading.words),
            (excluded.notCredible, HeartRateDoubt.notCredible.words),
            (excluded.noContact, "without contact"),
            (excluded.paused, "in pauses"), (excluded.undecodable, "undecodable"),
            (excluded.copies, "copies"),
        ]
        let words = reasons.filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
        if !words.isEmpty { add("Left out", words.joined(separator: ", ")) }
        if let strap = session.contactlessStrap { add("Contact", strap.sentence) }
        guard let highest = report.maximum else { return }
        add("Maximum", Self.maximum(highest, report.supportedMaximum))
        add("Zones", Self.zones(report.zones))
        guard session.rr.count > 0 else { return }
        add("HRV", Self.variability(session.rr))
        if session.filteredRR != session.rr {
            add("", "without artefacts " + Self.variability(session.filteredRR))
        }
    }

    private static func heartRate(_ report: HeartRateReport) -> String {
        guard let mean = report.mean, let low = report.minimum, let high = report.maximum else {
            return "none"
        }
        let weighted = report.timeWeightedMean.map { ", time-weighted \($0)" } ?? ""
        return "mean \(mean)\(weighted), \(low) to \(high.bpm) BPM, "
            + counted(report.samples, "sample")
    }

    /// Both maxima, each with the position of the event that made it.
    private static func maximum(
        _ highest: HeartRateReport.Maximum, _ supported: HeartRateReport.Maximum?
    ) -> String {
        let plain = "\(highest.bpm) BPM (position \(highest.position)), "
        guard let supported else { return plain + "not supported by another value" }
        return supported == highest
            ? plain + "supported by another value"
            : plain + "supported \(supported.bpm) BPM (position \(supported.position))"
    }

    private static func zones(_ zones: HeartRateReport.ZoneTimes) -> String {
        let times = [
            ("resting", zones.restingMilliseconds), ("moderate", zones.moderateMilliseconds),
            ("vigorous", zones.vigorousMilliseconds), ("maximum", zones.maximumMilliseconds),
        ]
        return times.map { "\($0.0) \(TimeText.duration($0.1))" }.joined(separator: ", ")
    }

    private static func variability(_ rr: RRReport) -> String {
        let parts = [
            rr.rmssdMilliseconds.map { "RMSSD \($0) ms" },
            rr.sdnnMilliseconds.map { "SDNN \($0) ms" }, rr.pnn50Percent.map { "pNN50 \($0) %" },
            counted(rr.count, "interval"),
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private static func signal(_ accounting: Accounting) -> String {
        let parts: [(UInt64, String)] = [
            (accounting.freshMilliseconds, "fresh"), (accounting.silentMilliseconds, "silent"),
            (accounting.noContactMilliseconds, "no contact"),
            (accounting.heldMilliseconds, "held"),
            (accounting.disconnectedMilliseconds, "disconnected"),
        ]
        let times = parts.filter { $0.0 >= 1_000 }
            .map { "\($0.1) \(TimeText.duration($0.0))" }
        return times.isEmpty ? "under a second" : times.joined(separator: ", ")
    }

    private static func goal(_ goal: Goal, _ session: SessionReport) -> String {
        let progress = session.goalProgress ?? 0
        let share = goal.target > 0 ? min(progress, goal.target) * 100 / goal.target : 0
        return "\(goal.text), \(session.isGoalReached ? "reached" : "\(share) %")"
    }
}
