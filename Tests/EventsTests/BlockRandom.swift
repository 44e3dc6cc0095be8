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
        while true {
            var coder = RandomCoder(random: self)
            defer { self = coder.random }
            do throws(FieldError) {
                guard let event = try Event(kind: kind, fields: &coder) else {
                    return coder.random.bytes(0...40)
                }
                return try event.encodedPayload()
            } catch {
                continue  // A combination that the kind excludes: try another.
            }
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

/// Sets every field to some value of its range.
struct RandomCoder: FieldCoder {
    var random: BlockRandom

    mutating func unsigned(
        _ name: StaticString, _ value: inout UInt64, in range: ClosedRange<UInt64>
    ) {
        let limit = random.isOne(in: 4) ? range.upperBound : min(range.upperBound, 5_000)
        value = .random(in: range.lowerBound...max(range.lowerBound, limit), using: &random)
    }

    mutating func signed(
        _ name: StaticString, _ value: inout Int64, in range: ClosedRange<Int64>
    ) {
        value = .random(in: range, using: &random)
    }

    mutating func byte(
        _ name: StaticString, _ value: inout UInt8, in range: ClosedRange<UInt8>
    ) {
        value = .random(in: range, using: &random)
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool) {
        value = .random(using: &random)
    }

    mutating func text(_ name: StaticString, _ value: inout String, limit: Int) {
        value = String(repeating: "ä", count: random.number(0...min(20, limit / 2)))
    }

    mutating func bytes(_ name: StaticString, _ value: inout [UInt8], limit: Int) {
        value = random.bytes(0...min(20, limit))
    }

    mutating func fixedBytes(_ name: StaticString, _ value: inout [UInt8], count: Int) {
        value = random.bytes(count...count)
    }

    mutating func code<Code: CodedName>(_ name: StaticString, _ value: inout Code) {
        value = Code.allCases.randomElement(using: &random) ?? value
    }

    mutating func openCode<Code: CodedName>(_ name: StaticString, _ value: inout OpenCode<Code>) {
        value = OpenCode(rawValue: random.byte())
    }

    mutating func device(_ name: StaticString, _ value: inout DeviceID) {
        value = random.device()
    }

    mutating func date(_ name: StaticString, _ value: inout CivilDate) {
        value = CivilDate(daysSinceEpoch: Int64(random.number(-719_162...2_932_896))) ?? value
    }

    mutating func presence(_ name: StaticString, _ isPresent: inout Bool) {
        isPresent = Bool.random(using: &random)
    }
}
