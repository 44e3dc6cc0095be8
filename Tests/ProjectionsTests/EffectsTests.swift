import Events
import TestSelection
import TestSupport
import Testing

@testable import Projections

/// What the effects of a log's events add up to.
private struct EffectSums {
    static let blank = [0, 0, 0, 0, 0] as [UInt64]

    /// Of each date what is displayed, the same corrected, what counted, what totals had, and how
    /// many numbers were set aside.
    var dates: [CivilDate: [UInt64]] = [:]
    var current: CivilDate?
    var next = DaySteps.NextReading.difference(beyond: 0)
    var findings = Findings()
    var goals: Set<Position> = []
    var turns: Set<Position> = []
    var factors: [DeviceID: UInt64] = [:]

    /// Adds what an event did, and holds each effect against those before it.
    mutating func add(_ effects: Effects, at position: Position, _ place: String) {
        if let code = effects.finding { findings.add(code, at: position) }
        guard !effects.isSimulated else { return }
        if let begun = effects.begun {
            #expect(effects.ended?.date == current, "\(place)")
            let displayed = current.map { (dates[$0] ?? Self.blank)[0] }
            #expect(effects.ended?.displayed == displayed, "\(place)")
            current = begun
        }
        next = effects.next ?? next
        if let reading = effects.reading, reading.isChosen, let date = effects.date {
            dates[date, default: Self.blank][2] += reading.counted
            #expect(reading.step.map { $0.steps == reading.counted } ?? (reading.counted == 0))
        }
        if let day = effects.day {
            let date = dates[day.date] ?? Self.blank
            #expect(day.before == date[0] && day.after >= day.before, "\(place)")
            #expect(day.reconciliation.map { $0.result == day.after } ?? true, "\(place)")
            dates[day.date] = [
                day.after, day.corrected, date[2], date[3] + day.coveredSteps,
                date[4] + (day.setAside == nil ? 0 : 1),
            ]
        }
        if effects.goalReached != nil { goals.insert(position) }
        if effects.turnedAround != nil { turns.insert(position) }
        if let delivery = effects.delivery { factors[delivery.device] = delivery.factor }
    }
}

/// What the effects of a session's events add up to.
private struct SessionSums {
    private var hearts: [(outcome: HeartEffect.Outcome, bpm: UInt64)] = []
    private var onTrial: [Int] = []
    private var time = Accounting()
    private var weighted: UInt64 = 0
    private var turns: [SessionEffect.Turn: UInt64] = [:]
    /// Steps, distance, climb, fixes.
    private var way: [UInt64] = [0, 0, 0, 0]

    mutating func add(_ effect: SessionEffect) {
        if let (from, to, weighing) = effect.time {
            #expect(from == time)
            time = to
            weighted += (to.freshMilliseconds - from.freshMilliseconds) * UInt64(weighing)
        }
        if effect.trial == .proved { for index in onTrial { hearts[index].outcome = .copy } }
        if effect.trial != nil { onTrial = [] }
        if let heart = effect.heart {
            if heart.isOnTrial { onTrial.append(hearts.count) }
            hearts.append((heart.outcome, UInt64(heart.sentBPM)))
        }
        if let turn = effect.turn { turns[turn, default: 0] += 1 }
        way[3] += effect.provenFixes + (effect.fix?.isOnTrial == false ? 1 : 0)
        guard effect.way != nil || effect.turn != nil else { return }
        let steps = way[0] + (effect.way?.steps ?? 0)
        way[0...2] = [steps, effect.distanceMillimetres, effect.ascentMillimetres]
    }

    func check(_ session: Session, _ rules: Rules, _ name: String) {
        let (totals, route) = (session.readings.heartRate, session.route)
        let told: [(HeartEffect.Outcome, UInt64)] = [
            (.counts, totals.samples), (.copy, totals.excludedCopies),
            (.undecodable, totals.excludedUndecodable), (.paused, totals.excludedPaused),
            (.noContact, totals.excludedNoContact), (.doubted(.zero), totals.excludedZero),
            (.doubted(.noReading), totals.excludedNoReading),
            (.doubted(.notCredible), totals.excludedNotCredible),
        ]
        for (outcome, count) in told {
            #expect(hearts.count { $0.outcome == outcome } == count, "\(name), \(outcome)")
        }
        let samples = hearts.filter { $0.outcome == .counts }
        #expect(samples.reduce(0) { $0 + $1.bpm } == totals.sum, "\(name)")
        #expect(time == session.accounting, "\(name)")
        // For how long values weighed that proved to be copies, no effect says.
        #expect(totals.excludedCopies > 0 || weighted == totals.weightedSum, "\(name)")
        let distance = session.way.millimetres
        #expect(
            way == [session.steps, distance, route.ascentMillimetres, route.fixes], "\(name)")
        #expect(turns[.paused] ?? 0 == session.pauses, "\(name)")
        #expect(turns[.lapped(.byHand)] ?? 0 == session.laps.ended, "\(name)")
        #expect(turns[.ended] ?? 0 == (session.state == .ended ? 1 : 0), "\(name)")
    }
}

