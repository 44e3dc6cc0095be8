import Events
import Projections
import TestSelection
import TestSupport
import Testing

@Suite("A session's distance")
struct DistanceTests {
    /// A height of 2 m makes a step 830 mm.
    private func tape() throws -> Tape {
        var tape = Tape()
        try tape.command(.setProfile(Profile(heightMillimetres: 2_000)))
        return tape
    }

    @Test("S9: a foot pod that tells its distance in every second packet counts no metre twice")
    func everySecondPacket() throws {
        var tape = try tape()
        let device = RandomWalk.pod
        // Flags, speed, cadence 120, then the total distance in decimetres.
        func value(_ decimetres: UInt8?) -> [UInt8] {
            guard let decimetres else { return [0, 0, 1, 120] }
            return [2, 0, 1, 120, decimetres, 0, 0, 0]
        }
        tape.pedometerValue(.runningSpeedCadenceMeasurement, value(0), device: device)
        try tape.command(.start())
        for second in 1...10 {
            tape.wait(1_000)
            let decimetres = second.isMultiple(of: 2) ? UInt8(second * 10) : nil
            tape.pedometerValue(
                .runningSpeedCadenceMeasurement, value(decimetres), device: device)
        }
        #expect(tape.session.steps == 20)
        #expect(tape.session.distanceMillimetres == 10_000)
    }

    @Test("S9: what the stride added is not taken back where the pedometer says less")
    func lessThanStride() throws {
        var tape = try tape()
        tape.count(0, distance: 0)
        try tape.command(.start())
        tape.count(10, after: 1_000)
        #expect(tape.session.distanceMillimetres == 8_300)
        tape.count(10, distance: 5_000, after: 1_000)
        #expect(tape.session.distanceMillimetres == 8_300)
        #expect(tape.session.distanceSource == .stride)
        tape.count(20, distance: 12_000, after: 1_000)
        #expect(tape.session.distanceMillimetres == 15_300)
    }

    @Test("S8, S9: the distance of a pause does not count, though its end tells it")
    func pause() throws {
        var tape = try tape()
        tape.count(0, distance: 0)
        try tape.command(.start())
        tape.count(10, distance: 7_000, after: 2_000)
        try tape.command(.pause)
        tape.count(20, after: 2_000)
        try tape.command(.resume)
        tape.count(30, distance: 21_000, after: 2_000)
        // Ten steps by the pedometer, ten by the stride: its 14 m are the pause's as well.
        #expect(tape.session.steps == 20)
        #expect(tape.session.distanceMillimetres == 7_000 + 8_300)
        tape.count(40, distance: 28_000, after: 2_000)
        #expect(tape.session.distanceMillimetres == 14_000 + 8_300)
    }

    @Test("S8, S9: the distance before the session does not count")
    func beforeTheStart() throws {
        var tape = try tape()
        tape.count(0, distance: 0)
        tape.count(10, after: 1_000)
        try tape.command(.start())
        tape.count(20, distance: 14_000, after: 1_000)
        #expect(tape.session.distanceMillimetres == 8_300)
    }

    @Test("S9: what nobody comes in the time is set aside: 15 m/s, and 30 m for late readings")
    func farthest() throws {
        var tape = try Tape.walking()
        tape.count(0, distance: 0)
        tape.count(10, distance: 45_000, after: 1_000)
        #expect(tape.session.excludedDistances == 0 && tape.session.distanceMillimetres == 45_000)
        tape.count(20, distance: 90_001, after: 1_000)
        #expect(tape.session.excludedDistances == 1)
    }

    /// Readings of one pedometer and pauses, and the distance worked out by looking back.
    private struct Walked {
        var readings: [(steps: UInt64, distance: UInt64?, isPaused: Bool)] = []

        /// From one distance to the next the greater of the pedometer's metres and the stride's;
        /// before the first and after the last the stride's.
        var millimetres: UInt64 {
            var sum: UInt64 = 0
            var since: (index: Int, distance: UInt64)?
            for (index, reading) in readings.enumerated() {
                // A pause begins the stream anew, from its last reading.
                if reading.isPaused || index == 0 {
                    if let since { sum += stride(from: since.index, to: index - 1) }
                    since = nil
                }
                guard let distance = reading.distance else {
                    if since == nil { since = (index, .max) }
                    continue
                }
                if let since {
                    let isKnown = since.distance <= distance
                    sum +=
                        isKnown
                        ? max(
                            distance - since.distance, stride(from: since.index, to: index - 1))
                        : stride(from: since.index, to: index)
                }
                since = (index, distance)
            }
            if let since { sum += stride(from: since.index, to: readings.count - 1) }
            return sum
        }

        private func stride(from first: Int, to last: Int) -> UInt64 {
            last < first ? 0 : (readings[last].steps - readings[first].steps) * 830
        }
    }

    @Test("S9: any pattern of presence agrees with looking back", arguments: sample(0..<200, 20))
    func agreesWithLookingBack(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var tape = try tape()
        var walked = Walked()
        var (steps, distance): (UInt64, UInt64) = (100, 50_000)
        var isPaused = false
        let presence = 1 + random.below(6)
        for index in 0..<80 {
            if index > 0 {
                tape.wait(1_000)
                let made = random.below(4)
                steps += made
                distance += made * (700 + random.below(260))
            }
            if index == 1 { try tape.command(.start()) }
            let restarts = random.below(40) == 0
            if restarts { distance = 0 }
            let shown = random.below(presence) == 0 ? distance : nil
            tape.count(steps, distance: shown)
            walked.readings.append((steps, shown, isPaused))
            if index > 1, random.below(12) == 0 {
                isPaused.toggle()
                try tape.command(isPaused ? .pause : .resume)
            }
            guard index > 0 else { continue }
            try #require(
                tape.session.distanceMillimetres == walked.millimetres,
                "seed \(seed), reading \(index)")
        }
    }
}
