import Foundation
import TestSupport
import Testing

/// An export has an end, so that a copy that ended early is noticed.
@Suite("End of an export")
struct ExportFrameTests {
    let bench = Workbench()

    /// The lines of an export, each with its end.
    private func exported(_ arguments: String...) async throws -> [[UInt8]] {
        _ = try await bench.run("import", ReplayCase("drops").capture)
        let end = try await bench.start(["export"] + arguments).end
        return end.output.split(separator: 0x0A).map { Array($0) + [0x0A] }
    }

    private func imported(
        _ lines: some Collection<[UInt8]>, _ options: String...
    ) async throws -> RunningProgram.End {
        let file = try bench.file("lines.jsonl", lines.flatMap { $0 })
        try? FileManager.default.removeItem(atPath: bench.folder + "/new")
        return try await bench.start(
            ["import", file, "--store", bench.folder + "/new"] + options
        ).end
    }

    @Test("names the events before it and what they come to, in every kind of export")
    func frame() async throws {
        for arguments in [[], ["last"], ["--anonymous"], ["last", "--anonymous"]] {
            _ = try await bench.run("import", ReplayCase("drops").capture)
            let end = try await bench.start(["export"] + arguments).end
            let lines = end.lines
            #expect(lines.first == #"{"export":1}"#)
            let last = try Line(try #require(lines.last))
            #expect(try last.integer("end") == lines.count - 2)
            #expect(try last.text("sha256").count == 64)
            let path = bench.folder + "/out.jsonl"
            let options = ["--out", path, "--force"]
            try await bench.expect(["export"] + arguments + options)
            #expect(try Data(contentsOf: URL(filePath: path)) == Data(end.output))
        }
    }

    @Test("that is missing is noticed wherever the file was cut, and --partial takes the rest")
    func cut() async throws {
        let lines = try await exported()
        for count in [2, 9, lines.count - 2, lines.count - 1] {
            let refused = try await imported(lines.prefix(count))
            #expect(refused.status == 65, "\(count): \(refused.messages)")
            #expect(refused.messages.contains("cut off"), "\(refused.messages)")
            let partial = try await imported(lines.prefix(count), "--partial")
            #expect(partial.status == 0, "\(count): \(partial.messages)")
            let log = try await bench.run(
                "log", "cat", "--json", "--store", bench.folder + "/new")
            #expect(log.output == lines[1..<min(count, lines.count - 1)].flatMap { $0 })
        }
        let inLine = try await imported(lines.prefix(9) + [Array(lines[9].prefix(40))])
        #expect(inLine.status == 65 && inLine.messages.contains("--partial"), "\(inLine.messages)")
    }

    @Test("that says something else than the lines before it is refused")
    func changed() async throws {
        let lines = try await exported()
        #expect(try await imported(lines).status == 0)
        var other = lines
        other[5] = Array(
            String(decoding: lines[5], as: UTF8.self)
                .replacing(#""bootNumber":0"#, with: #""bootNumber":1"#).utf8)
        try #require(other[5] != lines[5])
        let end = try await imported(other)
        #expect(end.status == 65 && end.messages.contains("was changed"), "\(end.messages)")
        let doubled = try await imported(lines + [lines[1]])
        #expect(doubled.status == 65, "\(doubled.messages)")
        let plain = try await imported(lines.dropFirst().dropLast())
        #expect(plain.status == 0, "nothing is expected of lines that announce no end")
    }

    @Test("is found behind other ends of lines and a byte order mark")
    func otherText() async throws {
        let lines = try await exported()
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(try await imported([mark] + lines).status == 0)
        #expect(try await imported([mark] + lines.dropFirst().dropLast()).status == 0)
        #expect(try await imported(lines.map { $0.dropLast() + [0x0D, 0x0A] }).status == 0)
    }

    @Test("text in UTF-16 and an array are named")
    func foreignText() async throws {
        let lines = try await exported()
        let text = String(decoding: lines.flatMap { $0 }, as: UTF8.self)
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian] {
            let data = try #require(text.data(using: encoding))
            let end = try await imported([Array(data)])
            #expect(end.status == 65 && end.messages.contains("UTF-16"), "\(end.messages)")
        }
        let array = Array("[\n{\"position\":0}\n]\n".utf8)
        for options in [[], ["--as", "jsonl"]] {
            let file = try bench.file("array.json", array)
            try await bench.expect(
                ["import", file, "--store", bench.folder + "/x"] + options, status: 65,
                says: "JSON array")
        }
    }
}
