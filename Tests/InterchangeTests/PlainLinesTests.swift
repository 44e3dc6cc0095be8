import Events
import Interchange
import TestSelection
import TestSupport
import Testing

/// ``JSONLinesReader`` reads a line that stands as an export writes it without the parser; whatever
/// is done to such a line, both must answer the same.
@Suite("Plain lines")
struct PlainLinesTests {
    /// What a reader makes of a file's lines, blank ones left out.
    static func read(_ lines: [[UInt8]]) -> [Result<EventLine, JSONLinesError>] {
        var reader = JSONLinesReader()
        for line in lines { reader.push(line + [UInt8(ascii: "\n")]) }
        reader.finish()
        var results: [Result<EventLine, JSONLinesError>] = []
        var event = EventLine(header: header(.noted), payload: [1, 2, 3])
        while true {
            do throws(JSONLinesError) {
                guard try reader.next(into: &event) else { return results }
                results.append(.success(event))
            } catch {
                results.append(.failure(error))
            }
        }
    }

    /// What the parser makes of them.
    static func parse(_ lines: [[UInt8]]) -> [Result<EventLine, JSONLinesError>] {
        lines.enumerated().compactMap { index, line in
            guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { return nil }
            return Result { () throws(JSONLinesError) in
                try JSONLines.decode(line: line, number: index + 1)
            }
        }
    }

    static func expectSame(_ lines: [[UInt8]], _ comment: Comment) {
        let (read, parsed) = (read(lines), parse(lines))
        #expect(read.count == parsed.count, comment)
        for (index, (read, parsed)) in zip(read, parsed).enumerated() where read != parsed {
            Issue.record("\(comment.rawValue), line \(index): \(read), parsed: \(parsed)")
        }
    }

    static func lines(_ random: inout RandomFields, _ kind: EventKind) throws -> [UInt8] {
        let payload = try random.event(kind).encodedPayload()
        let line = try JSONLines.encode(
            try random.header(kind, version: 1), payload: payload.span)
        return line.dropLast()
    }

    static let seeds: [UInt64] = [21, 22, 23, 24]

    @Test("are read as the parser reads them", arguments: EventKind.known, sample(seeds, 2))
    func same(_ kind: EventKind, _ seed: UInt64) throws {
        var random = RandomFields(seed: seed)
        let lines = try (0..<20).map { _ in try Self.lines(&random, kind) }
        Self.expectSame(lines, "\(kind), seed \(seed)")
    }

    @Test(
        "are read as the parser reads them when bytes change", arguments: EventKind.known,
        sample(seeds, 1))
    func changed(_ kind: EventKind, _ seed: UInt64) throws {
        var random = RandomFields(seed: seed)
        var lines: [[UInt8]] = []
        for _ in 0..<4 {
            // Long texts only take time: what matters is what stands around them.
            let line = try Self.lines(&random, kind)
            guard line.count < 2_000 else { continue }
            for _ in 0..<60 { lines.append(Self.change(line, &random.generator)) }
        }
        Self.expectSame(lines, "\(kind), seed \(seed)")
    }

    @Test("are read as the parser reads them when any byte is replaced, removed or doubled")
    func everyByte() throws {
        let device = DeviceID(address: 0xC4_00, space: .kernel)
        let events: [Event] = [
            .characteristicNotified(CharacteristicNotified(device: device, value: [0x16, 0xB4])),
            .pedometerRead(
                PedometerRead(device: device, reading: .counter(7), distanceMillimetres: 9)),
            .positionFixed(PositionFixed(latitudeE7: -5, altitudeMillimetres: 1)),
            .sessionEnded(SessionEnded(reason: .leftOpen)),
            .legacyValueImported(LegacyValueImported(date: .epoch, total: 3)),
        ]
        for event in events {
            let payload = try event.encodedPayload()
            let line: [UInt8] = try JSONLines.encode(header(event.kind), payload: payload.span)
                .dropLast()
            var lines: [[UInt8]] = []
            for index in line.indices {
                lines.append(Array(line[..<index] + line[(index + 1)...]))
                lines.append(Array(line[...index] + line[index...]))
                for byte in Self.alphabet {
                    var changed = line
                    changed[index] = byte
                    lines.append(changed)
                }
            }
            Self.expectSame(lines, "\(event.kind)")
        }
    }

    /// Bytes that mean something in a line, and some that may not stand there.
    static let alphabet =
        Array("{}[]\":,\\-+.eE0189aAfFtn xu/".utf8) + [0x00, 0x09, 0x7F, 0xC3, 0xA9]

    static func change(_ line: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var line = line
        for _ in 0...Int.random(in: 0...2, using: &generator) {
            let index = Int.random(in: line.indices, using: &generator)
            let byte = alphabet.randomElement(using: &generator) ?? 0
            switch UInt8.random(in: 0..<6, using: &generator) {
            case 0: line.remove(at: index)
            case 1: line.insert(byte, at: index)
            case 2: line.insert(contentsOf: Array(" \t".utf8), at: index)
            case 3: line.swapAt(index, Int.random(in: line.indices, using: &generator))
            default: line[index] = byte
            }
            if line.isEmpty { line = [UInt8(ascii: "{")] }
        }
        return line
    }

    @Test("leave the event alone that a refused line was to replace")
    func refused() throws {
        var reader = JSONLinesReader()
        reader.push(Array("\(JSONLinesReaderTests.line(3))\n{}\n".utf8))
        var event = EventLine(header: header(.noted), payload: [1, 2, 3])
        #expect(try reader.next(into: &event))
        let first = event
        #expect(throws: JSONLinesError.self) { try reader.next(into: &event) }
        #expect(try !reader.next(into: &event))
        #expect(event == first && first.header.position == 3 && first.payload.isEmpty)
    }

    @Test("are written after each other as one by one, and after a refused event as before")
    func writer() throws {
        var random = RandomFields(seed: 31)
        var writer = JSONLinesWriter()
        var expected: [UInt8] = []
        for (index, kind) in EventKind.known.enumerated() {
            let payload = try random.event(kind).encodedPayload()
            let header = try random.header(kind, version: 1)
            try writer.append(header, payload: payload.span)
            expected += try JSONLines.encode(header, payload: payload.span)
            let tooLong = [UInt8](repeating: 0, count: 2_049)
            #expect(throws: FieldError.self) { try writer.append(header, payload: tooLong.span) }
            #expect(writer.bytes == expected)
            if index % 7 == 0 {
                writer.removeAll()
                expected = []
            }
        }
    }
}
