internal import ArgumentParser
internal import EventStoreLMDB
internal import Events
internal import Glibc

/// Appends to a store and seals it, and says so each time.
struct Writer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "writer", shouldDisplay: false)

    /// What it says, before a number, when events are in the log.
    static let appendedWord = "appended"
    /// What it says, before a number, when they are signed.
    static let signedWord = "signed"

    @Argument var store: String
    @Argument var state: String
    @Option var commits = 8
    @Option var events = 1
    @Option var mapBytes = LMDBEventLog.defaultMapSizeBytes
    @Option var seals = 0
    @Flag var creates = false

    func run() async throws {
        let mode = creates ? LogMode.create(try Self.origin(id: Self.randomBytes(16))) : .existing
        let log = try LMDBEventLog.open(directory: store, mode: mode, mapSizeBytes: mapBytes)
        defer { log.close() }
        if creates { say(Self.appendedWord, try log.next) }
        for round in 0..<max(1, seals) {
            for commit in 0..<commits {
                let batch = try Self.batch(events, number: round * commits + commit)
                let range = try await log.append(batch, expecting: nil)
                say(Self.appendedWord, range.upperBound)
            }
            guard seals > 0 else { continue }
            let folder = CheckpointFolder("\(state)/\(log.origin)")
            try await log.makeCheckpoint(in: folder, random: Self.randomBytes)
            say(Self.signedWord, try log.next)
        }
    }

    private func say(_ word: String, _ number: UInt64) {
        print(word, number)
        fflush(nil)
    }

    /// Values as a strap sends them, each another.
    static func batch(_ count: Int, number: Int) throws -> EventBatch {
        var batch = EventBatch()
        for event in 0..<count {
            let total = UInt64(number * count + event)
            let value = (0..<20).map { byte in
                UInt8(truncatingIfNeeded: (total + 1) &* 0x9E37_79B9_7F4A_7C15 >> (byte % 8 * 8))
                    &+ UInt8(byte)
            }
            try batch.append(
                .characteristicNotified(
                    CharacteristicNotified(
                        device: DeviceID(address: 0xC400_0000_0001, space: .random), value: value)),
                stamp: Stamp(
                    bootMilliseconds: 1_000_000 + total * 1_000,
                    wallMilliseconds: 1_772_400_000_000 + Int64(total) * 1_000, bootNumber: 0),
                flags: .wallTrusted)
        }
        return batch
    }

    /// What a new log begins with.
    static func origin(id: [UInt8]) throws -> LogOrigin {
        var events = EventBatch()
        try events.append(
            .originBegan(OriginBegan(cause: .created)),
            stamp: Stamp(
                bootMilliseconds: 1_000, wallMilliseconds: 1_772_400_000_000, bootNumber: 0),
            flags: .wallTrusted)
        return LogOrigin(id: id, createdMilliseconds: 1_772_400_000_000, events: events)
    }

    @Sendable
    static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}
