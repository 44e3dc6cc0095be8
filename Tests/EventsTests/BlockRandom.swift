import Events
import TestSupport

/// Events for the tests of blocks, the same for the same seed.
struct BlockRandom: RandomNumberGenerator {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func next() -> UInt64 { generator.next() }

    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }
    mutating func isOne(in count: Int) -> Bool { number(1...count) == 1 }
    mutating func byte() -> UInt8 { .random(in: 0...255, using: &self) }
    mutating func bytes(_ counts: ClosedRange<Int>) -> [UInt8] {
        (0..<number(counts)).map { _ in byte() }
    }

    /// One of 40 devices: more than a section lists.
    mutating func device() -> DeviceID {
        DeviceID(
            address: UInt64(number(0...9)) << 40 | 7,
            space: DeviceID.Space.allCases[number(0...3)])
    }

    /// A payload of any kind: valid, of a strap, or of random bytes.
    mutating func payload(of kind: EventKind) -> [UInt8] {
        if isOne(in: 20) { return bytes(0...(isOne(in: 20) ? 2_048 : 60)) }
        if kind == .characteristicNotified, !isOne(in: 10) { return strapPayload() }
        guard EventKind.known.contains(kind) else { return bytes(0...40) }
        var fields = RandomFields(seed: next(), isModest: true)
        do throws(FieldError) {
            return try fields.event(kind).encodedPayload()
        } catch {
            preconditionFailure("\(kind): \(error)")
        }
    }

    /// A 2A37 notification, nearly always well-formed.
    mutating func strapPayload() -> [UInt8] {
        var flags = UInt8(number(0...31))
        if isOne(in: 10) { flags = byte() }
        let fixed = 2 + Int(flags & 1) + Int(flags >> 3 & 1) * 2
        let count = flags & 0x10 == 0 ? 0 : number(0...6)
        var value = [flags] + bytes(fixed - 1...fixed - 1)
        for _ in 0..<count { value += bytes(2...2) }
        if isOne(in: 10) { value.append(byte()) }
        return strapPayload(value: value)
    }

    mutating func strapPayload(value: [UInt8]) -> [UInt8] {
        let device = device()
        let address = (0..<6).map { UInt8(truncatingIfNeeded: device.address >> ($0 * 8)) }
        return address + [device.space.rawValue, 1, UInt8(value.count)] + value
    }

    /// Any storable event after the one before, whose time it mostly follows.
    mutating func event(after before: EventHeader?) -> BlockEvent {
        let kind: EventKind
        switch number(0...9) {
        case 0...3: kind = .characteristicNotified
        case 4...5: kind = .pedometerRead
        case 6: kind = .positionFixed
        default:
            kind = EventKind(rawValue: UInt8(number(0...6)) << 5 | UInt8(number(1...31)))
        }
        var stamp =
            before?.stamp
            ?? Stamp(bootMilliseconds: 5_000, wallMilliseconds: 1_750_000_000_000, bootNumber: 1)
        let step = number(-200...2_000)
        stamp.bootMilliseconds = UInt64(max(0, Int64(stamp.bootMilliseconds) + Int64(step)))
        stamp.wallMilliseconds += Int64(isOne(in: 10) ? number(-90_000...90_000) : step)
        if isOne(in: 40) {
            stamp.bootMilliseconds = isOne(in: 2) ? 0 : 1 << 53 - 1
            stamp.wallMilliseconds = isOne(in: 2) ? -(1 << 53 - 1) : 1 << 53 - 1
            stamp.bootNumber = .random(in: 0...UInt32.max, using: &self)
        }
        stamp.wallMilliseconds = min(max(stamp.wallMilliseconds, -(1 << 53 - 1)), 1 << 53 - 1)
        stamp.bootMilliseconds = min(stamp.bootMilliseconds, 1 << 53 - 1)
        let header = EventHeader(
            position: 0, source: isOne(in: 20) ? .random(in: 0...UInt32.max, using: &self) : 0,
            stamp: stamp, flags: EventFlags(rawValue: isOne(in: 20) ? byte() : 1), kind: kind,
            version: isOne(in: 20) ? .random(in: 1...UInt16.max, using: &self) : 1)
        return BlockEvent(header: header, payload: payload(of: kind))
    }
}

/// An event as a plain value.
struct BlockEvent: Equatable {
    var header: EventHeader
    var payload: [UInt8]
}

extension BlockBuilder {
    mutating func append(_ event: BlockEvent) -> Bool {
        EventView.lend(event.header, payload: event.payload.span) { append($0) }
    }

    /// The block's bytes, copied out.
    func bytes() -> [UInt8] { withBytes { [UInt8](copying: $0) } }
}

/// The events of a block, copied out.
func events(of block: [UInt8]) throws(DamagedBlock) -> [BlockEvent] {
    var events: [BlockEvent] = []
    try BlockReader.forEach(in: block.span) { event in
        let payload = event.withPayload { [UInt8](copying: $0) }
        events.append(BlockEvent(header: event.header, payload: payload))
        return true
    }
    return events
}
