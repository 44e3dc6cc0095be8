internal import Events
internal import Interchange
package import JSON
package import Projections
internal import Text

/// A session's totals as lines for people, within 80 columns.
package struct SessionText: Answer, JSONObject {
    /// The lines, each with its end.
    package private(set) var text: String

    /// Writes all figures of the session, and what they are made of, if that was given.
    package func writeFields(to json: inout JSONWriter) {
        session.writeFields(to: &json)
        series?.writeFields(to: &json)
    }

    private let session: SessionReport
    private let series: SessionSeries?
    private let units: Units

    /// Tells a session.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - state: The fold that has it, as of its last moment; nil for now.
    ///   - series: What its figures are made of, for JSON; nil to leave it out.
    ///   - units: The walker's.
    package init(
        _ session: SessionReport, in state: LogState? = nil, series: SessionSeries? = nil,
        units: Units
    ) {
        (self.session, self.series, self.units) = (session, series, units)
        func time(_ at: Int64) -> LocalTime {
            LocalTime(at, offsetMinutes: session.offsetMinutes)
        }
        let start = time(session.startedAtMilliseconds)
        var title = "Session \(session.position), \(start.whole)\(session.provenance.mark)"
        if session.state != .ended {
            let asOf = state.map { state in
                let last = session.leftAtMilliseconds ?? state.lastMoment.stamp.wallMilliseconds
                return ", as of " + time(last).after(start)
            }
            title += " (\(session.state.name)\(asOf ?? ""))"
        }
        text = title + "\n"
        addKeeping(session.keeping)
        add(
            "Time",
            "\(TimeText.duration(session.elapsedMilliseconds)), active "
                + "\(TimeText.duration(session.activeMilliseconds)), paused "
                + TimeText.duration(session.accounting.shownPauses))
        addHeart(session)
        if session.hasStrap { addSignal() }
        let unread = session.excludedReadings
        if session.isCounted || session.stepsToday > 0 || unread > 0 {
            add(
                "Steps",
                (session.knownSteps.map(grouped) ?? "none counted") + stepsOfDay + stepsDoubt
                    + (unread == 0 ? "" : "; \(counted(unread, "reading")) could not be read"))
        }
        add(
            "Distance",
            session.knownDistanceMillimetres.map {
                units.distance($0) + session.lengths(units)
                    + Self.leftOut(session.excludedDistances)
            }
                ?? withoutDistance)
        for measure in Measure.all where measure.isLine {
            guard let number = measure.number(session, units) else { continue }
            add(measure.name, "\(measure.value(number, units)) \(measure.unit(session, units))")
        }
        if !session.route.isEmpty { add("Route", route(session.route)) }
        if session.leftOutFixes.sum > 0 { add("Left out", session.leftOutFixes.words) }
        if let calories = session.knownEnergyCalories {
            add(
                "Energy",
                kilocalories(calories)
                    + (session.isWeightAssumed
                        ? ", for \(units.weight(70_000)) (no weight is set)" : ""))
        }
        if let calories = session.heartRateEnergyCalories {
            add(
                session.isCounted ? "By heart" : "Energy",
                "\(kilocalories(calories)), by the heart rate (Keytel 2005)")
        }
        if let lack = session.energyLack {
            let weight = session.isWeightAssumed ? "weight=75kg " : ""
            add("Energy", "left out: by the heart rate it needs \(lack)")
            add("", "next walk: pulselog profile set \(weight)birth-year=1980 sex=female")
        }
        if let goal = session.goal { add("Goal", self.goal(goal)) }
    }

    /// What is said of the walk that has just ended.
    ///
    /// - Parameter state: The state after its end.
    /// - Returns: A sentence, and of a walk that was no longer recorded when it ended.
    package static func finished(in state: LogState) -> String {
        let ended = state.sessionReports(at: state.lastMoment).last {
            $0.provenance.isLive && $0.state == .ended
        }
        guard let ended, ended.endReason?.known == .atLastEvent,
            let end = ended.endedAtMilliseconds
        else { return "Finished." }
        let time = TimeText.local(end, offsetMinutes: state.own.recorder.zoneOffsetMinutes)
        return "Finished. The walk was no longer being recorded, so it ends at its last event, "
            + "\(time), after \(TimeText.duration(ended.elapsedMilliseconds))."
    }

    /// What its day shows, as far as it is known; nothing where nothing was counted.
    private var stepsOfDay: String {
        guard session.stepsToday > 0 else { return "" }
        let isOver = session.state == .ended || session.leftAtMilliseconds != nil
        return "; \(grouped(session.stepsToday)) \(isOver ? "that day when it ended" : "today")"
    }

    /// What speaks against the steps.
    private var stepsDoubt: String {
        let way = session.way
        if session.steps == 0, way.counted[.speed] > 0 { return "; the pedometer tells no cadence" }
        guard way.comparison.doubtedMeasures.contains(.steps) else { return "" }
        let isShort = way.millimetres / max(session.steps, 1) > 700
        return "; doubted, they are too \(isShort ? "few" : "many") for the way"
    }

    /// Why there is no distance.
    private var withoutDistance: String {
        if session.distanceMillimetres != nil { return "none counted" }
        if session.inexactFixes > 0 { return "unknown: the positions were too inexact" }
        return session.steps > 0
            ? "unknown: no height (pulselog profile set height=180cm)" : "nothing measured it"
    }

    private static func leftOut(_ distances: UInt64) -> String {
        distances == 0 ? "" : ", \(counted(distances, "reading")) left out"
    }

    private func route(_ route: Route) -> String {
        var parts = ["\(units.distance(route.distanceMillimetres)) \(WalkSensors.byPositions)"]
        if route.hasHeights {
            parts.append("up \(units.climb(route.ascentMillimetres))")
            parts.append("down \(units.climb(route.descentMillimetres))")
        }
        if route.jumps > 0 { parts.append(counted(route.jumps, "jump")) }
        if route.excludedFixes > 0 {
            let inexact = session.inexactFixes
            let most = units.climb(Route.greatestErrorMillimetres)
            parts.append(
                "\(counted(route.excludedFixes, "fix", "es")) left out"
                    + (inexact > 0 ? " (\(grouped(inexact)) inexact, over \(most))" : ""))
        }
        if route.excludedHeights > 0 {
            parts.append("\(counted(route.excludedHeights, "height")) left out")
        }
        return parts.joined(separator: ", ")
    }

    private mutating func add(_ label: String, _ words: String) {
        text += labelled(label, to: 11, indent: 2, words)
    }

    /// What the walker has said of it.
    private mutating func addKeeping(_ keeping: Keeping) {
        if !keeping.name.isEmpty { add("Name", printable(keeping.name, limit: 128)) }
        if !keeping.place.isEmpty { add("Place", printable(keeping.place, limit: 128)) }
        if keeping.sport.known != .walk { add("Sport", keeping.sport.words) }
        if !keeping.tags.isEmpty {
            add("Tags", printable(keeping.tags.joined(separator: ", "), limit: 256))
        }
        if !keeping.note.isEmpty { add("Note", printable(keeping.note, limit: 512)) }
        if keeping.isHidden { add("Hidden", "left out of lists and sums") }
    }

    /// Which straps sent values, unless there is one only, whose values count.
    private mutating func addStraps(_ straps: [SessionReport.Strap]) {
        guard straps.count > 1 || straps.contains(where: \.isExcluded) else { return }
        for (index, strap) in straps.enumerated() {
            let words = counted(strap.samples, "sample") + (strap.isExcluded ? ", left out" : "")
            add(index == 0 ? "Straps" : "", "\(strap.device): \(words)")
        }
    }

    private mutating func addHeart(_ session: SessionReport) {
        let report = session.heartRate
        if session.hasStrap || report.samples > 0 { add("Heart rate", Self.heartRate(report)) }
        let excluded = report.excluded
        let reasons: [(UInt64, String)] = [
            (excluded.zero, HeartRateDoubt.zero.words),
            (excluded.noReading, HeartRateDoubt.noReading.words),
            (excluded.notCredible, "not credible"),
            (excluded.noContact, "without contact"),
            (excluded.paused, "in pauses"), (excluded.undecodable, "undecodable"),
            (excluded.copies, "copies"),
        ]
        let words = reasons.filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
        if !words.isEmpty { add("Left out", words.joined(separator: ", ")) }
        addStraps(session.straps)
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
        zones.all.map { "\($0.zone.name) \(TimeText.duration($0.shown))" }
            .joined(separator: ", ")
    }

    private static func variability(_ rr: RRReport) -> String {
        let parts = rr.measures.compactMap { one in
            one.value.map { "\(one.name) \($0) \(one.unit)" }
        }
        return (parts + [counted(rr.count, "interval")]).joined(separator: ", ")
    }

    /// Where the time went, and the strap's link.
    private mutating func addSignal() {
        let excluded = session.heartRate.excluded
        let isUnread = excluded.undecodable + excluded.notCredible > 0
        let parts = session.accounting.parts.filter {
            $0.milliseconds > 0 && $0.word != "paused"
        }.map { part in
            let word = isUnread && part.word == "silent" ? "silent or not readable" : part.word
            return "\(word) \(TimeText.duration(part.milliseconds))"
        }
        add("Signal", parts.isEmpty ? "under a second" : parts.joined(separator: ", "))
        for (index, part) in LinkText(session.link, session.rrConservation).parts.enumerated() {
            add(index == 0 ? "Link" : "", part)
        }
    }

    private func goal(_ goal: Goal) -> String {
        if let reason = session.goalSentence {
            return "\(goal.text(units)), not measured. \(reason)"
        }
        let progress = session.goalProgress ?? 0
        let share = goal.target > 0 ? min(progress, goal.target) * 100 / goal.target : 0
        return "\(goal.text(units)), \(session.isGoalReached ? "reached" : "\(share) %")"
    }
}
