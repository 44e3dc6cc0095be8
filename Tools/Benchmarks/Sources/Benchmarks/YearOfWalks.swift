import Events
import TestSupport

/// A year of walks, as a recorder writes it that is never disturbed: a session a day, two events a
/// second, heart-rate values, counts with a distance and positions; each on a day of its own.
struct YearOfWalks: Sendable {
    static let days = 365
    private static let wallMilliseconds: Int64 = 1_741_000_000_000
    private static let nightMilliseconds: UInt64 = 72_000_000
    private static let strap = DeviceID(address: 0xC400_0000_0001, space: .random)
    private static let pedometer = DeviceID(address: 1, space: .kernel)

    private let daily: Int
    private var random: SeededGenerator
    private var made = 0
    private var bootMilliseconds: UInt64 = 5_000_000
    private var steps: UInt64 = 0
    /// When they were read last.
    private var countedAtMilliseconds: UInt64 = 0
    private var latitudeE7 = 521_000_000
    private var longitudeE7 = 131_000_000

    /// Makes a year of so many events, 10,000 or more.
    init(events: Int, seed: UInt64) {
        daily = events / Self.days
        random = SeededGenerator(seed: seed)
    }

    /// The first events of a log, with which its store is made.
    mutating func prologue() throws -> EventChunk { try chunk(of: 3) }

    /// The next events.
    mutating func chunk(of count: Int) throws -> EventChunk {
        var chunk = EventChunk()
        for _ in 0..<count {
            let event = next()
            let wall = Self.wallMilliseconds + Int64(bootMilliseconds)
            try chunk.append(
                event,
                at: Stamp(
                    bootMilliseconds: bootMilliseconds, wallMilliseconds: wall, bootNumber: 0))
            made += 1
        }
        return chunk
    }

    private mutating func next() -> Event {
        switch made {
        case 0: return .originBegan(OriginBegan())
        case 1: return .pedometerChosen(PedometerChosen(device: Self.pedometer))
        case _ where made % daily == 2:
            bootMilliseconds += Self.nightMilliseconds
            return .sessionStarted(SessionStarted())
        case _ where made % daily == 3:
            let wall = Self.wallMilliseconds + Int64(bootMilliseconds)
            return .reconciliationTriggered(
                ReconciliationTriggered(
                    trigger: .rollover,
                    date: CivilDate(wallMilliseconds: wall, zoneOffsetMinutes: 0)))
        case _ where made % daily == 1: return .sessionEnded(SessionEnded())
        default:
            bootMilliseconds += 480 + UInt64(random.below(40))
            return walk()
        }
    }

    private mutating func walk() -> Event {
        // A pedometer that counts is never silent for long.
        let isSilent = bootMilliseconds - countedAtMilliseconds > 7_000
        switch isSilent ? 70 : random.below(100) {
        case 0..<70:
            var value: [UInt8] = [0x16, UInt8(90 + random.below(50))]
            for _ in 0..<1 + random.below(3) { value += [UInt8(random.below(180)), 2] }
            return .characteristicNotified(
                CharacteristicNotified(device: Self.strap, value: value))
        case 70..<96:
            countedAtMilliseconds = bootMilliseconds
            steps += UInt64(random.below(4))
            return .pedometerRead(
                PedometerRead(
                    device: Self.pedometer, reading: .counter(steps),
                    distanceMillimetres: 700 * steps))
        default:
            latitudeE7 += random.within(200)
            longitudeE7 += random.within(300)
            return .positionFixed(
                PositionFixed(
                    latitudeE7: Int64(latitudeE7), longitudeE7: Int64(longitudeE7),
                    altitudeMillimetres: 34_000, accuracyMillimetres: 4_000,
                    speedMillimetresPerSecond: 1_400, satellites: 9,
                    fixedAtMilliseconds: Self.wallMilliseconds + Int64(bootMilliseconds) - 300))
        }
    }
}
