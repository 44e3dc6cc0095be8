import Events
import Projections
import TestSupport

/// What happens in a number of hours; all of it follows from the seed.
struct History {
    /// What it was made from; also what is random while it is played.
    var seed: UInt64
    var hours: UInt64
    var acts: [TimedAct]
    /// When the strap is worn, if that begins and ends the walks; else nil.
    private(set) var worn: [Range<UInt64>]?

    /// Makes a history of walks, with nights and days between them.
    ///
    /// - Parameters:
    ///   - seed: What it is made from.
    ///   - hours: How long it is.
    init(seed: UInt64, hours: UInt64) {
        (self.seed, self.hours) = (seed, hours)
        var writer = HistoryWriter(seed: seed, endsAt: hours * 3_600_000)
        acts = writer.write()
    }

    /// Makes a history of walks that are recorded by themselves.
    init(wornSeed seed: UInt64, hours: UInt64) {
        let day = WornDay(seed: seed, endsAt: hours * 3_600_000)
        self.init(seed: seed, hours: hours, day.acts)
        worn = day.worn
    }

    /// Makes a history of what is to happen.
    init(seed: UInt64, hours: UInt64, _ acts: [TimedAct]) {
        (self.seed, self.hours, self.acts) = (seed, hours, acts)
    }
}

extension History: CustomStringConvertible {
    var description: String {
        (["seed \(seed), \(hours) h"] + acts.map(\.description)).joined(separator: "\n")
    }
}

/// Makes a history up.
private struct HistoryWriter {
    private var generator: SeededGenerator
    private let end: UInt64
    private var now: UInt64 = 60_000
    private var acts: [TimedAct] = []
    /// What the health store has counted today.
    private var healthSteps: UInt64 = 0

    init(seed: UInt64, endsAt end: UInt64) {
        generator = SeededGenerator(seed: seed)
        self.end = end
    }

    mutating func write() -> [TimedAct] {
        while now < end {
            walk()
            rest()
        }
        return acts
    }

    private mutating func add(_ act: Act) { acts.append(TimedAct(at: now, act: act)) }

    private mutating func pass(atMost milliseconds: UInt64) {
        now += 1 + generator.below(milliseconds)
    }

    private mutating func walk() {
        prepare()
        add(.record(sessionStart()))
        let troubles = generator.below(12)
        for _ in 0..<troubles {
            pass(atMost: generator.chance(20) ? 3_000 : 60_000)
            add(trouble())
            if generator.chance(8) { calm() }
        }
        if generator.chance(60) { calm() }
        let hurry = generator.below(10)
        switch hurry {
        case 0...4: add(.press(.end))
        case 5: add(.interrupt)
        case 6: add(.terminate)
        case 7: add(.kill)
        case 8: add(losePower(20_000 + generator.below(600_000)))
        default: add(.command(.end()))
        }
        // Somebody may go on within a minute.
        guard hurry < 5 || generator.chance(50) else { return }
        pass(atMost: 90_000)
        add(.endAll)
    }

    /// Somebody has another strap than before, or nothing is switched on yet.
    private mutating func prepare() {
        if generator.chance(25) {
            for strap in 0..<2 {
                add(.forget(strap: strap))
                pass(atMost: 2_000)
            }
        }
        if generator.chance(20) {
            add(.prepare(milliseconds: 10_000 + generator.below(600_000)))
            pass(atMost: 30_000)
        }
        guard generator.chance(35) else { return }
        let acts: [[Act]] = [
            [.power(false)], [.plug(false)], [.daemon(isUp: false)], [.mood(.notifyFails)],
            (0..<2).map { .range(strap: $0, isIn: false) },
            (0..<2).map { .weaken(strap: $0, attempts: 4) },
        ]
        for act in acts.randomElement(using: &generator) ?? [] { add(act) }
    }

    /// Everything is well, for long enough that values come again.
    private mutating func calm() {
        pass(atMost: 5_000)
        add(.heal)
        now += 200_000
        guard generator.chance(25) else { return }
        add(.cyclePower(downMilliseconds: 1_000 + generator.below(10_000)))
        now += 30_000
    }

    /// Between two walks.
    private mutating func rest() {
        pass(atMost: 60_000)
        if generator.chance(90) { add(.endAll) }
        for _ in 0..<generator.below(6) {
            pass(atMost: generator.chance(15) ? 10_000 : 3 * 3_600_000)
            switch generator.below(8) {
            case 0: add(health())
            case 1:
                add(.travel(minutesEast: [-480, -210, 0, 60, 345, 780][Int(generator.below(6))]))
            case 2: add(setClock())
            case 3: add(losePower(generator.below(3_600_000)))
            case 4: add(.sleep(milliseconds: generator.below(8 * 3_600_000)))
            default: add(.command(command()))
            }
        }
        pass(atMost: 40 * 3_600_000)
        add(.setClock(byMilliseconds: 0, isTrusted: true))
    }

