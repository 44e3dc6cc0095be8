import Clocks
import Events
import Projections
import TestSupport

/// A day on which walks are recorded by themselves: when the strap is worn, and what recorder,
/// machine and strap go through meanwhile.
struct WornDay {
    private(set) var acts: [TimedAct] = []
    /// When the strap is worn, in milliseconds since the beginning.
    private(set) var worn: [Range<UInt64>] = []

    private var generator: SeededGenerator
    private var now: UInt64 = 60_000
    private var isInRange = true

    /// How many times as long as on the shortest day the strap is off: a whole day has a few walks.
    private var stretch: UInt64

    private static let minute: UInt64 = 60_000

    init(seed: UInt64, endsAt end: UInt64) {
        generator = SeededGenerator(seed: seed)
        stretch = max(1, end / (4 * 60 * Self.minute))
        for other in 1...2 { add(.range(strap: other, isIn: false)) }
        takeOff()
        add(Self.record)
        while true {
            let before = self
            rest()
            wear()
            // The last walk has time to end.
            guard now + 20 * Self.minute < end else {
                self = before
                break
            }
        }
    }

    private static let record = Act.record(
        SessionStart(
            goal: Goal(), waitsForStrap: false, endsOpenSession: false, isWatched: false,
            durationMilliseconds: nil, strap: nil, frontPauseMilliseconds: 0, isHandsFree: true))

    private mutating func add(_ act: Act) { acts.append(TimedAct(at: now, act: act)) }

    private mutating func pass(_ minutes: ClosedRange<UInt64>) {
        now +=
            Self.minute * minutes.lowerBound
            + generator.below((minutes.upperBound - minutes.lowerBound) * Self.minute + 1)
    }

    /// Many straps are silent without contact, and others say so.
    private mutating func takeOff() {
        isInRange = generator.chance(50)
        add(isInRange ? .contact(strap: 0, false) : .range(strap: 0, isIn: false))
    }

    private mutating func putOn() {
        if !isInRange { add(.range(strap: 0, isIn: true)) }
        add(.contact(strap: 0, true))
    }

    private mutating func rest() {
        pass(8...40)
        if stretch > 1 {
            // No strap sends for hours on a table.
            if isInRange { add(.range(strap: 0, isIn: false)) }
            isInRange = false
            pass(0...120 * stretch)
        }
        for _ in 0..<generator.below(3) {
            switch generator.below(4) {
            case 0:
                let asleep = generator.below(120 * Self.minute)
                add(.sleep(milliseconds: asleep))
                now += asleep
            case 1: add(.restartDaemon)
            default: restart()
            }
            pass(8...30)
        }
    }

    private mutating func wear() {
        putOn()
        var began = now
        pass(4...9)
        for _ in 0..<generator.below(4) {
            switch generator.below(9) {
            case 0:
                takeOff()
                now += generator.below(2 * Self.minute)
                putOn()
            case 1: add(.dropLink(strap: 0))
            case 2: add(.restartDaemon)
            case 3: add(.copies(strap: 0, generator.chance(50)))
            case 4:
                // While the machine sleeps for long nobody walks: another walk follows.
                worn.append(began..<now)
                let asleep = (6 + generator.below(60)) * Self.minute
                add(.sleep(milliseconds: asleep))
                now += asleep
                began = now
            case 5:
                // Nobody listens for the strap meanwhile, and the walk goes on.
                add(.command(.pause))
                pass(6...20)
                add(.command(.resume))
            case 6:
                // As long as the strap stays on, nothing begins after it.
                add(.command(.end()))
                worn.append(began..<now)
                pass(1...9)
                takeOff()
                pass(2...8)
                putOn()
                began = now
            default: restart()
            }
            pass(4...9)
        }
        takeOff()
        worn.append(began..<now)
    }

    /// The recorder ends in any way but by Ctrl-C, and begins again.
    private mutating func restart() {
        switch generator.below(3) {
        case 0: add(.terminate)
        case 1: add(.kill)
        default:
            let down = 20_000 + generator.below(Self.minute)
            add(.losePower(downMilliseconds: down, losesClock: false))
            now += down
        }
        now += 15_000 + generator.below(Self.minute)
        add(Self.record)
    }
}

extension World {
    /// How long a strap that is worn may take to begin a walk.
    private static let beginningMilliseconds = recoveryMilliseconds
    /// How long after it was taken off a walk may end.
    private static let offMilliseconds: UInt64 = 6 * 60_000 + recoveryMilliseconds

    /// Each time that the strap was worn became a walk, and nothing else did.
    func checkWalks(_ worn: [Range<UInt64>]) {
        let sessions = witness.state.own.sessions
        // Nobody sets the clock on such a day.
        let origin = computer.arrival().wallMilliseconds - Int64(timeline.now)
        let walks = sessions.ended.map { session in
            let ends = [session.startedAt, session.endedAt ?? session.startedAt]
            return ends.map { UInt64(clamping: $0.wallMilliseconds - origin) }
        }
        if sessions.open != nil || walks.count != worn.count {
            let open = sessions.open == nil ? "" : ", and one is open"
            return witness.complain(
                .worn, "\(worn.count) times worn, and \(walks.count) walks have ended\(open)")
        }
        for (times, walk) in zip(worn, walks) {
            let begins = times.lowerBound...(times.lowerBound + Self.beginningMilliseconds)
            let ends = (times.upperBound - 2_000)...(times.upperBound + Self.offMilliseconds)
            if !begins.contains(walk[0]) || !ends.contains(walk[1]) {
                witness.complain(.worn, "worn \(times), and the walk was \(walk)")
            }
        }
    }
}
