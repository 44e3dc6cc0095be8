internal import BluetoothCentral
internal import Events
package import JSON
package import Projections
internal import Text
package import Words

/// A scene as it is shown: figures with their units, sentences, and times of the walker.
extension Scene {
    private var offsetMinutes: Int64 {
        startingOffsetMinutes ?? state.own.recorder.zoneOffsetMinutes
    }
    /// Now, where the walker is.
    package var now: LocalTime { time(moment.stamp.wallMilliseconds) }

    /// An instant where the walker is.
    package func time(_ wallMilliseconds: Int64) -> LocalTime {
        LocalTime(wallMilliseconds, offsetMinutes: offsetMinutes)
    }

    /// Writes what is shown into an object that is open.
    func writeView(to json: inout JSONWriter) {
        let report = report
        json.field("head", grouped(state.head ?? 0))
        let today = grouped(state.own.stepsToday(at: moment))
        json.object("strap") { strap.writeView(to: &$0, position, loneCounter, "\(today) today") }
        writePulse(to: &json, beyond: heartAlert?.alert)
        let hindrance = strap.word.adapterProblem.flatMap {
            AdapterChange($0, .daemonGone).sentence()
        }
        let day = state.own.dayAhead(at: moment).map { DayText.ahead($0) + " " + DayText.wayBack }
        let troubles = [bluetoothProblem ?? hindrance ?? positionProblem, day].compactMap(\.self)
        json.field("trouble", troubles.isEmpty ? nil : troubles.joined(separator: " "))
        json.field("isHindered", strap.word.bluetoothProblem != nil)
        json.field("troubleOf", day == nil ? troubleOf : nil)
        json.list("straps", newStraps ?? []) { $1.writeView(to: &$0) }
        if let substitute {
            json.object("substitute") { json in
                json.field("text", substitute.fact)
                json.field("use", "Use \(substitute.title)")
                json.field("address", substitute.address.description)
            }
        }
        let other = isOwn ? nil : holder.map { "The recorder is used by \($0)." }
        json.field("elsewhere", other.map { "\($0) You can start a walk here when that ends." })
        json.field(
            "elsewhereDevices", other.map { "\($0) You can pair straps here when that ends." })
        writeListening(to: &json)
        writeDailyGoal(to: &json)
        json.field("goal", GoalView(goal.kind.name, target: goal.target, units: state.units))
        writeGoals(to: &json)
        json.field("units", state.units.distanceName)
        guard let report else { return }
        if ["leftOpen", "failed"].contains(phaseName) {
            json.object("open") { writeOpen(report, to: &$0) }
        } else {
            json.object("walk") { writeWalk(report, to: &$0) }
        }
    }

    private func writePulse(to json: inout JSONWriter, beyond: HeartAlert?, isWanted: Bool = true) {
        json.object("pulse") { json in
            strap.writePulse(
                to: &json, isPaused: state.own.sessions.isAtRest,
                zones: state.own.sessions.open?.zones ?? .standard, beyond: beyond,
                isWanted: isWanted)
        }
    }

    /// Writes what an overlay shows into an object that is open: no name, place or time of the
    /// day, and nothing but figures that were measured.
    ///
    /// Without a walk a strap that is not connected is no matter of whoever looks.
    package func writeOverlay(to json: inout JSONWriter) {
        let open = state.own.sessions.open
        let isWanted = open != nil || strap.status != .disconnected
        writePulse(to: &json, beyond: nil, isWanted: isWanted)
        guard let report = self.report(of: open?.position) else { return }
        let measures: [(String, Measure)] = [
            ("pace", .paceNow), ("distance", .distance), ("time", .active), ("steps", .steps),
        ]
        json.object("figures") { json in
            for (name, measure) in measures {
                let figure =
                    measure == .paceNow ? presentPace : report.figure(measure, state.units)
                guard let figure, figure.value != "–" else { continue }
                json.object(name) { json in
                    json.field("picture", measure.picture)
                    figure.writeFields(to: &json)
                }
            }
        }
    }

    /// What the trouble is of, if it is no matter of Bluetooth: that is said quietly.
    private var troubleOf: String? {
        guard strap.word.bluetoothProblem == nil, storageProblem == nil else { return nil }
        return bluetoothProblem != nil ? "strap" : positionProblem != nil ? "nogps" : "steps"
    }

