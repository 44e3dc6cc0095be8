@testable import Benchmarks
import Events
import TestSupport

/// Events that no recorder makes: every kind, known or not, and payloads of all sorts.
struct OddEvents {
    private var random: SeededGenerator
    private var boot = 1_000_000
    private var difference = 1_700_000_000_000

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func chunk(of count: Int) throws -> EventChunk {
        var chunk = EventChunk()
        for _ in 0..<count {
            let kind = kind()
            var bytes = payload(of: kind)
            if random.below(8) == 0 { damage(&bytes) }
            try chunk.append(header(kind), payload: bytes)
        }
        return chunk
    }

    // MARK: - The envelope

    private mutating func kind() -> EventKind {
        switch random.below(10) {
        case 0..<4: .characteristicNotified
        case 4..<6: .pedometerRead
        case 6, 7: .positionFixed
        default: EventKind(rawValue: UInt8(random.below(7) << 5 | 1 + random.below(31)))
        }
    }

    private mutating func header(_ kind: EventKind) -> EventHeader {
        boot = max(0, boot + random.within(random.below(4) == 0 ? 1_000_000 : 2_000))
        if random.below(30) == 0 { difference += random.within(1_000_000) }
        return EventHeader(
            position: 0, source: UInt32(rarely(3)),
            stamp: Stamp(
                bootMilliseconds: UInt64(boot), wallMilliseconds: Int64(boot + difference),
                bootNumber: UInt32(rarely(300))),
            flags: EventFlags(rawValue: UInt8(rarely(256))), kind: kind,
            version: UInt16(1 + rarely(3)))
    }

    /// Nearly always 0, else a number below `bound`.
    private mutating func rarely(_ bound: Int) -> Int {
        random.below(40) == 0 ? random.below(bound) : 0
    }

    // MARK: - Payloads

    private mutating func payload(of kind: EventKind) -> [UInt8] {
        switch kind {
        case .characteristicNotified: heart()
        case .pedometerRead: pedometer()
        case .positionFixed: position()
        default: bytes(random.below(random.below(20) == 0 ? 2_049 : 40))
        }
    }

    private mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(random.below(256)) }
    }

    /// A device; more of them than a section can list, and some of no known space.
    private mutating func device() -> [UInt8] {
        let number = random.below(4) == 0 ? random.below(40) : 0
        return [UInt8(number), 2, 3, 4, 5, 6, UInt8(random.below(100) == 0 ? 9 : number % 4)]
    }

    private mutating func heart() -> [UInt8] {
        let characteristic = UInt8(1 + rarely(5))
        let flags = random.below(20) == 0 ? random.below(256) : 0x10 | random.below(16)
        let length = 1 + flags % 2 + flags / 8 % 2 * 2 + 2 * random.below(7) + rarely(3)
        let value = [UInt8(flags)] + bytes(length)
        return device() + [characteristic, UInt8(value.count)] + value
    }

    private mutating func pedometer() -> [UInt8] {
        var payload = device()
        switch random.below(4) {
        case 0:
            let flags = random.below(9)
            let length = 4 + flags % 2 * 2 + flags / 2 % 2 * 4 + rarely(2)
            payload += [5, UInt8(length), UInt8(flags)] + bytes(length - 1)
        case 1: payload += [6, 4] + bytes(4)
        default:
            payload.append(UInt8(rarely(8)))
            payload.appendVarint(random.next() >> UInt64(10 + random.below(54)))
        }
        payload.append(UInt8(random.below(2)))
        if payload.last == 1 {
            payload.appendVarint(random.next() >> UInt64(10 + random.below(54)))
        }
        return payload
    }

    private mutating func position() -> [UInt8] {
        var payload: [UInt8] = []
        payload.appendVarint(zigzag(Int64(random.within(901_000_000))))
        payload.appendVarint(zigzag(Int64(random.within(1_801_000_000))))
        for field in 0..<5 {
            let isThere = random.below(2)
            payload.append(UInt8(isThere))
            guard isThere == 1 else { continue }
            let number = random.next() >> UInt64(10 + random.below(54))
            let isSigned = field == 0 || field == 4
            payload.appendVarint(isSigned ? zigzag(Int64(number) / 2) : number)
        }
        return payload
    }

    /// Changes a byte, or takes or adds one.
    private mutating func damage(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let index = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[index] = UInt8(random.below(256))
        case 1: bytes.removeLast()
        default: if bytes.count < EventLimit.payloadBytes { bytes.append(0) }
        }
    }
}
