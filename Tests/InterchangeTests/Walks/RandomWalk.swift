import Events
import Interchange
import Projections
import TestSupport

/// A walk that a seed gives: with and without heart rate, intervals, places, steps and pauses.
struct RandomWalk {
    private(set) var facts = WalkFacts()
    private var random: SeededGenerator
    private var time: Int64 = 0

    init(seed: UInt64, seconds: UInt64? = nil) {
        random = SeededGenerator(seed: seed)
        let start = 946_684_800_000 + Int64(random.below(1_000_000_000_000))
        time = start
        facts.offsetMinutes = Int64(random.below(105)) * 15 - 720
        facts.add(.began, at: time)
        walk(for: seconds.map { $0 * 1_000 } ?? 1_000 + random.below(900_000))
        facts.add(.ended, at: time)
    }

    private mutating func walk(for milliseconds: UInt64) {
        let hasHeart = random.chance(85)
        let hasIntervals = random.chance(70)
        let hasPlace = random.chance(60)
        let hasHeights = random.chance(70)
        let hasSteps = random.chance(75)
        let hasDistance = random.chance(50)
        let pace = [1_000, 1_000, 1_000, 100, 250, 3_000][Int(random.below(6))] as UInt64
        let end = time + Int64(milliseconds)
        var (north, east) = (Int64(random.below(1_600_000_000)), Int64(random.below(3_600_000_000)))
        var (steps, millimetres): (UInt64, UInt64) = (0, 0)
        var isPaused = false
        var strideAt = time
        if hasSteps {
            facts.add(.walked(steps: 0, distanceMillimetres: hasDistance ? 0 : nil), at: time)
        }
        while time < end {
            time += Int64(pace + random.below(max(1, pace / 20)))
            if random.below(200) == 0 {
                facts.add(isPaused ? .resumed : .paused, at: time)
                isPaused.toggle()
            }
            if random.below(300) == 0 {
                facts.add(.mark(["", "Bridge", "Überführung 🌉"][Int(random.below(3))]), at: time)
            }
            if random.below(400) == 0 { time += Int64(random.below(60_000)) }
            if hasHeart { addHeart(hasIntervals) }
            if hasPlace {
                north += Int64(random.below(300)) - 100
                east += Int64(random.below(300)) - 100
                addPlace(north - 800_000_000, east - 1_800_000_000, hasHeights)
            }
            let passed = UInt64(time - strideAt)
            if hasSteps, passed >= 1_000 {
                strideAt = time
                let some = random.below(passed * 3 / 1_000 + 1)
                steps += some
                millimetres += some * 700 + random.below(5)
                facts.add(
                    .walked(steps: steps, distanceMillimetres: hasDistance ? millimetres : nil),
                    at: time)
            }
        }
    }

    private mutating func addHeart(_ hasIntervals: Bool) {
        let rare: [UInt16] = [0, 254, 255, 256, 300]
        let bpm =
            random.below(100) == 0 ? rare[Int(random.below(5))] : UInt16(60 + random.below(100))
        let count = hasIntervals ? random.below(random.below(50) == 0 ? 20 : 4) : 0
        let ticks = (0..<count).map { _ in
            random.below(100) == 0
                ? UInt16(random.below(65_536)) : UInt16(300 + random.below(900))
        }
        let odd: [UInt16] = random.below(200) == 0 ? [0, 65_535] : []
        facts.add(.heartRate(bpm, rrTicks: ticks + odd), at: time)
    }

    private mutating func addPlace(_ north: Int64, _ east: Int64, _ hasHeight: Bool) {
        guard random.below(10) > 0 else { return }
        let height = hasHeight ? Int64(random.below(3_000)) + 100_000 : nil
        facts.add(
            .position(
                PositionFixed(north: north, east: min(east, 1_799_999_990), height: height)),
            at: time)
    }
}

extension WalkFacts {
    /// The walks that the folds make of what was read.
    func walks() -> [WalkFile] {
        let batch = events(of: importedFile)
        var state = LogState()
        var open: [SessionSeries] = []
        for index in 0..<batch.count {
            batch.withEvent(at: index) { event in
                if event.header.kind == .sessionStarted {
                    open.append(SessionSeries(of: event.header.position, .walked, after: state))
                }
                for index in open.indices { open[index].evolve(event) }
                state.evolve(event)
            }
        }
        return open.compactMap { series in
            state.sessionReport(series.session, at: state.lastMoment).map { WalkFile($0, series) }
        }
    }
}
