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
        // From here on the pedometer tells how far it is: its 14 m are the pause's as well.
        #expect(tape.session.steps == 20)
        #expect(tape.session.distanceMillimetres == 7_000)
        tape.count(40, distance: 28_000, after: 2_000)
        #expect(tape.session.distanceMillimetres == 14_000)
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

    /// A foot pod's value: speed in 1/256 m/s, cadence, stride in cm and total in dm.
    private func value(
        _ speed: UInt16, _ cadence: UInt8, stride: UInt8? = nil, total: UInt16? = nil
    ) -> [UInt8] {
        [
            (stride == nil ? 0 : 1) | (total == nil ? 0 : 2), UInt8(speed & 255), UInt8(speed >> 8),
            cadence,
        ]
            + (stride.map { [$0, 0] } ?? [])
            + (total.map { [UInt8($0 & 255), UInt8($0 >> 8), 0, 0] } ?? [])
    }

    /// What a minute of values, one a second, and of fixes, gives.
    private func minute(
        _ rules: Rules = Rules(), speed fixed: UInt64? = nil, _ value: (UInt16) -> [UInt8]?
    ) throws -> SessionReport {
        var tape = Tape(rules: rules)
        try tape.command(.setProfile(Profile(heightMillimetres: 1_800)))
        try tape.command(.start())
        for second: UInt16 in 0...60 {
            if let value = value(second) {
                tape.pedometerValue(
                    .runningSpeedCadenceMeasurement, value, device: RandomWalk.pod)
            }
            if let fixed { tape.fix(at: (Int64(fixed * UInt64(second)) * 90 / 1_000, 7)) }
            tape.wait(1_000)
        }
        try tape.command(.end(.requested))
        return tape.session
    }

    @Test("G1: each stretch has the best source that is there, moves and is not contradicted")
    func best() throws {
        typealias Row = (
            String, UInt64?, (UInt16) -> [UInt8]?, Session.DistanceSource, UInt64,
            [WayLength.Measure]
        )
        let rows: [Row] = [
            ("total", nil, { self.value(358, 110, total: $0 * 14) }, .pedometer, 84, []),
            (
                "a frozen total: the speed", nil, { _ in self.value(358, 110, total: 1_000) },
                .speed, 84, [.pedometer]
            ),
            ("a speed without a cadence", nil, { _ in self.value(640, 0) }, .speed, 150, []),
            ("a speed before fixes", 2_500, { _ in self.value(640, 85) }, .speed, 150, []),
            ("fixes before steps", 900, { _ in self.value(0, 110) }, .position, 54, []),
            (
                "a stride that is sent", nil, { _ in self.value(0, 100, stride: 60) }, .stride, 60,
                []
            ),
            (
                "a total in cm: speed and fixes agree", 1_400,
                { self.value(358, 110, total: $0 * 140) }, .mixed, 210, [.pedometer]
            ),
            (
                "a cadence that is mostly 0", nil,
                { self.value(358, $0 % 3 == 0 ? 55 : 0, total: $0 * 14) }, .pedometer, 84, [.steps]
            ),
            (
                "fixes that stand still", 0, { self.value(358, 110, total: $0 * 14) }, .pedometer,
                84, [.position]
            ),
            ("on the spot", 0, { _ in self.value(0, 110, total: 5) }, .pedometer, 0, [.steps]),
        ]
        for (name, fixed, value, source, metres, doubted) in rows {
            let session = try minute(speed: fixed, value)
            #expect(session.distanceSource == source, "\(name)")
            let off = Int(session.distanceMillimetres ?? 0) - Int(metres * 1_000)
            #expect(off.magnitude <= 10_000, "\(name): \(off)")
            #expect(session.way.comparison.doubtedMeasures == doubted, "\(name)")
        }
    }

    @Test("G1: steps are doubted where their length is not known as well")
    func withoutHeight() throws {
        var tape = try Tape.walking()
        for second: UInt16 in 0...30 {
            tape.pedometerValue(
                .runningSpeedCadenceMeasurement,
                value(358, second % 2 == 0 ? 0 : 55, total: second * 14), device: RandomWalk.pod)
            tape.wait(1_000)
        }
        try tape.command(.end(.requested))
        #expect(tape.session.way.comparison.doubtedMeasures == [.steps])
        #expect(tape.session.otherMeasures == [.speed])
    }

    @Test("G1: each part can be turned off")
    func whatIf() throws {
        func metres(_ rule: String, _ fixed: UInt64?, _ value: (UInt16) -> [UInt8]?) throws
            -> UInt64
        {
            let rules = try Rules(setting: rule)
            return (try minute(rules, speed: fixed, value).distanceMillimetres ?? 0) / 1_000
        }
        #expect(try metres("countPodSpeed=false", nil) { _ in value(640, 0) } == 0)
        #expect(
            (70...90).contains(try metres("stepsBeforePositions=true", 900) { _ in value(0, 110) }))
        #expect(try metres("doubtLengths=false", 1_400) { value(358, 110, total: $0 * 140) } > 800)
        var tape = try Tape.walking(rules: Rules(setting: "smoothWay=false"))
        for second: Int64 in 0...60 {
            let late = second % 2 * 3_000
            tape.fix(at: (second * 126, 7), fixedAt: tape.wallMilliseconds - late, lasting: 1_000)
        }
        #expect((83_000...85_000).contains(tape.session.distanceMillimetres ?? 0))
    }

    @Test("G5: the walker's own stride is measured where steps and positions agree, then used")
    func ownStride() throws {
        var tape = Tape()
        func walk(_ metres: Int64, fixes: Bool) throws {
            try tape.command(.start())
            for second in 0...metres {
                tape.count(UInt64(second) * 5 / 4 + 1_000 * UInt64(tape.session.position))
                if fixes { tape.fix(at: (second * 90, 7)) }
                tape.wait(1_000)
            }
            try tape.command(.end(.requested))
        }
        try walk(480, fixes: true)
        #expect(tape.own.stride.micrometres == nil)
        try walk(700, fixes: true)
        let stride = try #require(tape.own.stride.micrometres)
        #expect((780_000...820_000).contains(stride), "\(stride)")
        try walk(200, fixes: false)
        #expect(tape.session.distanceSource == .stride)
        #expect((195_000...205_000).contains(tape.session.distanceMillimetres ?? 0))
    }

    @Test(
        "G1: no way is lost and none counts twice, whatever drops out",
        arguments: sample(0..<10_000, 100))
    func againstTruth(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var tape = Tape()
        try tape.command(.setProfile(Profile(heightMillimetres: 1_687)))  // 700 mm a step
        let (hasPod, hasTotal, hasFixes) = (
            random.below(3) > 0, random.below(2) > 0, random.below(3) > 0
        )
        let late: Int64? = random.below(4) == 0 ? 200_000 : nil
        var (counter, jumps) = (pedometer, Int64(0))
        try tape.command(.start())
        var (walked, running, steps, isPaused) = (UInt64(0), UInt64(0), UInt64(0), false)
        var (podUntil, fixUntil, speed) = (0, 0, UInt64(1_400))
        var (shown, unknown, alone): (UInt64, UInt64, UInt64) = (0, 0, 0)
        for second in 0..<400 {
            if random.below(40) == 0 {
                speed = random.below(4) == 0 ? 0 : 700 * (1 + random.below(3))
            }
            if random.below(120) == 0 { podUntil = second + Int(random.below(60)) }
            if random.below(120) == 0 { fixUntil = second + Int(random.below(60)) }
            if second > 10, second < 390, random.below(90) == 0 {
                isPaused.toggle()
                try tape.command(isPaused ? .pause : .resume)
            }
            tape.wait(1_000)
            walked += speed
            let isHeard = !hasPod || second >= podUntil || hasFixes && second >= fixUntil
            if !isPaused { running += speed }
            if !isPaused, !isHeard { unknown += speed }
            // Fixes alone do not tell less than 21 m from noise, and less than 30 before a jump.
            let isAlone = !isPaused && hasPod && isHeard && second < podUntil
            let isJump = random.below(300) == 0
            if isJump { jumps += 1 }
            if !isAlone || isJump, alone <= (isJump ? 30_000 : 21_000) { unknown += alone }
            alone = isAlone ? (isJump ? 0 : alone) + speed : 0
            steps = walked / 700
            if !hasPod, random.below(80) == 0 {
                counter = counter == pedometer ? watch : pedometer
                tape.record(.pedometerChosen(PedometerChosen(device: counter)))
                if !isPaused { unknown += speed }
            }
            if !hasPod { tape.count(steps, device: counter) }
            if hasPod, second >= podUntil {
                let total = hasTotal ? UInt16(walked / 100) : nil
                tape.pedometerValue(
                    .runningSpeedCadenceMeasurement,
                    value(UInt16(speed * 256 / 1_000), UInt8(speed * 60 / 700), total: total),
                    device: RandomWalk.pod)
            }
            if hasFixes, second >= fixUntil {
                tape.fix(
                    at: (Int64(walked) * 9 / 100 + jumps * 500_000, 7),
                    fixedAt: late.map { tape.wallMilliseconds - $0 })
            }
            let millimetres = tape.session.distanceMillimetres ?? 0
            #expect(millimetres >= shown, "seed \(seed), \(second)")
            shown = millimetres
        }
        try tape.command(.end(.requested))
        let off = Int(tape.session.distanceMillimetres ?? 0) - Int(running)
        #expect(
            off < 40_000 && off > -40_000 - Int(unknown), "seed \(seed): \(off) of \(running)")
        #expect(tape.session.way.counted.sum == tape.session.distanceMillimetres ?? 0)
    }
}
