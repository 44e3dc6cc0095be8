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
            let ended = effects.ended.map { [$0.displayed, $0.corrected][...] }
            #expect(effects.ended?.date == current, "\(place)")
            #expect(ended == current.map { (dates[$0] ?? Self.blank).prefix(2) }, "\(place)")
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
        for event in events {
            let effects = try state.evolve(event)
            sums.add(effects, at: event.header.position, "\(name), \(event.header.position)")
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
        let sessions = own.sessions.all
        #expect(sums.goals == Set(sessions.compactMap(\.goalReachedPosition)), "\(name)")
        #expect(sums.turns == Set(sessions.compactMap(\.turnAroundPosition)), "\(name)")
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
        rules.dayBoundaryMinutes = seed % 5 == 4 ? 300 : 0
        let walk = try RandomWalk.tape(seed: seed, steps: 300, rules: rules).recorded
        try check(marked(walk, oneIn: seed % 9), "walk \(seed)", rules: rules)
        var hostile = HostileLog(seed: UInt64(seed))
        let strange = (0..<600).map { _ in hostile.next() }
        try check(marked(strange, oneIn: seed % 2 * 11), "hostile \(seed)", rules: rules)
        var quiet = QuietLog(seed: UInt64(seed))
        try check((0..<900).map { _ in quiet.next() }, "quiet \(seed)", rules: rules)
    }
}
