import Events
import Interchange
import Projections
import TestSupport

/// A walk as a recorder writes it, which a seed gives: with lost links, silence of the strap,
/// pauses, receivers with errors and fixes that come late, jumps, and pedometers.
struct LiveWalk {
    private static let strap = DeviceID(address: 1, space: .public)
    private static let watch = DeviceID(address: 2, space: .public)

    private var random: SeededGenerator
    private var batch = EventBatch()
    private let wall: Int64
    private let flags: EventFlags
    private var now: UInt64 = 0
    private var (steps, metres): (UInt64, UInt64) = (1_000, 700)
    private var (north, east): (Int64, Int64)

    /// The walk of a seed.
    static func file(seed: UInt64, flags: EventFlags = .wallTrusted) throws -> WalkFile {
        var walk = try LiveWalk(seed: seed, flags)
        let provenance: Provenance = flags.contains(.simulated) ? .simulated : .walked
        let session = Position(walk.batch.count)
        try walk.add(.sessionStarted(SessionStarted()))
        try walk.walk()
        try walk.add(.sessionEnded(SessionEnded()))
        var series = SessionSeries(of: session, provenance, after: LogState())
        for index in 0..<walk.batch.count {
            walk.batch.withEvent(at: index) { event in
                if event.header.position == session {
                    series = SessionSeries(of: session, provenance, after: series.state)
                }
                series.evolve(event)
            }
        }
        guard let report = series.state.sessionReport(session, at: series.state.lastMoment) else {
            preconditionFailure("The walk has not begun.")
        }
        return WalkFile(report, series)
    }

    private init(seed: UInt64, _ flags: EventFlags) throws {
        self.flags = flags
        random = SeededGenerator(seed: seed)
        let offset = Int64(random.below(105)) * 15 - 720
        // From 2024 on; each fourth goes over midnight of its zone.
        let day = 86_400_000 * (19_800 + Int64(random.below(2_000)))
        let time = random.chance(25) ? -20_000 : Int64(random.below(86_400_000))
        wall = day + time - offset * 60_000
        north = Int64(random.below(1_600_000_000)) - 800_000_000
        east = Int64(random.below(3_580_000_000)) - 1_790_000_000
        try add(
            .recorderStarted(
                RecorderStarted(programVersion: "1", zoneOffsetMinutes: offset, zoneName: "X")))
    }

    private mutating func add(_ event: Event) throws {
        try batch.append(
            event,
            stamp: Stamp(
                bootMilliseconds: 1_000_000 + now, wallMilliseconds: wall + Int64(now),
                bootNumber: 0),
            flags: flags)
    }

    private mutating func walk() throws {
        let (hasStrap, hasFixes) = (random.chance(85), random.chance(70))
        let (hasWatch, measures) = (random.chance(75), random.chance(60))
        let pace = [1_000, 1_000, 1_000, 250, 100][Int(random.below(5))] as UInt64
        let end = 20_000 + random.below(240_000)
        var (isPaused, isLinked, changesAt) = (false, true, random.below(60_000))
        var secondAt: UInt64 = 0
        if hasWatch { try add(.pedometerChosen(PedometerChosen(device: Self.watch))) }
        if hasStrap { try link() }
        while now < end {
            now += pace + random.below(pace / 20) - pace / 40
            if now >= changesAt {
                changesAt = now + 1 + random.below(random.chance(50) ? 15_000 : 60_000)
                if isPaused || random.chance(50) {
                    try add(isPaused ? .sessionResumed(SessionResumed()) : .sessionPaused(.init()))
                    isPaused.toggle()
                } else if hasStrap, !isLinked {
                    try link()
                    isLinked = true
                } else if hasStrap {
                    try add(.linkLost(LinkLost(device: Self.strap)))
                    isLinked = false
                }
            }
            if hasStrap, isLinked, random.chance(97) { try addHeart() }
            guard now >= secondAt else { continue }
            secondAt = now + 900
            if hasWatch { try addSteps(measures) }
            if hasFixes, random.chance(90) { try addFix() }
            if random.chance(1) { try add(.sessionMarked(SessionMarked(text: "=1, \"x\"\ny"))) }
        }
    }

    private mutating func link() throws {
        try add(.linkUp(LinkUp(device: Self.strap)))
        try add(.subscribed(Subscribed(device: Self.strap)))
    }

    private mutating func addHeart() throws {
        // Contact is known; each fiftieth value has none.
        var value: [UInt8] = [0x16, UInt8(60 + random.below(100))]
        for _ in 0..<random.below(4) {
            let ticks = 300 + random.below(900)
            value += [UInt8(ticks & 255), UInt8(ticks >> 8)]
        }
        if random.chance(2) { value = [0x04, 0] }
        try add(
            .characteristicNotified(
                CharacteristicNotified(
                    device: Self.strap, characteristic: .heartRateMeasurement, value: value)))
    }

    private mutating func addSteps(_ measures: Bool) throws {
        steps += random.below(4)
        metres = steps * 700 + random.below(3)
        try add(
            .pedometerRead(
                PedometerRead(
                    device: Self.watch, reading: .counter(steps),
                    distanceMillimetres: measures ? metres : nil)))
    }

    private mutating func addFix() throws {
        north += Int64(random.below(300)) - 50
        east += Int64(random.below(300)) - 50
        if random.chance(1) { north += 100_000 }
        try add(
            .positionFixed(
                PositionFixed(
                    latitudeE7: north, longitudeE7: east,
                    altitudeMillimetres: random.chance(80) ? Int64(random.below(9_000)) : nil,
                    accuracyMillimetres: random.chance(70) ? 1_000 + random.below(55_000) : nil,
                    fixedAtMilliseconds: wall + Int64(now) - Int64(random.below(700)))))
    }
}
