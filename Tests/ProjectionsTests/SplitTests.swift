import Events
import TestSelection
import TestSupport
import Testing

@testable import Projections

@Suite("The splits of a session")
struct SplitTests {
    /// A session in which a pedometer tells steps and metres each 10 s.
    private func walk(
        _ readings: [(steps: UInt64, metres: UInt64)], then: (inout Tape) throws -> Void = { _ in }
    ) throws -> SessionSeries {
        var tape = try Tape.walking(rules: .believing)
        tape.count(0, distance: 0)
        for reading in readings {
            tape.count(reading.steps, distance: reading.metres * 1_000, after: 10_000)
        }
        try then(&tape)
        return try tape.series(rules: .believing)
    }

    @Test("are of 1 km each, and of what is left at the end if that is 10 m or more")
    func lengths() throws {
        let vectors: [(metres: UInt64, lengths: [UInt64])] = [
            (0, []), (9, []), (10, [10]), (999, [999]), (1_000, [1_000]), (1_009, [1_000]),
            (1_010, [1_000, 10]), (2_500, [1_000, 1_000, 500]),
        ]
        for (metres, lengths) in vectors {
            let splits = try walk([(0, 0), (metres, metres)]).splits
            #expect(
                splits.map(\.distanceMillimetres) == lengths.map { $0 * 1_000 }, "\(metres) m")
        }
    }

    @Test("have their time and steps where the kilometre was reached, between two readings")
    func cut() throws {
        // From 600 m at 10 s to 1,400 m at 20 s; 1 km lies halfway.
        let splits = try walk([(800, 600), (1_600, 1_400), (2_000, 1_600)]).splits
        #expect(splits.map(\.activeMilliseconds) == [15_000, 15_000])
        #expect(splits.map(\.steps) == [1_200, 800])
        #expect(splits.map(\.startMilliseconds) == [0, 15_000])
        #expect(splits.map(\.endMilliseconds) == [15_000, 30_000])
    }

    @Test("tell a reading that comes late as several")
    func late() throws {
        let splits = try walk([(4_000, 4_000)]).splits
        #expect(splits.map(\.activeMilliseconds) == [2_500, 2_500, 2_500, 2_500])
    }

    @Test("laps are the walk cut where they ended, and add up to it")
    func laps() throws {
        let series = try walk([(500, 500)]) { tape in
            try tape.command(.lap())
            tape.count(800, distance: 900_000, after: 10_000)
            try tape.command(.pause)
            tape.wait(60_000)
            #expect(tape.refusal(of: .lap()) == .alreadyPaused)
            try tape.command(.resume)
            tape.count(800, distance: 900_000)
            try tape.command(.lap(.byDistance))
            tape.count(1_000, distance: 1_000_000, after: 10_000)
            try tape.command(.end(.requested))
        }
        #expect(series.laps.map(\.distanceMillimetres) == [500_000, 400_000, 100_000])
        #expect(series.laps.map(\.activeMilliseconds) == [10_000, 10_000, 10_000])
        #expect(series.laps.map(\.steps) == [500, 300, 200])
        #expect(try walk([(500, 500)]).laps.isEmpty)
    }

    @Test("leave out pauses")
    func pauses() throws {
        let splits = try walk([(500, 500)]) { tape in
            try tape.pause(for: 60_000)
            tape.count(500, distance: 500_000)
            tape.count(1_000, distance: 1_000_000, after: 10_000)
            try tape.command(.end(.requested))
        }.splits
        #expect(splits.map(\.activeMilliseconds) == [20_000])
        #expect(splits.map(\.endMilliseconds) == [80_000])
    }

    @Test("count a rest for the kilometre in which the walker sat")
    func rests() throws {
        // 999 m in 10 min, ten minutes on a bench, and then 999 m more.
        typealias Reading = (steps: UInt64, metres: UInt64)
        let there = (1...60).map { (minute: UInt64) -> Reading in (minute * 20, minute * 1665 / 100)
        }
        let bench = Array(repeating: Reading(1_200, 999), count: 60)
        let back = there.map { Reading(1_200 + $0.steps, 999 + $0.metres) }
        let splits = try walk(there + bench + back).splits
        #expect(splits.map(\.distanceMillimetres) == [1_000_000, 998_000])
        // The first reading after it is of 16 m: at an hour a kilometre 57.6 s before 20:10.
        #expect(splits[0].activeMilliseconds == 1_210_000 - 57_600 + 3_600)
        let apart = try walk(
            [(1_200, 999)],
            then: { tape in
                tape.count(1_201, distance: 1_001_000, after: 590_000)
            }
        ).splits
        #expect(apart.map(\.distanceMillimetres) == [1_000_000])
        // At an hour a kilometre two metres take 7.2 s.
        #expect(apart[0].activeMilliseconds == 600_000 - 3_600)
    }

    @Test("have the mean of the samples in their time, each once")
    func means() throws {
        var tape = try Tape.walking(rules: .believing)
        tape.count(0, distance: 0)
        for second in 0..<20 {
            tape.heart(second < 10 ? 100 : 120)
            tape.count(UInt64(second), distance: UInt64(second + 1) * 100_000, after: 1_000)
        }
        let splits = try tape.series(rules: .believing).splits
        #expect(splits.map { $0.mean?.description } == ["100.00", "120.00"])
        #expect(try walk([(1_000, 1_000)]).splits.map(\.mean) == [nil])
    }

    @Test("add up to the session, in time, steps and distance", arguments: sample(0..<200, 20))
    func addUp(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var tape = try Tape.walking(rules: .believing)
        var (steps, distance): (UInt64, UInt64) = (0, 0)
        tape.count(0, distance: 0)
        for _ in 0..<100 {
            switch random.below(20) {
            case 0: if tape.session.state == .running { try tape.command(.pause) }
            case 1...6: if tape.session.state == .paused { try tape.command(.resume) }
            default: break
            }
            tape.wait(random.below(30_000))
            steps += random.below(100)
            distance += random.below(random.below(10) == 0 ? 3_000_000 : 100_000)
            tape.count(steps, distance: distance)
            tape.heart(UInt16(60 + random.below(60)))
        }
        try tape.command(.end(.requested))
        let series = try tape.series(rules: .believing)
        let session = try #require(tape.state.own.sessions[0])
        for growth in [series.steps, series.distance] {
            let last = try #require(growth.readings.last)
            #expect(last.activeMilliseconds == session.accounting.activeMilliseconds)
            #expect(last.elapsedMilliseconds == session.accounting.elapsedMilliseconds)
            for (before, after) in zip(growth.readings, growth.readings.dropFirst()) {
                #expect(before.elapsedMilliseconds <= after.elapsedMilliseconds)
                #expect(before.activeMilliseconds <= after.activeMilliseconds)
                #expect(before.amount <= after.amount)
            }
        }
        #expect(series.steps.amount == session.steps)
        #expect(series.distance.amount == session.way.millimetres)
        let splits = series.splits
        let rest = series.distance.amount - splits.reduce(0) { $0 + $1.distanceMillimetres }
        #expect(rest < 10_000)
        for (before, after) in zip(splits, splits.dropFirst()) {
            #expect(before.endMilliseconds == after.startMilliseconds)
            #expect(before.distanceMillimetres == 1_000_000)
        }
        guard rest == 0, !splits.isEmpty else { return }
        #expect(splits.reduce(0) { $0 + $1.steps } == session.steps)
        #expect(
            splits.reduce(0) { $0 + $1.activeMilliseconds }
                == session.accounting.activeMilliseconds)
    }

    @Test("of a pedometer that lies are many, but not without end")
    func liar() throws {
        let splits = try walk([(1, 1 << 40)]).splits
        #expect(splits.count == 10_001)
        #expect(splits.dropLast().allSatisfy { $0.distanceMillimetres == 1_000_000 })
    }
}

@Suite("The marks of a session")
struct MarkTests {
    @Test("are its texts, and when they were set")
    func texts() throws {
        var tape = try Tape.walking()
        tape.wait(1_000)
        try tape.command(.mark("bridge"))
        tape.wait(500)
        try tape.command(.mark(""))
        let series = try tape.series(rules: .believing)
        #expect(series.marks.map(\.text) == ["bridge", ""])
        #expect(series.marks.map(\.elapsedMilliseconds) == [1_000, 1_500])
        #expect(
            series.marks.map { tape.recorded[Int($0.position)].event.kind }
                == [.sessionMarked, .sessionMarked])
    }
}
