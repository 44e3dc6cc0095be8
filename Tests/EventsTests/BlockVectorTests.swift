import TestSupport
import Testing

@testable import Events

/// A block worked out by hand from the page on the record format.
let golden: (events: [BlockEvent], block: [UInt8]) = {
    func header(_ kind: EventKind, boot: UInt64) -> EventHeader {
        EventHeader(
            kind, Stamp(boot: boot, wall: 1_700_000_000_000 + Int64(boot), number: 2),
            flags: .wallTrusted)
    }
    let strap: [UInt8] = [0x01, 0, 0, 0, 0, 0xC4, 1]
    return (
        events: [
            BlockEvent(
                header: header(.characteristicNotified, boot: 1_000),
                payload: strap + [1, 4, 0x10, 72, 0x00, 0x04]),
            BlockEvent(
                header: header(.noted, boot: 1_500),
                payload: [2, UInt8(ascii: "h"), UInt8(ascii: "i"), 0]),
            BlockEvent(
                header: header(.characteristicNotified, boot: 2_000),
                payload: strap + [1, 4, 0x16, 73, 0x05, 0x04]),
        ],
        block: [
            0x93, 0x02, 0x0D, 0xE8, 1, 0, 3, 0,  // CRC-32C, format 1, 3 events
            4, 0, 20, 0, 2, 0, 32, 0, 2, 0, 2, 0, 2, 0, 2, 0,  // lengths
            0, 2, 0, 2,  // order: position 0, then heart, control, heart
            1, 0, 0xDC, 0x0B,  // control: 1 event from index 0 on, boot 1,500
            0x80, 0xA0, 0xAB, 0xFE, 0xF9, 0x62, 2, 0, 1, 0x09,  // wall, boot 2, source, flags, kind
            0, 4, 2, 0x68, 0x69, 0,  // the same time; 4 bytes: "hi" and no author
            0, 0,  // link
            2, 0, 0xE8, 0x07,  // heart: 2 events from index 0 on, boot 1,000
            0x80, 0xA0, 0xAB, 0xFE, 0xF9, 0x62, 2, 0, 1, 0x41,
            0, 0x81, 0, 0x01, 0, 0, 0, 0, 0xC4, 1, 72, 0x80, 0x10,  // new device, 1 RR: 1,024
            0xA0, 0x1F, 0x19, 73, 0x0A,  // 1,000 ms later; contact, 1 RR: 5 more
            0, 0, 0, 0, 0, 0, 0, 0,  // steps, session, place, day
        ]
    )
}()

/// Puts the checksum before the rest of a block.
func checksummed(_ rest: [UInt8]) -> [UInt8] {
    let checksum = CRC32C.checksum(rest.span)
    return (0..<4).map { UInt8(truncatingIfNeeded: checksum >> ($0 * 8)) } + rest
}

@Suite("Block vectors")
struct BlockVectorTests {
    /// RFC 3720, B.4.
    static let checksums: [(bytes: [UInt8], checksum: UInt32)] = [
        ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
        ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
        (Array(0...31), 0x46DD_794E),
        (Array((0...31).reversed()), 0x113F_DB5C),
        ([], 0),
        (Array("123456789".utf8), 0xE306_9283),
    ]

    @Test("computes the checksums of RFC 3720", arguments: checksums)
    func checksum(bytes: [UInt8], expected: UInt32) {
        #expect(CRC32C.checksum(bytes.span) == expected)
    }

    @Test("computes the same checksum by tables as by the processor's instruction")
    func checksumByTables() {
        var random = BlockRandom(seed: 32)
        let bytes = random.bytes(4_100...4_100)
        for start in 0..<16 {
            for count in Array(0...64) + [500, 4_075, 4_076, 4_080] {
                let part = bytes.span.extracting(start..<start + count)
                let checksums = (CRC32C.checksum(part), CRC32C.tableChecksum(part))
                #expect(checksums.0 == checksums.1)
            }
        }
    }

    @Test("writes the block that the page describes, to the byte")
    func goldenBytes() throws {
        var builder = BlockBuilder()
        for event in golden.events {
            let fits = builder.append(event)
            #expect(fits)
        }
        let block = builder.bytes()
        #expect(block == golden.block)
    }

    @Test("reads the block that the page describes")
    func goldenEvents() throws {
        let read = try events(of: golden.block)
        #expect(read.map(\.header.position) == [0, 1, 2])
        var expected = golden.events
        for index in expected.indices { expected[index].header.position = Position(index) }
        #expect(read == expected)
    }

    @Test("holds 1,344 of the smallest events")
    func smallestEvents() {
        var builder = BlockBuilder()
        var event = golden.events[1]
        event.payload = []
        event.header.stamp = Stamp(boot: 0, wall: 0)
        var count = 0
        while builder.append(event) { count += 1 }
        let bytes = builder.bytes().count
        #expect(count == 1_344)
        #expect(bytes == 4_078)
    }

    @Test("needs 2,179 bytes for the largest event at the end of the longest log")
    func largestEvent() throws {
        // A block whose positions and indices take as many bytes as they can.
        var end: [UInt8] = []
        end.appendVarint(1 << 53 - 10)
        let control = [1] + end + [0, 0, 0, 0, 0, 1, 0, 0]
        var block = [1, 0, 1, 0, UInt8(end.count + 1), 0, UInt8(control.count), 0]
        block += [[UInt8]](repeating: [UInt8(end.count + 1), 0], count: 6).joined()
        block += end + [0] + control
        for _ in 0..<6 { block += [0] + end }
        var builder = BlockBuilder()
        try builder.resume(checksummed(block).span)
        builder.startNextBlock()

        var event = golden.events[1]
        event.payload = [UInt8](repeating: 1, count: EventLimit.payloadBytes)
        event.header.stamp = Stamp(boot: 1 << 53 - 1, wall: -(1 << 53 - 1), number: .max)
        event.header.version = .max
        event.header.source = .max
        let fits = builder.append(event)
        let bytes = builder.bytes()
        #expect(fits)
        #expect(bytes.count == 2_179)
        #expect(try BlockReader.verify(bytes.span) == 1)
    }
}