    /// Whether a receiver is there, also one without a fix.
    private var hasReceiver: Bool {
        position.map {
            $0.quality != .none || phase != nil && ![.unplugged, .gone].contains($0.lack)
        } ?? false
    }

    private func writeListening(to json: inout JSONWriter) {
        let devices = newStraps ?? []
        let straps = devices.count { Roles(services: $0.services).contains(.heart) }
        func listening(_ count: Int, _ thing: String) -> String {
            count == 0
                ? "Listening. Nothing in range yet."
                : "Listening. \(counted(UInt64(count), thing)) in range."
        }
        let pairing = picking.map { "Pairing \(shownName($0.name)). It may take a minute." }
        json.field("listening", pairing ?? listening(devices.count, "device"))
        json.field("listeningForStraps", pairing ?? listening(straps, "strap"))
    }

    /// What measures a walk under way: what has told something, and a pedometer that is paired.
    package func sensors(of report: SessionReport) -> WalkSensors {
        let known = report.sensors
        return WalkSensors(
            hasHeart: known.hasHeart || strap.device != nil,
            hasCounter: known.hasCounter || counter != nil,
            hasPositions: known.hasPositions || report.goal?.kind == .distance && hasReceiver,
            hasLength: known.hasLength)
    }

    /// What will measure the walk that is set up: what is there, or was used in the last one.
    package var sensorsAtSetUp: WalkSensors {
        let last = state.own.sessions.lastEnded
        var sensors = WalkSensors(
            hasHeart: strap.device != nil,
            hasCounter: stepsToday != nil || (last?.steps ?? 0) > 0,
            hasPositions: hasReceiver || (last?.route.fixes ?? 0) > 0)
        sensors.areOfPhone = position?.isByPhone ?? state.own.recorder.positions.areOfPhone
        return sensors
    }

    /// The goals in their order, what would measure each, and why nothing does.
    private func writeGoals(to json: inout JSONWriter) {
        let sensors = sensorsAtSetUp
        let isWhole = sensors.hasHeart && sensors.hasCounter && sensors.hasPositions
        json.list("goals", sensors.goals) { json, kind in
            var (by, lack) = sensors.measuring(kind)
            if by.isEmpty, let counter { by = "by \(shownName(counter.name))" }
            if kind == .distance, let short = position?.lack?.short { by = short }
            json.field("kind", kind.name)
            json.field("by", isWhole ? "" : by)
            json.field("lack", lack.map { sensors.hasPositions ? $0 + Self.instead : $0 })
        }
    }

    private static let instead = " Or set a goal that your GPS measures."

    private func writeDailyGoal(to json: inout JSONWriter) {
        guard let daily = state.own.recorder.profile.dailyGoalSteps, daily > 0,
            sensorsAtSetUp.hasCounter
        else { return }
        let today = state.own.stepsToday(at: moment)
        json.object("daily") { json in
            let left = daily.minus(today)
            let open = "Complete daily goal: \(grouped(left)) to go"
            json.field("text", left > 0 ? open : "Daily goal complete")
            let goal = GoalView(GoalKind.steps.name, target: left, units: state.units)
            json.field("goal", left > 0 ? goal : nil)
        }
    }

    private func writeOpen(_ report: SessionReport, to json: inout JSONWriter) {
        let start = time(report.startedAtMilliseconds)
        let date = start.date.dayAndMonth + start.date.year(unless: now.date.components.year)
        let since = start.date == now.date ? start.clock : "\(date), \(start.clock)"
        json.field("title", "A walk from \(since) is still open.")
        json.array("figures") {
            $0.figures([.active, .distance, .steps], of: report, units: state.units)
        }
    }