    private mutating func sessionStart() -> SessionStart {
        let kind = [GoalKind.none, .none, .steps, .duration, .distance, .daily][
            Int(generator.below(6))]
        let target: UInt64 =
            switch kind {
            case .none, .daily: 0
            case .steps: 100 + generator.below(3_000)
            case .distance: 100_000 + generator.below(2_000_000)
            case .duration: 60_000 + generator.below(600_000)
            }
        return SessionStart(
            goal: Goal(kind: kind, target: target), waitsForStrap: generator.chance(30),
            endsOpenSession: generator.chance(30), isWatched: generator.chance(50),
            durationMilliseconds: generator.chance(15) ? 60_000 + generator.below(600_000) : nil,
            strap: generator.chance(20) ? Int(generator.below(2)) : nil,
            frontPauseMilliseconds: generator.chance(10) ? generator.below(20_000) : 0)
    }

    private mutating func trouble() -> Act {
        let strap = Int(generator.below(3))
        switch generator.below(36) {
        case 0...2: return .press(.pause)
        case 3...5: return .press(.resume)
        case 6: return .press(Act.Key.allCases.randomElement(using: &generator) ?? .mark)
        case 7, 8: return .command(command())
        case 33: return leave()
        case 34, 35: return .copies(strap: strap, generator.chance(70))
        case 9: return generator.chance(50) ? .forget(strap: strap) : .pair(strap: strap)
        case 10: return health()
        case 11: return .kill
        case 12: return .record(sessionStart())
        case 13: return losePower(20_000 + generator.below(120_000))
        case 14: return .sleep(milliseconds: generator.below(1_200_000))
        case 15: return setClock()
        case 16:
            return .disk(
                generator.chance(70) ? .full : .failing(isWritten: generator.chance(50)))
        case 17: return .disk(.well)
        case 18: return .slowDisk(syncMilliseconds: 1 + generator.below(4_000))
        case 19: return .holdWriter(milliseconds: generator.below(20_000))
        case 20: return .daemon(isUp: generator.chance(50))
        case 21: return otherPrograms(strap)
        case 22: return .power(generator.chance(50))
        case 23: return .plug(generator.chance(50))
        case 24, 25: return .range(strap: strap, isIn: generator.chance(50))
        case 26: return .dropLink(strap: strap)
        case 30, 31: return .weaken(strap: strap, attempts: 1 + Int(generator.below(6)))
        case 32: return .loseBus
        case 27: return .contact(strap: strap, generator.chance(50))
        case 28:
            return generator.chance(80)
                ? .illFormed(strap: strap)
                : .flood(strap: strap, count: generator.chance(50) ? 70_000 : 2_000)
        default: return .mood(Bluetooth.Mood.allCases.randomElement(using: &generator) ?? .denied)
        }
    }

    private mutating func losePower(_ down: UInt64) -> Act {
        .losePower(downMilliseconds: down, losesClock: generator.chance(30))
    }

    private mutating func leave() -> Act {
        let key = [Act.Key.pause, .resume, .mark, .refresh][Int(generator.below(4))]
        return .leave(key, afterMilliseconds: generator.below(20))
    }

    /// What others on this machine do to bluetoothd and its bus.
    private mutating func otherPrograms(_ strap: Int) -> Act {
        switch generator.below(3) {
        case 0: .restartDaemon
        case 1: .remove(strap: strap)
        default: .stopScan
        }
    }

    private mutating func command() -> Command {
        switch generator.below(8) {
        case 0: .pause
        case 1: .resume
        case 2: .end()
        case 3: .mark("here")
        case 4, 5: .refresh()
        case 6: .setProfile(Profile(dailyGoalSteps: 1_000 + generator.below(9_000)))
        default: .readClocks
        }
    }

    private mutating func health() -> Act {
        if generator.chance(20) { healthSteps = 0 }
        healthSteps += generator.below(1_500)
        let isWild = generator.chance(5)
        return .health(
            steps: isWild ? 200_001 + generator.below(1 << 29) : healthSteps,
            ageMilliseconds: Int64(generator.below(3_600_000)))
    }

    private mutating func setClock() -> Act {
        let hours = Int64(generator.below(60)) - 30
        return .setClock(
            byMilliseconds: generator.chance(50) ? hours * 3_600_000 : hours * 1_000,
            isTrusted: generator.chance(70))
    }
}
