import EventStore
import EventStoreLMDB
import Events
import Foundation
import TestSupport
import Testing

extension TemporaryDirectory {
    /// A place for a store, where nothing is yet.
    var store: String { path + "/store" }
    var dataFile: String { store + "/data.mdb" }

    /// Makes the directory of the store, and no log in it.
    func makeStore() throws {
        try makeFolder(store)
    }

    /// How long the data file is.
    var dataFileBytes: Int {
        get throws {
            let attributes = try FileManager.default.attributesOfItem(atPath: dataFile)
            return try #require(attributes[.size] as? Int)
        }
    }
}

/// An event as a plain value: what a log must give back.
struct PlainEvent: Equatable {
    var header: EventHeader
    var payload: [UInt8]
}

extension PlainEvent {
    init(_ event: borrowing EventView) {
        header = event.header
        payload = event.withPayload { [UInt8](copying: $0) }
    }
}

/// The plainest of logs: an array.
struct PlainLog {
    private(set) var events: [PlainEvent] = []

    /// A log that begins with the event of ``origin``.
    init(_ batches: [EventBatch] = []) {
        for batch in [origin.events] + batches { append(batch) }
    }

    mutating func append(_ batch: EventBatch) {
        for index in 0..<batch.count {
            var event = batch.withEvent(at: index) { PlainEvent($0) }
            event.header.position = Position(events.count)
            events.append(event)
        }
    }
}

extension EventLog {
    /// Everything from `start` on, copied out.
    func contents(from start: Position = 0) throws(EventLogError) -> [PlainEvent] {
        var events: [PlainEvent] = []
        try read(from: start) { event in
            events.append(PlainEvent(event))
            return true
        }
        return events
    }

    /// Reads all blocks, each of which is checked.
    func checkBlocks() throws(EventLogError) {
        try readBlocks(from: 0) { _ in true }
    }

    /// The bytes of all blocks, copied out.
    func blocks(from start: Position = 0) throws(EventLogError) -> [[UInt8]] {
        var blocks: [[UInt8]] = []
        try readBlocks(from: start) { block in
            blocks.append([UInt8](copying: block))
            return true
        }
        return blocks
    }
}

/// What the heads of a block say.
func heads(of block: [UInt8]) throws(DamagedBlock) -> BlockHeads {
    try BlockReader.heads(of: block.span)
}

/// What the logs of the tests begin with.
let origin = makeOrigin(
    id: Array(0..<16), createdMilliseconds: stamp(0).wallMilliseconds, .originBegan(OriginBegan()),
    at: stamp(0), flags: .wallTrusted)

/// What a log begins with, or begins anew with.
func makeOrigin(
    id: [UInt8], createdMilliseconds: Int64, _ events: Event..., at stamp: Stamp,
    flags: EventFlags = []
) -> LogOrigin {
    var batch = EventBatch()
    do {
        for event in events { try batch.append(event, stamp: stamp, flags: flags) }
    } catch {
        fatalError("\(error)")
    }
    return LogOrigin(id: id, createdMilliseconds: createdMilliseconds, events: batch)
}

func stamp(_ milliseconds: UInt64, boot: UInt32 = 0) -> Stamp {
    Stamp(boot: milliseconds, wall: 1_750_000_000_000 + Int64(milliseconds), number: boot)
}

/// Notes with the numbers of a range as their texts.
func notes(_ numbers: Range<Int>, author: String = "") throws -> EventBatch {
    var batch = EventBatch()
    for number in numbers {
        try batch.append(
            .noted(Noted(text: "\(number)", author: author)), stamp: stamp(UInt64(number)),
            flags: [])
    }
    return batch
}

/// Heart rate notifications, one a second, in their dense form.
func heartbeats(_ numbers: Range<Int>) throws -> EventBatch {
    var batch = EventBatch()
    let strap = DeviceID(address: 0xC400_0000_0001, space: .random)
    for number in numbers {
        let interval = 800 + number % 64
        let value: [UInt8] = [
            0x10, UInt8(60 + number % 80), UInt8(interval & 0xFF), UInt8(interval >> 8),
        ]
        try batch.append(
            .notified(strap, value), stamp: stamp(UInt64(number) * 1_000), flags: .wallTrusted)
    }
    return batch
}

/// A batch of up to `limit` events of all kinds, known or not, with everything that is allowed.
func randomBatch(upTo limit: Int, _ random: inout SeededGenerator) throws -> EventBatch {
    var batch = EventBatch()
    var boot = UInt64.random(in: 0..<1 << 40, using: &random)
    for _ in 0..<Int.random(in: 0...limit, using: &random) {
        let lane = UInt8.random(in: 0..<7, using: &random)
        let kind = lane << 5 | UInt8.random(in: 1...31, using: &random)
        let isUsual = Bool.random(using: &random)
        boot =
            Int.random(in: 0..<20, using: &random) == 0
            ? UInt64.random(in: 0..<1 << 53, using: &random) : boot &+ 1_000 &- boot % 7
        let limit = Int.random(in: 0..<50, using: &random) == 0 ? 2_048 : 40
        let count = Int.random(in: 0...limit, using: &random)
        let payload = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        let wall = Int64.random(in: -1 << 52..<1 << 52, using: &random)
        let header = EventHeader(
            position: 0,
            source: isUsual ? 0 : UInt32.random(in: 0...UInt32.max, using: &random),
            stamp: Stamp(
                boot: min(boot, 1 << 53 - 1),
                wall: isUsual ? 1_750_000_000_000 + Int64(boot % 1 << 40) : wall,
                number: isUsual ? 0 : UInt32.random(in: 0...UInt32.max, using: &random)),
            flags: EventFlags(rawValue: isUsual ? 1 : UInt8.random(in: 0...255, using: &random)),
            kind: EventKind(rawValue: kind),
            version: isUsual ? 1 : UInt16.random(in: 1...UInt16.max, using: &random))
        try batch.append(header, payload: payload.span)
        if Bool.random(using: &random) {
            let beats = try heartbeats(0..<1)
            try beats.withEvent(at: 0) { (event) throws(FieldError) in
                try batch.append(event)
            }
        }
    }
    return batch
}