    private func writeWalk(_ report: SessionReport, to json: inout JSONWriter) {
        let sensors = sensors(of: report)
        let progress = WayToGoal(report, sensors, units: state.units)
        json.field("word", word(report))
        json.field("made", report.provenance == .simulated ? Narrator.simulation : nil)
        let troubles = troubles.isEmpty ? [progress.lack].compactMap(\.self) : troubles
        json.field("trouble", troubles.joined(separator: " "))
        progress.writeFields(to: &json)
        json.list("measures", progress.others) { json, measure in
            json.field("key", measure.key)
            json.field("picture", measure.picture)
            json.field("name", measure.name)
            figure(measure, of: report).writeFields(to: &json)
        }
        json.field("standsStill", report.standsStill)
        json.field("lap", lapClock(report))
        json.field("isFalseStart", report.isFalseStart)
        json.field("thrown", report.thrown(state.units))
        let alert = heartAlert.map { $0.alert.words(forMilliseconds: $0.milliseconds) }
        json.field("alert", alert.map { capitalized($0) + "." })
        json.list("large", report.known(sensors.large, by: sensors)) { json, measure in
            let name = progress.largeName(measure)
            json.field("key", measure.key)
            json.field("picture", measure.picture)
            json.field("name", name.name)
            json.field("note", name.note)
            json.field("value", figure(measure, of: report).value)
        }
        json.object("said") { writeSaid(report, to: &$0) }
    }

    /// A measure of a walk under way.
    package func figure(_ measure: Measure, of report: SessionReport) -> Figure {
        let figure = report.figure(measure, state.units)
        switch measure {
        case .paceNow:
            let pace = presentPace ?? Figure(nil, dash: state.units.paceName)
            return Figure("\(pace.value) \(pace.unit) now")
        case .today:
            let of = state.own.recorder.profile.dailyGoalSteps.map { "of \(grouped($0)) today" }
            return Figure("\(grouped(state.own.stepsToday(at: moment))) \(of ?? "today")")
        case .climb: return Figure("\(figure.value) \(figure.unit) climb")
        case .mean: return Figure("\(figure.value) mean BPM")
        case .energy where !report.isCounted && report.heartRateEnergyCalories != nil:
            return Figure("\(figure.value) kcal by heart")
        default: return figure
        }
    }

    /// The pace now; nil unless something has measured the way.
    package var presentPace: Figure? {
        guard report?.distanceMillimetres != nil else { return nil }
        let text = pace.flatMap { state.units.pace($0.millimetres, $0.milliseconds) }
        return Figure(text, dash: state.units.paceName)
    }

    /// The lap and its time, once there is more than one.
    private func lapClock(_ report: SessionReport) -> String? {
        guard report.laps.ended > 0 else { return nil }
        let present = report.laps.present(at: report.activeMilliseconds, 0)
        let time = TimeText.duration(present.milliseconds)
        return "Lap \(grouped(report.laps.ended + 1)), \(time)"
    }

    private func word(_ report: SessionReport) -> String {
        if let pause = report.pauseMilliseconds {
            let words = report.standsStill ? "Standing still, " : "Paused for "
            return words + TimeText.duration(pause)
        }
        switch phase {
        case .starting: return "Starting"
        case .ending, .ended: return "Finishing"
        case .settingUp, .recording, .failed, nil:
            return report.provenance == .simulated ? "Simulated" : "Recording"
        }
    }

    /// What is said aloud when it becomes another sentence than before; nothing at the beginning.
    private func writeSaid(_ report: SessionReport, to json: inout JSONWriter) {
        let pause =
            switch (report.state, report.standsStill) {
            case (_, true): Event.standstillBegan(StandstillBegan())
            case (.paused, false): Event.sessionPaused(SessionPaused())
            case (.ended, false): Event.sessionEnded(SessionEnded())
            default: Event.sessionResumed(SessionResumed())
            }
        json.field("pause", pause.walkSentence(state.units))
        let goal = report.goal
        json.field("goal", report.isGoalReached ? goal?.reachedSentence(state.units) : nil)
        let isTurned = report.outAndBack && report.isTurnAroundReached
        json.field("turn", isTurned ? goal?.turnSentence(state.units) : nil)
        json.field("alert", alert?.sentence)
        json.field("alerts", alert?.number ?? 0)
        json.field("lap", report.laps.ended > 0 ? report.laps.sentence(state.units) : nil)
        let isLost = strap.device != nil && strap.status == .disconnected
        json.field("link", isLost ? "Heart rate lost. Reconnecting." : "Heart rate is back.")
    }
}

extension StrapStatus {
    /// What there is to say of the link, or the heart rate.
    private var state: String {
        trouble ?? heartRateBPM.map { "\($0) BPM" } ?? "no value"
    }

