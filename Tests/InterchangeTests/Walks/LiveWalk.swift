import Events
import Interchange
import TestSupport

/// A walk as a recorder writes it, which a seed gives: with lost links, silence of the strap,
/// pauses, receivers with errors and fixes that come late, jumps, and pedometers.
struct LiveWalk {
    private var random: SeededGenerator
    private var made: MadeWalk
    private var (steps, metres): (UInt64, UInt64) = (1_000, 700)
    private var (north, east): (Int64, Int64)

    /// The walk of a seed.
    static func file(seed: UInt64, flags: EventFlags = .wallTrusted) throws -> WalkFile {
        var walk = try LiveWalk(seed: seed, flags)
        try walk.walk()
        return try walk.made.file()
    }

    private init(seed: UInt64, _ flags: EventFlags) throws {
        random = SeededGenerator(seed: seed)
        let offset = Int64(random.below(105)) * 15 - 720
        // From 2024 on; each fourth goes over midnight of its zone.
        let day = 86_400_000 * (19_800 + Int64(random.below(2_000)))
        let time = random.chance(25) ? -20_000 : Int64(random.below(86_400_000))
        made = try MadeWalk(
            from: day + time - offset * 60_000, offsetMinutes: offset, flags: flags)
        try made.begin()
        north = Int64(random.below(1_600_000_000)) - 800_000_000
        east = Int64(random.below(3_580_000_000)) - 1_790_000_000
    }

    private mutating func walk() throws {
        let (hasStrap, hasFixes) = (random.chance(85), random.chance(70))
        let (hasWatch, measures) = (random.chance(75), random.chance(60))
        let pace = [1_000, 1_000, 1_000, 250, 100][Int(random.below(5))] as UInt64
        let end = 20_000 + random.below(240_000)
        var (isPaused, isLinked, changesAt) = (false, true, random.below(60_000))
        var secondAt: UInt64 = 0
        // Of a seed of its own, so that all else is as it was without laps.
        var laps = SeededGenerator(seed: end)
        try made.describe("", "", Sport.allCases[Int(laps.below(7))])
        if hasWatch { try made.chooseWatch() }
        if hasStrap { try made.link() }
        while made.now < end {
            // What comes in the millisecond in which a lap ends came before it.
            if laps.chance(1) {
                let cause = LapCause.allCases[Int(laps.below(7))]
                try made.add(.lapMarked(LapMarked(cause: cause)))
            }
            made.wait(pace + random.below(pace / 20) - pace / 40)
            if made.now >= changesAt {
                changesAt = made.now + 1 + random.below(random.chance(50) ? 15_000 : 60_000)
                if isPaused || random.chance(50) {
                    try made.add(isPaused ? .sessionResumed(.init()) : .sessionPaused(.init()))
                    isPaused.toggle()
                } else if hasStrap, !isLinked {
                    try made.link()
                    isLinked = true
                } else if hasStrap {
                    try made.add(.linkLost(LinkLost(device: MadeWalk.strap)))
                    isLinked = false
                }
            }
            if hasStrap, isLinked, random.chance(97) { try addHeart() }
            guard made.now >= secondAt else { continue }
            secondAt = made.now + 900
            if hasWatch { try addSteps(measures) }
            if hasFixes, random.chance(90) { try addFix() }
            if random.chance(1) { try made.mark("=1, \"x\"\ny") }
        }
    }

    private mutating func addHeart() throws {
        // Contact is known; each fiftieth value has none.
        var value: [UInt8] = [0x16, UInt8(60 + random.below(100))]
        for _ in 0..<random.below(4) {
            let ticks = 300 + random.below(900)
            value += [UInt8(ticks & 255), UInt8(ticks >> 8)]
        }
        if random.chance(2) { value = [0x04, 0] }
        try made.notify(value)
    }

    private mutating func addSteps(_ measures: Bool) throws {
        steps += random.below(4)
        metres = steps * 700 + random.below(3)
        try made.read(steps, millimetres: measures ? metres : nil)
    }

    private mutating func addFix() throws {
        north += Int64(random.below(300)) - 50
        east += Int64(random.below(300)) - 50
        if random.chance(1) { north += 100_000 }
        try made.add(
            .positionFixed(
                PositionFixed(
                    latitudeE7: north, longitudeE7: east,
                    altitudeMillimetres: random.chance(80) ? Int64(random.below(9_000)) : nil,
                    accuracyMillimetres: random.chance(70) ? 1_000 + random.below(55_000) : nil,
                    fixedAtMilliseconds: made.wall - Int64(random.below(700)))))
    }
}
