import Events
import Testing

@testable import Projections

@Suite("The stretches of a session")
struct StretchTests {
    private func series(_ make: (inout Tape) throws -> Void) throws -> SessionSeries {
        var tape = try Tape.walking(rules: .believing)
        tape.count(0, distance: 0)
        try make(&tape)
        try tape.command(.end(.requested))
        return try tape.series(rules: .believing)
    }

    /// Two minutes of 120 steps and 75 m each minute.
    private func walk(_ tape: inout Tape, from first: UInt64) {
        for step in first..<first + 12 {
            tape.count((step + 1) * 20, distance: (step + 1) * 12_500, after: 10_000)
        }
    }

    @Test("have the pace and the cadence around them, and none of a pause")
    func paceAndCadence() throws {
        let series = try series { tape in
            walk(&tape, from: 0)
            try tape.pause(for: 60_000)
            tape.count(240, distance: 150_000)
            walk(&tape, from: 12)
        }
        let stretches = series.stretches
        #expect(series.stretchMilliseconds == 5_000 && stretches.count == 60)
        #expect(stretches.map(\.startMilliseconds) == (0..<60).map { $0 * 5_000 })
        for (index, stretch) in stretches.enumerated() {
            let isPaused = (24..<36).contains(index)
            #expect(stretch.isPaused == isPaused, "\(index)")
            #expect(stretch.paceMilliseconds == (isPaused ? nil : 800_000), "\(index)")
            #expect(stretch.cadence == (isPaused ? nil : Hundredths(value: 12_000)), "\(index)")
            #expect(stretch.altitudeMillimetres == nil)
        }
    }

    @Test("have no pace where nobody moved, and no cadence in a session without a step")
    func rest() throws {
        let series = try series { tape in
            walk(&tape, from: 0)
            tape.wait(180_000)
        }
        #expect(series.stretches.last?.paceMilliseconds == nil)
        #expect(series.stretches.last?.cadence == Hundredths(value: 0))
        let still = try self.series { $0.wait(20_000) }
        #expect(still.stretches.count == 4)
        #expect(still.stretches.allSatisfy { $0.cadence == nil && $0.paceMilliseconds == nil })
    }

    @Test("have the height between two points, but not over a break of the track")
    func heights() throws {
        let series = try series { tape in
            for step in 0..<3 as Range<Int64> {
                tape.fix(at: (480_000_000 + step * 2_000, 100_000_000), altitude: step * 4_000)
                tape.wait(20_000)
            }
            try tape.pause(for: 20_000)
            tape.wait(20_000)
            tape.fix(at: (480_006_000, 100_000_000), altitude: 20_000, lasting: 5_000)
        }
        #expect(
            series.stretches.map(\.altitudeMillimetres) == [
                0, 1_500, 2_500, 3_500, 4_000, 5_500, 6_500, 7_500, 8_000,
            ] + [Int64?](repeating: nil, count: 11) + [20_000])
    }

    @Test("are 300 at most, however long a session was", arguments: [1, 30, 299, 5_000])
    func most(minutes: UInt64) throws {
        let series = try series { $0.wait(minutes * 60_000) }
        #expect(series.stretches.count <= 300)
        #expect(
            UInt64(series.stretches.count) * series.stretchMilliseconds >= minutes * 60_000)
    }
}
