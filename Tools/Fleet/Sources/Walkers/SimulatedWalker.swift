package import EventStore
package import Events
internal import TestSupport

/// A walker who was made up: the same seed walks the same walk.
package struct SimulatedWalker: Sendable {
    private let strap: DeviceID
    private let pedometer: DeviceID
    private var random: SeededGenerator
    private var boot: UInt64 = 1_000_000
    private let wallMinusBoot: Int64
    private var steps: UInt64 = 4_000
    private var rate: UInt8 = 96
    private var latitudeE7: Int64

    /// Makes a walker.
    ///
    /// - Parameters:
    ///   - seed: Which one.
    ///   - startMilliseconds: When the walk begins: UTC in milliseconds since 1970-01-01.
    package init(seed: UInt64, startMilliseconds: Int64 = 1_767_254_400_000) {
        random = SeededGenerator(seed: seed)
        strap = DeviceID(address: 0xC400_0000_0000 | seed & 0xFFFF_FFFF, space: .random)
        pedometer = DeviceID(address: seed & 0xFF, space: .kernel)
        wallMinusBoot = startMilliseconds - 1_000_000
        latitudeE7 = 481_000_000 + Int64(seed & 0xFFFF) * 100
    }

    /// What a recorder writes before the first reading.
    ///
    /// - Throws: `FieldError` never.
    package mutating func begin() throws(FieldError) -> EventBatch {
        var batch = EventBatch()
        try add(.originBegan(OriginBegan(cause: .created)), to: &batch)
        let bootID = (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        try add(
            .bootBegan(BootBegan(bootID: bootID, zoneOffsetMinutes: 60, zoneName: "Europe/Paris")),
            to: &batch)
        try add(
            .recorderStarted(
                RecorderStarted(
                    programVersion: "0.1.0", zoneOffsetMinutes: 60, zoneName: "Europe/Paris")),
            to: &batch)
        try add(
            .devicePaired(DevicePaired(device: strap, name: "Strap", roles: .heart)), to: &batch)
        try add(.sessionStarted(SessionStarted()), to: &batch)
        try add(.linkUp(LinkUp(device: strap, attempt: 1)), to: &batch)
        return batch
    }

    /// What comes in the next second: a heart rate, and now and then steps, a fix, a pause.
    ///
    /// - Throws: `FieldError` never.
    package mutating func second() throws(FieldError) -> EventBatch {
        var batch = EventBatch()
        try addSecond(to: &batch)
        return batch
    }

    /// Appends what comes in the next seconds, all at once.
    ///
    /// - Throws: An error of the log.
    package mutating func walk(seconds: Int, into log: any EventLog) async throws {
        var batch = EventBatch()
        for _ in 0..<seconds { try addSecond(to: &batch) }
        _ = try await log.append(batch, expecting: nil)
    }

    private mutating func addSecond(to batch: inout EventBatch) throws(FieldError) {
        boot += 990 + random.next() % 21
        rate = UInt8(clamping: min(170, max(70, Int(rate) + Int(random.next() % 5) - 2)))
        let interval = UInt16(61_440 / Int(rate))
        let value = [0x10, rate, UInt8(truncatingIfNeeded: interval), UInt8(interval >> 8)]
        try add(
            .characteristicNotified(CharacteristicNotified(device: strap, value: value)), to: &batch
        )
        steps += random.next() % 3
        if random.next() % 5 == 0 {
            try add(
                .pedometerRead(PedometerRead(device: pedometer, reading: .counter(steps))),
                to: &batch)
        }
        if random.next() % 10 == 0 {
            latitudeE7 += 100
            try add(
                .positionFixed(PositionFixed(latitudeE7: latitudeE7, longitudeE7: 115_000_000)),
                to: &batch)
        }
        if random.next() % 600 == 0 {
            try add(.sessionPaused(SessionPaused()), to: &batch)
            try add(.sessionResumed(SessionResumed()), to: &batch)
        }
    }

    private mutating func add(_ event: Event, to batch: inout EventBatch) throws(FieldError) {
        let stamp = Stamp(
            bootMilliseconds: boot, wallMilliseconds: Int64(boot) + wallMinusBoot, bootNumber: 0)
        try batch.append(event, stamp: stamp, flags: [.wallTrusted])
    }
}
