import Events
import Interchange
import TestSupport
import Testing

@Suite("JSONLinesReader")
struct JSONLinesReaderTests {
    /// What a reader made of a file: the positions it read and the errors, in order.
    struct Outcome: Equatable {
        var positions: [UInt64] = []
        var errors: [String] = []
        var lines = 0
    }

    static func line(_ position: Int) -> String {
        """
        {"position":\(position),"source":0,"bootMilliseconds":1,"wallMilliseconds":2,\
        "bootNumber":0,"wallTrusted":true,"simulated":false,"kind":"sessionPaused","version":1}
        """
    }

    static func read(_ file: [UInt8], chunk: Int) -> Outcome {
        var reader = JSONLinesReader()
        var outcome = Outcome()
        func drain() {
            while true {
                do throws(JSONLinesError) {
                    guard let event = try reader.next() else { return }
                    outcome.positions.append(event.header.position)
                } catch {
                    outcome.errors.append("\(error.line) \(error.code)")
                }
            }
        }
        for piece in file.pieces(of: chunk) {
            reader.push(piece)
            drain()
        }
        reader.finish()
        drain()
        outcome.lines = reader.lineNumber
        return outcome
    }

    static let files: [(name: String, text: String, expected: Outcome)] = [
        ("nothing", "", Outcome()),
        ("two lines", "\(line(0))\n\(line(1))\n", Outcome(positions: [0, 1], lines: 2)),
        ("no last newline", "\(line(0))\n\(line(1))", Outcome(positions: [0, 1], lines: 2)),
        ("CR LF", "\(line(0))\r\n\(line(1))\r\n", Outcome(positions: [0, 1], lines: 2)),
        ("byte order mark", "\u{FEFF}\(line(0))\n", Outcome(positions: [0], lines: 1)),
        ("only a byte order mark", "\u{FEFF}", Outcome(lines: 1)),
        (
            "a second byte order mark", "\(line(0))\n\u{FEFF}\(line(1))\n",
            Outcome(positions: [0], errors: ["2 invalidJSON"], lines: 2)
        ),
        (
            "blank lines", "\n \t\n\(line(0))\n\r\n\n\(line(1))\n\n",
            Outcome(positions: [0, 1], lines: 7)
        ),
        (
            "a last line cut off", "\(line(0))\n{\"position\":1,\"sour",
            Outcome(positions: [0], errors: ["2 truncatedLine"], lines: 2)
        ),
        (
            "a cut line that was ended", "{\"position\":1,\"sour\n\(line(1))\n",
            Outcome(positions: [1], errors: ["1 invalidJSON"], lines: 2)
        ),
        (
            "a whole last line that is no event", "{}",
            Outcome(errors: ["1 missingKey"], lines: 1)
        ),
        (
            "bad lines between good ones", "\(line(0))\nx\n[]\n\(line(1))\n{}\n\(line(2))\n",
            Outcome(
                positions: [0, 1, 2], errors: ["2 invalidJSON", "3 notAnObject", "5 missingKey"],
                lines: 6)
        ),
        (
            "a line of 16 KiB",
            line(0) + String(repeating: " ", count: 16_384 - line(0).utf8.count)
                + "\r\n\(line(1))\n",
            Outcome(positions: [0, 1], lines: 2)
        ),
        (
            "a line of one byte more",
            line(0) + String(repeating: " ", count: 16_385 - line(0).utf8.count)
                + "\r\n\(line(1))\n",
            Outcome(positions: [1], errors: ["1 lineTooLong"], lines: 2)
        ),
        (
            "a line of 100 KiB",
            "\(line(0))\n[\(String(repeating: "1,", count: 50_000))\n\(line(2))",
            Outcome(positions: [0, 2], errors: ["2 lineTooLong"], lines: 3)
        ),
        (
            "an endless last line", "\(line(0))\n" + String(repeating: "[", count: 100_000),
            Outcome(positions: [0], errors: ["2 lineTooLong"], lines: 2)
        ),
    ]

    @Test("reads the same however the file is cut", arguments: files)
    func chunks(_ file: (name: String, text: String, expected: Outcome)) {
        let bytes = Array(file.text.utf8)
        let sizes = bytes.count > 1_000 ? [7, 4_096, 16_384, 1 << 20] : [1, 2, 3, 5, 64, 4_096]
        for size in sizes {
            let outcome = Self.read(bytes, chunk: size)
            #expect(outcome == file.expected, "\(file.name), chunks of \(size) bytes")
        }
    }

    @Test("calls a line truncated at every place where a file can be cut")
    func everyTruncation() {
        let bytes = Array((Self.line(0) + "\n" + Self.line(1)).utf8)
        let first = Self.line(0).utf8.count
        for count in first + 2..<bytes.count {
            let outcome = Self.read(Array(bytes.prefix(count)), chunk: 64)
            #expect(
                outcome == Outcome(positions: [0], errors: ["2 truncatedLine"], lines: 2),
                "cut after \(count) bytes")
        }
    }

    @Test("gives back a written log, byte for byte")
    func wholeLog() throws {
        var random = RandomFields(seed: 11)
        var file: [UInt8] = []
        for (position, kind) in (EventKind.known + EventKind.known).enumerated() {
            var header = try random.header(kind, version: 1)
            header.position = UInt64(position)
            let payload = try random.event(kind).encodedPayload()
            file += try JSONLines.encode(header, payload: payload.span)
        }
        var reader = JSONLinesReader()
        reader.push(file)
        reader.finish()
        var written: [UInt8] = []
        while let event = try reader.next() {
            written += try JSONLines.encode(event.header, payload: event.payload.span)
        }
        #expect(written == file)
        #expect(reader.lineNumber == 2 * EventKind.known.count)
    }

    @Test("refuses bytes after the end of the file")
    func pushAfterFinish() async {
        await #expect(processExitsWith: .failure) {
            var reader = JSONLinesReader()
            reader.finish()
            reader.push([])
        }
    }
}
