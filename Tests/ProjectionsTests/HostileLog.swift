import Events
import TestSupport

/// A log as no recorder would write it: any event at any place, clocks that jump, boots that
/// nobody tells, recorders that die; all of it follows from the seed.
struct HostileLog {
    private var random: SeededGenerator
    private var bootMilliseconds: UInt64 = 1_000_000
    private var wallMilliseconds = Tape.start
    private var bootNumber: UInt32 = 0
    private var flags: EventFlags = [.wallTrusted]
    private var counts: [UInt64] = [0, 0, 0]
    private var distance: UInt64 = 0
    private var position: Position = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// Lets time pass on both clocks.
    mutating func wait(_ milliseconds: UInt64) {
        bootMilliseconds += milliseconds
        wallMilliseconds += Int64(milliseconds)
    }

    /// The machine boots.
    mutating func boot() {
        bootNumber += 1
        bootMilliseconds = 5_000
    }

    var bootBegan: BootBegan {
        BootBegan(
            bootID: [UInt8](repeating: UInt8(truncatingIfNeeded: bootNumber), count: 16),
            zoneOffsetMinutes: 60, zoneName: "")
    }

    var recorderStarted: RecorderStarted {
        RecorderStarted(programVersion: "1", zoneOffsetMinutes: 60, zoneName: "")
    }

    func heart(_ bpm: UInt16, contact: UInt8 = 3, device: DeviceID = strap) -> Event {
        .notified(device, heartValue(bpm, contact, [700]))
    }

    func count(_ count: UInt64, distance: UInt64? = nil, device: DeviceID = pedometer) -> Event {
        .counted(device, count, distance: distance)
    }

    mutating func append(_ event: Event) -> RecordedEvent {
        defer { position += 1 }
        let stamp = Stamp(boot: bootMilliseconds, wall: wallMilliseconds, number: bootNumber)
        return RecordedEvent(event, at: position, stamp, flags: flags)
    }

    /// The next event, after some time.
    mutating func next() -> RecordedEvent {
        switch random.below(12) {
        case 0: wait(random.below(90_000))
        case 1: break
        case 2: wait(random.below(20))
        default: wait(random.below(6_000))
        }
        if random.below(25) == 0 { disturbClocks() }
        return append(anyEvent())
    }

    private mutating func disturbClocks() {
        switch random.below(6) {
        case 0: boot()
        case 1: bootMilliseconds -= min(bootMilliseconds, random.below(4_000))
        case 2: wallMilliseconds += Int64(random.below(14_400_000)) - 7_200_000
        case 3: flags = flags.isEmpty ? [.wallTrusted] : []
        case 4: wallMilliseconds = random.below(2) == 0 ? 1_000 : 4_102_444_800_000
        default: wallMilliseconds = Tape.start + Int64(bootMilliseconds)
        }
    }

    private mutating func anyEvent() -> Event {
        let device = [strap, strap, strap, otherStrap][Int(random.below(4))]
        switch random.below(40) {
        case 0..<10:
            return heart(
                random.below(6) == 0
                    ? [0, 19, 301, .max][Int(random.below(4))]
                    : 60 + UInt16(random.below(4)),
                contact: random.below(8) == 0 ? 2 : 3, device: device)
        case 10..<20: return step()
        case 20, 21: return .linkUp(LinkUp(device: device))
        case 22, 23: return .linkLost(LinkLost(device: device))
        case 24: return .characteristicNotified(CharacteristicNotified(device: device, value: [1]))
        case 25:
            return .characteristicRead(
                CharacteristicRead(device: device, characteristic: .batteryLevel, value: [50]))
        case 26, 27: return .recorderStarted(recorderStarted)
        case 28: return .recorderStopped(RecorderStopped(reason: .requested))
        case 29: return .bootBegan(bootBegan)
        case 30, 31: return .sessionStarted(session())
        case 32: return .sessionPaused(SessionPaused())
        case 33, 34: return .sessionResumed(SessionResumed())
        case 35: return .sessionEnded(SessionEnded(reason: .requested))
        case 36: return .sessionMarked(SessionMarked(text: ""))
        case 37:
            let chosen = [pedometer, watch, RandomWalk.pod][Int(random.below(3))]
            return .pedometerChosen(PedometerChosen(device: chosen))
        case 38:
            let date = CivilDate(wallMilliseconds: wallMilliseconds, zoneOffsetMinutes: 60)
            return .reconciliationTriggered(
                ReconciliationTriggered(
                    trigger: .manual, healthTotal: random.below(5_000), date: date))
        default: return .clockStepped(ClockStepped(stepMilliseconds: 5_000))
        }
    }

    private mutating func step() -> Event {
        let which = Int(random.below(3))
        counts[which] += random.below(12)
        distance += random.below(9_000)
        if random.below(30) == 0 { (counts[which], distance) = (0, 0) }
        let shown = random.below(3) == 0 ? distance : nil
        guard which == 2 else {
            return count(
                counts[which], distance: shown, device: which == 0 ? pedometer : watch)
        }
        var value: [UInt8] = [shown == nil ? 0 : 2, 0, 1, UInt8(random.below(120))]
        for index in 0..<(shown == nil ? 0 : 4) {
            value.append(UInt8(truncatingIfNeeded: (distance / 100) >> (8 * UInt64(index))))
        }
        return .pedometerRead(
            PedometerRead(
                device: RandomWalk.pod,
                reading: .characteristic(.runningSpeedCadenceMeasurement, value)))
    }

    private mutating func session() -> SessionStarted {
        let goals = [Goal(), Goal(kind: .duration, target: 60_000), Goal(kind: .steps, target: 50)]
        return SessionStarted(
            goal: goals[Int(random.below(3))],
            profile: Profile(heightMillimetres: random.below(4) == 0 ? nil : 1_803))
    }
}