    /// Writes what is shown of the strap, or what counts instead, and of positions before a walk,
    /// and of the strap in lists.
    fileprivate func writeView(
        to json: inout JSONWriter, _ position: PositionStatus?, _ counter: Device?, _ today: String
    ) {
        let quality = position?.quality ?? .none
        let isByPhone = position?.isByPhone == true
        let found = isByPhone ? "Position by the phone" : "GPS \(quality.rawValue)"
        json.field("gps", position?.lack?.short ?? (quality == .none ? "No GPS" : found))
        json.field("isGPSLacking", position?.lack != nil)
        json.field("isByPhone", isByPhone)
        let bluetoothProblem = word.bluetoothProblem.map { capitalized($0.text) }
        json.field(
            "name",
            bluetoothProblem ?? counter.map { shownName($0.name) }
                ?? (device == nil ? "No strap paired" : shownName(name)))
        let isUp = counter?.link.isUp ?? (device != nil && status != .disconnected)
        let own = device == nil ? "" : capitalized(state)
        let value = counter == nil ? own : isUp ? today : "Not connected"
        json.field("value", bluetoothProblem == nil ? value : "")
        json.field("isUp", isUp)
        json.field("counter", counter.map { $0.roles.contains(.footPod) ? "foot" : "watch" })
        json.field("fact", status == .disconnected ? capitalized(state) : "Connected, \(state)")
    }

    /// Writes the heart card: held shows no change at all; what is lost is a dash.
    fileprivate func writePulse(
        to json: inout JSONWriter, isPaused: Bool, zones: Zones, beyond: HeartAlert?,
        isWanted: Bool
    ) {
        let bpm = isPaused ? nil : currentBPM
        let zone = bpm.map { zones.zone(ofHundredths: UInt64($0) * 100) }
        let absence =
            word.bluetoothProblem == nil ? capitalized(trouble ?? "no value") : "No Bluetooth"
        json.field("isShown", device != nil && isWanted)
        json.field("state", isPaused ? "hold" : bpm != nil ? "on" : "off")
        json.field("isHeld", !isPaused && status == .held && heartRateBPM == nil)
        json.field("value", bpm.map { "\($0)" } ?? "–")
        json.field("beatMilliseconds", bpm.map { 60_000 / max(UInt64($0), 1) })
        json.field("zone", zone?.number ?? 0)
        let beyond = zone == nil ? nil : beyond.map { capitalized($0.words) }
        json.field("isBeyond", beyond != nil)
        json.field("text", isPaused ? "Paused" : beyond ?? zone?.label ?? absence)
        json.field("said", status == .held ? nil : zone.map { "\($0.label) heart rate." })
    }
}

/// How things stood, as it is shown.
extension StatusReport {
    /// Writes the figures, and the strap in words, into an object that is open; they are of this
    /// machine, also where the event was imported.
    package func writeView(to json: inout JSONWriter, units: Units, isImported: Bool) {
        let age = strap.heartRateBPM == nil ? nil : strap.ageMilliseconds
        let held = strap.status == .held ? ", held" : ""
        let note = age.map { "heart rate \($0 / 1_000).\($0 / 100 % 10) s old\(held)" }
        json.field(
            "note", isImported ? "of this machine, the event is of another" : note ?? "")
        let daily = state.own.recorder.profile.dailyGoalSteps
        let open = session.flatMap { $0.state == .ended ? nil : $0 }
        json.array("figures") { json in
            json.figure(
                "heart", "Heart", Figure(strap.heartRateBPM.map { "\($0) BPM" }),
                picture: "heart i-fill c-heart")
            let of = daily.map { " of \(grouped($0))" } ?? ""
            json.figure(
                "today", "Today", Figure(today.map { grouped($0) + of }),
                picture: Measure.today.picture)
            let walk = open.map {
                TimeText.duration($0.activeMilliseconds)
                    + ($0.state == .paused ? " paused" : " active")
            }
            json.figure("walk", "Walk", Figure(walk), picture: "walk c-time")
            let length = open?.knownDistanceMillimetres.map(units.distance)
            json.figure(
                "distance", "Distance", Figure(length), picture: Measure.distance.picture)
        }
        json.field("strap", strapWords)
    }

    private var strapWords: String {
        guard strap.device != nil else { return "No strap" }
        let adapter = StrapStatus.Word(state.own.recorder.adapter.known)?.text
        let battery = strap.batteryPercent.map { ", battery \($0) %" } ?? ""
        let words = strap.status == .disconnected ? adapter ?? strap.word.text : strap.trouble
        return shownName(strap.name) + ", " + (words ?? "connected" + battery)
    }
}
