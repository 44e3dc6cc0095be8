import Events
import Projections
import Testing

@Suite("Steps of the day under random histories")
struct DayStepsPropertyTests {
    /// T1 to T7 as a person would write them down: one list of facts per date, added up anew.
    ///
    /// Another style on purpose: it keeps everything, and computes the count from the beginning.
    private struct NaiveDay {
        enum Fact {
            case steps(UInt64)
            case reconcile(health: UInt64?, persisted: UInt64?)
        }

        var facts: [Fact] = []

        var displayed: UInt64 {
            var shown: UInt64 = 0
            for fact in facts {
                switch fact {
                case .steps(let steps): shown += steps
                case .reconcile(let health, let persisted):
                    shown = [shown, health ?? 0, persisted ?? 0].max() ?? 0
                }
            }
            return shown
        }
    }

    private struct NaiveModel {
        var days: [CivilDate: NaiveDay] = [:]
        var date: CivilDate?
        var counter: UInt64?
        var isNewStream = false
        var isUnheard = false
        /// A total won while nobody listened: it holds what the next reading would add.
        var coveredByTotal = false
        var legacy: [CivilDate: UInt64] = [:]
        var reported: [CivilDate: UInt64] = [:]

        mutating func arrive(on today: CivilDate) {
            guard date.map({ today > $0 }) ?? true else { return }
            isNewStream = date != nil && counter != nil
            coveredByTotal = false
            date = today
            days[today] = NaiveDay()
        }

        mutating func read(_ count: UInt64, on today: CivilDate) {
            arrive(on: today)
            let before = counter
            counter = count
            defer {
                isNewStream = false
                isUnheard = false
                coveredByTotal = false
            }
            guard let before, let date else { return }
            let isRestart = count < before
            let walked = isRestart ? count : count - before
            if coveredByTotal || isNewStream && !isRestart { return }
            days[date]?.facts.append(.steps(walked))
        }

        mutating func reconcile(health: UInt64?, on today: CivilDate) {
            arrive(on: today)
            guard let date else { return }
            if let health { reported[date] = max(reported[date] ?? 0, health) }
            let total = reported[date]
            let before = days[date]?.displayed ?? 0
            days[date]?.facts.append(.reconcile(health: total, persisted: legacy[date]))
            let won = total.map { $0 > before && $0 >= legacy[date] ?? 0 } ?? false
            if won && isUnheard { coveredByTotal = true }
        }
    }

    private func step(
        _ tape: inout Tape, _ model: inout NaiveModel, _ counter: inout UInt64,
        _ random: inout SeededGenerator
    ) throws {
        tape.wait(random.below(random.below(12) == 0 ? 9 * 3_600_000 : 30_000))
        func today() -> CivilDate { tape.live.localDate(at: tape.moment) ?? .epoch }
        switch random.below(16) {
        case 0:
            let total = random.below(2) == 0 ? tape.today + random.below(300) : random.below(4_000)
            try tape.command(.healthTotal(total))
            model.reconcile(health: total, on: today())
        case 1:
            let triggers = [Trigger.manual, .foreground, .start]
            try tape.command(.refresh(triggers[Int(random.below(3))]))
            model.reconcile(health: nil, on: today())
        case 2:
            counter = random.below(40)
            tape.count(counter)
            model.read(counter, on: today())
        case 3:
            try tape.command(
                .startRecorder(
                    programVersion: "1",
                    zoneOffsetMinutes: tape.live.recorder.zoneOffsetMinutes, zoneName: ""))
            if model.counter != nil { model.isUnheard = true }
        case 4:
            let offset = Int64(random.below(27)) * 60 - 720
            try tape.command(.setZone(offsetMinutes: offset, name: ""))
        case 5:
            let total = random.below(3_000)
            try tape.command(.legacyTotal(total, date: today()))
            model.arrive(on: today())
            model.legacy[today()] = max(model.legacy[today()] ?? 0, total)
        case 6:
            // The wall clock steps back, by up to two hours.
            tape.wallMilliseconds -= Int64(random.below(7_200_000))
        case 7:
            let isOpen = tape.live.sessions.open != nil
            try tape.command(isOpen ? .end() : .start())
        default:
            counter += random.below(30)
            tape.count(counter)
            model.read(counter, on: today())
        }
    }

    @Test("T1 to T7: never falls within a day and equals the naive model", arguments: 0..<300)
    func agreesWithModel(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var tape = Tape()
        var model = NaiveModel()
        var counter = random.below(10_000)
        var shown: [CivilDate: UInt64] = [:]
        for index in 0..<150 {
            try step(&tape, &model, &counter, &random)
            for day in tape.state.dayReports() {
                let before = shown[day.date] ?? 0
                #expect(day.displayed >= before, "seed \(seed), step \(index)")
                shown[day.date] = day.displayed
                #expect(
                    day.displayed == model.days[day.date]?.displayed,
                    "seed \(seed), step \(index), \(day.date)")
            }
        }
        #expect(tape.state.findings.total == 0)
        let dates = tape.state.dayReports().map(\.date)
        #expect(dates == dates.sorted())
        #expect(Set(dates) == Set(model.days.keys), "seed \(seed)")
    }

    @Test("S8: session steps do not depend on the day's", arguments: 0..<50)
    func sessionStepsAreIndependent(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var plain = Tape()
        var busy = Tape()
        var counter: UInt64 = 0
        plain.count(0)
        busy.count(0)
        try plain.command(.start())
        try busy.command(.start())
        for _ in 0..<100 {
            let wait = random.below(3_600_000)
            plain.wait(wait)
            busy.wait(wait)
            switch random.below(4) {
            case 0: try busy.command(.healthTotal(random.below(10_000)))
            case 1: try busy.command(.refresh())
            default: break
            }
            counter += random.below(100)
            plain.count(counter)
            busy.count(counter)
        }
        #expect(plain.session.steps == counter, "seed \(seed)")
        #expect(busy.session.steps == counter, "seed \(seed)")
    }
}
