import Events
import TestSupport

/// A log as a walk writes it: long stretches in which nothing comes but heart-rate values, counts
/// and positions, with some of everything else between them; all of it follows from the seed.
struct QuietLog {
    private var random: SeededGenerator
    private var bootMilliseconds: UInt64 = 1_000_000
    private var wallMinusBoot = Tape.start - 1_000_000
    private var bootNumber: UInt32 = 0
    private var flags: EventFlags = [.wallTrusted]
    private var position: Position = 0
    private var count: UInt64 = 0
    private var distance: UInt64 = 0
    private var latitudeE7: Int64 = 521_000_000
    private var last: Event?
    private var lastHeart: [UInt8] = []
    private var session: Position = 0
    /// One event in so many is none of a quiet stretch.
    private let rarity: UInt64
    /// Whether the strap denies contact at first.
    private let isDry: Bool

    /// A log of a seed.
    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        isDry = seed % 3 == 1
        rarity = [20, 60, 400][Int(random.below(3))]
    }

    /// Whether something is odd that is so once in `count` times.
    private mutating func isOdd(_ count: UInt64) -> Bool { random.below(count) == 0 }

    /// The next event, after some time.
    mutating func next() -> RecordedEvent {
        let isRare = position < 4 || random.below(rarity) == 0
        bootMilliseconds += random.below(isRare || isOdd(100) ? 9_000 : 1_400)
        let event = isRare ? rareEvent() : quietEvent()
        last = event
        if case .sessionStarted = event { session = position }
        defer { position += 1 }
        let source: UInt32 = random.below(rarity * 4) == 0 ? 3 : 0
        return RecordedEvent(event, at: position, stamp(), flags: flags, source: source)
    }

    /// Now, or a little before.
    ///
    /// Several processes append, and the wall clock is rounded by itself.
    private mutating func stamp() -> Stamp {
        let late = isOdd(30) ? random.below(1_500) : 0
        let jitter = isOdd(5) ? Int64(random.below(3)) - 1 : 0
        let boot = bootMilliseconds - min(bootMilliseconds, late)
        return Stamp(boot: boot, wall: Int64(boot) + wallMinusBoot + jitter, number: bootNumber)
    }

    // MARK: - What a quiet stretch is made of

    private mutating func quietEvent() -> Event {
        switch random.below(100) {
        case 0..<65: heart()
        case 65..<92: steps()
        default: fix()
        }
    }

    private mutating func heart(_ device: DeviceID = strap) -> Event {
        if isOdd(25), !lastHeart.isEmpty {
            // The same again, or nearly so: a copy, if it comes soon.
            if random.below(3) == 0 { lastHeart[lastHeart.count - 1] ^= 1 }
            return .notified(device, lastHeart)
        }
        let odd: [UInt64] = [0, 255, 19, 20, 254, 44, 45]
        let bpm = isOdd(60) ? odd[Int(random.below(7))] : 70 + random.below(90)
        let isWide = random.below(30) == 0
        let hasEnergy = isOdd(20)
        let count = isOdd(12) ? random.below(6) : 1 + random.below(3)
        let isDenied = isOdd(40) || isDry && position < 300
        var value = [UInt8(isDenied ? 4 : 6) | (isWide ? 1 : 0)]
        if count > 0 || random.below(2) == 0 { value[0] |= 0x10 }
        value += [UInt8(bpm)] + (isWide ? [UInt8(random.below(2))] : [])
        if hasEnergy {
            value[0] |= 8
            value += [UInt8(random.below(256)), 0]
        }
        for _ in 0..<count {
            let interval = isOdd(25) ? random.below(65_536) : 560 + random.below(140)
            value += [UInt8(interval & 0xFF), UInt8(interval >> 8)]
        }
        // Half of an interval: not of the dense form.
        if isOdd(200) { value.append(7) }
        lastHeart = value
        return .characteristicNotified(CharacteristicNotified(device: device, value: value))
    }

    private mutating func steps() -> Event {
        count += random.below(6)
        distance += random.below(4_000)
        if isOdd(200) { count = random.below(9) }
        if isOdd(300) { distance /= 2 }
        let shown = random.below(4) != 0 ? distance : nil
        guard isOdd(50) else { return .counted(pedometer, count, distance: shown) }
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * UInt64($0))) }
        return .pedometerRead(
            PedometerRead(device: watch, reading: .characteristic(.infiniTimeStepCount, bytes)))
    }

    private mutating func fix() -> Event {
        latitudeE7 += Int64(random.below(900)) - 300
        return .positionFixed(
            PositionFixed(
                latitudeE7: latitudeE7, longitudeE7: 131_000_000,
                altitudeMillimetres: random.below(3) == 0 ? nil : Int64(random.below(20_000)),
                accuracyMillimetres: random.below(2) == 0 ? nil : random.below(60_000)))
    }

    // MARK: - What ends it

    private mutating func rareEvent() -> Event {
        switch random.below(27) {
        case 26:
            return .sessionDescribed(
                SessionDescribed(
                    session: session, sessionName: random.below(2) == 0 ? "Loop" : nil,
                    listing: random.below(2) == 0 ? .hidden : nil))
        case 25:
            return .deviceExcluded(
                DeviceExcluded(
                    session: session, device: [strap, otherStrap][Int(random.below(2))],
                    excluded: random.below(2) == 0))
        case 24:
            return .contactChosen(ContactChosen(device: strap, ignored: random.below(2) == 0))
        case 0, 1, 2: return .sessionStarted(sessionStarted())
        case 3: return .sessionEnded(SessionEnded())
        case 4: return .sessionPaused(SessionPaused())
        case 5, 6: return .sessionResumed(SessionResumed())
        case 7: return .linkLost(LinkLost(device: strap, cause: .remote))
        case 8: return .linkUp(LinkUp(device: strap, connectMilliseconds: 900))
        case 9: return heart(otherStrap)
        case 10, 11, 12: return last ?? heart()  // perhaps a copy
        case 13: return .recorderStarted(recorderStarted)
        case 14: return .recorderStopped(RecorderStopped(reason: .requested))
        case 15:
            bootNumber += 1
            bootMilliseconds = 5_000
            return .bootBegan(
                BootBegan(
                    bootID: [UInt8](repeating: UInt8(truncatingIfNeeded: bootNumber), count: 16),
                    zoneOffsetMinutes: 60, zoneName: ""))
        case 16:
            wallMinusBoot += Int64(random.below(90_000_000)) - 3_000_000
            flags = random.below(3) == 0 ? [] : [.wallTrusted]
            return .clockStepped(ClockStepped(stepMilliseconds: 5_000))
        case 17:
            return .characteristicRead(
                CharacteristicRead(device: strap, characteristic: .batteryLevel, value: [50]))
        case 18:
            return .pedometerChosen(
                PedometerChosen(device: [pedometer, watch][Int(random.below(2))]))
        case 19:
            return .unknown(
                UnknownEvent(kind: .characteristicNotified, version: 2, payload: [9]))
        default:
            let wall = Int64(bootMilliseconds) + wallMinusBoot
            return .reconciliationTriggered(
                ReconciliationTriggered(
                    trigger: .manual,
                    healthTotal: random.below(2) == 0 ? nil : random.below(9_000),
                    validUntilMilliseconds: wall - Int64(random.below(60_000)),
                    date: CivilDate(wallMilliseconds: wall, zoneOffsetMinutes: 60)))
        }
    }

    private var recorderStarted: RecorderStarted {
        RecorderStarted(programVersion: "1", zoneOffsetMinutes: 60, zoneName: "")
    }

    private mutating func sessionStarted() -> SessionStarted {
        let goals = [
            Goal(), Goal(kind: .duration, target: 60_000 + random.below(200_000)),
            Goal(kind: .steps, target: 5 + random.below(300)),
            Goal(kind: .distance, target: 9_000 + random.below(200_000)),
        ]
        return SessionStarted(
            goal: goals[Int(random.below(4))], outAndBack: random.below(2) == 0,
            profile: Profile(heightMillimetres: random.below(3) == 0 ? nil : 1_803))
    }
}