@Suite("Effects")
struct EffectsTests {
    /// The events, some of them as if a recorder had made them up.
    private func marked(_ events: [RecordedEvent], oneIn count: Int) -> [RecordedEvent] {
        events.map { event in
            var event = event
            let isMarked = count > 0 && Int(event.header.position) % count == count / 2
            if isMarked { event.header.flags.insert(.simulated) }
            return event
        }
    }

    private func check(_ events: [RecordedEvent], _ name: String, rules: Rules = Rules()) throws {
        var state = LogState(rules: rules)
        var sums = EffectSums()
        // What a recorder that makes things up says of the machine, moves the walker's time.
        let isMixed = events.contains { $0.header.flags.contains(.simulated) }
        var sessions: [Position: SessionSums] = [:]
        var series: SessionSeries?
        for event in events {
            let position = event.header.position
            if event.event.kind == .sessionStarted, series?.isOpen != true {
                series = SessionSeries(of: position, event.header.provenance, after: state)
            }
            try event.withView { series?.evolve($0) }
            let effects = try state.evolve(event)
            sums.add(effects, at: position, "\(name), \(position)")
            guard !isMixed, let session = effects.session.session else { continue }
            sessions[session, default: SessionSums()].add(effects.session)
        }
        for session in state.sources.flatMap(\.sessions.all) {
            sessions[session.position]?.check(session, rules, "\(name), \(session.position)")
        }
        if !isMixed, let series, let session = state.session(series.session) {
            let hearts = session.readings.heartRate
            #expect(UInt64(series.samples.count) == hearts.samples, "\(name)")
            #expect(series.samples.reduce(0) { $0 + UInt64($1.bpm) } == hearts.sum, "\(name)")
            #expect(UInt64(series.points.count) == session.route.fixes, "\(name)")
            var told: [String: UInt64] = [:]
            for interval in series.intervals {
                told[interval.kind.rawValue, default: 0] +=
                    interval.endMilliseconds - interval.startMilliseconds
            }
            #expect(told == session.accounting.parts.filter { $0.key != "fresh" }, "\(name)")
        }
        let own = state.own
        #expect(sums.findings == state.findings, "\(name)")
        #expect(sums.current == own.steps.current?.date, "\(name)")
        #expect(sums.next == own.steps.nextReading, "\(name)")
        for day in own.steps.days {
            let figures = [
                day.displayed, day.corrected, day.pedometerSteps, day.coveredSteps,
                day.setAsideCount,
            ]
            #expect(sums.dates[day.date] ?? EffectSums.blank == figures, "\(name), \(day.date)")
        }
        #expect(sums.dates.keys.allSatisfy { own.steps[$0] != nil }, "\(name)")
        let walked = own.sessions.all
        #expect(sums.goals == Set(walked.compactMap(\.goalReachedPosition)), "\(name)")
        #expect(sums.turns == Set(walked.compactMap(\.turnAroundPosition)), "\(name)")
        for device in own.devices.all {
            #expect(sums.factors[device.id] ?? 1 == device.link.delivery.factor, "\(name)")
        }
    }

    @Test("add up to the state, on random logs", arguments: sample(0..<60, 4))
    func sums(seed: Int) throws {
        var rules = Rules()
        rules.coverUnheard = seed % 3 != 1
        rules.carryOverlap = seed % 4 == 1
        rules.countImplausible = seed % 7 == 5
        let walk = try RandomWalk.tape(seed: seed, steps: 300, rules: rules).recorded
        try check(marked(walk, oneIn: seed % 9), "walk \(seed)", rules: rules)
        var hostile = HostileLog(seed: UInt64(seed))
        let strange = (0..<600).map { _ in hostile.next() }
        try check(marked(strange, oneIn: seed % 2 * 11), "hostile \(seed)", rules: rules)
        var quiet = QuietLog(seed: UInt64(seed))
        try check((0..<900).map { _ in quiet.next() }, "quiet \(seed)", rules: rules)
        let copied = try Walk(seed: UInt64(seed)).tape(factor: 1 + seed % 4, seed: 0)
        try check(copied.tape.recorded, "copied \(seed)")
    }
}
