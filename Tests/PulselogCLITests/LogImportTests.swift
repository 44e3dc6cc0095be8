import Events
import Foundation
import TestSelection
import TestSupport
import Testing

/// A log of more bytes than one batch holds: its store is there whole or not at all.
@Suite("pulselog import of a long log")
struct LogImportTests {
    let bench = Workbench()

    /// More than the first batch, which is full at 1 MiB of payloads, and more after it than a pipe
    /// and the reader's chunk hold.
    static let eventCount = 1_400

    static let log: [UInt8] = {
        let note = Event.noted(Noted(text: String(repeating: "walk", count: 256))).line()
        let lines =
            [Event.originBegan(OriginBegan()).line()]
            + Array(repeating: note, count: eventCount - 1)
        return lines.enumerated().flatMap { Array(($1.setting("position", to: $0) + "\n").utf8) }
    }()

    /// A pipe with a name, at the other end of which an import reads.
    struct Feed {
        let program: RunningProgram
        let input: FileHandle
    }

    /// Starts an import and writes bytes to it; returns when it has read all but a pipe's content.
    func feed(_ bytes: [UInt8]) throws -> Feed {
        let pipe = bench.folder + "/pipe"
        guard mkfifo(pipe, 0o600) == 0 else { throw ProgramError("No pipe.") }
        let program = try bench.start(["import", pipe])
        let input = try #require(FileHandle(forWritingAtPath: pipe))
        try FileManager.default.removeItem(atPath: pipe)
        try input.write(contentsOf: Data(bytes))
        return Feed(program: program, input: input)
    }

    @Test("restores it from a file, and from a pipe at standard input, to the byte")
    func whole() async throws {
        let path = try bench.file("log.jsonl", Self.log)
        #expect(try await bench.run("import", path).text.hasPrefix("1,400 events restored"))
        #expect(try await bench.output("export") == Self.log)
        let line = "cat '\(path)' | \"$0\" import - --json --store '\(bench.folder)/piped'"
        let end = try await bench.shell(line).end
        #expect(end.status == 0 && end.text == "{\"events\":1400}\n", "\(end.messages)")
        #expect(try await bench.output("export", "--store", bench.folder + "/piped") == Self.log)
    }

    /// What is wrong at the end of a log.
    ///
    /// A name alone: the runner writes out every argument.
    enum Damage: String, CaseIterable {
        case noEvent = "a last line that is no event"
        case cut = "a last line that is cut off"
        case noVersion = "an event that is missing"
        case gap = "a position that jumps"

        var bytes: [UInt8] {
            let pause = Event.sessionPaused(SessionPaused()).line().setting("position", to: 1_401)
            return switch self {
            case .noEvent: LogImportTests.log + "{\"position\":1400}\n".utf8
            case .cut: LogImportTests.log.dropLast(9)
            case .noVersion:
                LogImportTests.log + "\(pause.replacing(#","version":1"#, with: ""))\n".utf8
            case .gap: LogImportTests.log + "\(pause)\n".utf8
            }
        }

        var words: String {
            switch self {
            case .noEvent, .noVersion: "ine 1401"
            case .cut: "ine 1400"
            case .gap: "position 1401"
            }
        }
    }

    @Test(
        "imports nothing of it if something is wrong at its end",
        arguments: sample(Damage.allCases, 2))
    func damaged(_ damage: Damage) async throws {
        let path = try bench.file("log.jsonl", damage.bytes)
        let end = try await bench.expect(
            "import", path, status: 65, says: damage.words, "Nothing was imported.")
        #expect(end.output.isEmpty)
        #expect(try bench.names() == ["log.jsonl"])
    }

    @Test(
        "imports nothing when it is interrupted while it waits, and ends by the signal",
        arguments: sample([SIGINT, SIGTERM, SIGHUP]))
    func interrupted(_ number: Int32) async throws {
        let feed = try feed(Self.log)
        #expect(try bench.names().contains { $0.hasPrefix("store.creating-") })
        feed.program.signal(number)
        let end = await feed.program.end
        #expect(end.status == -number)
        #expect(end.messages == "pulselog: Interrupted. Nothing was imported.\n")
        #expect(try bench.names().isEmpty)
        try feed.input.close()
    }

    @Test("names what a killed import left, and can be repeated")
    func killed() async throws {
        let feed = try feed(Self.log)
        feed.program.signal(SIGKILL)
        _ = await feed.program.end
        try feed.input.close()
        let left = try bench.names()
        #expect(left.count == 1 && left[0].hasPrefix("store.creating-"))
        try await bench.expect("status", status: 66)
        try await bench.expect(
            "import", try bench.file("log.jsonl", Self.log), warns: "\(bench.folder)/\(left[0])")
        #expect(try await bench.output("export") == Self.log)
    }

    @Test("leaves the store alone that another command made meanwhile")
    func overtaken() async throws {
        let feed = try feed(Self.log)
        let capture = ReplayCase("malformed")
        try await bench.load(capture.name)
        try feed.input.close()
        let end = await feed.program.end
        #expect(end.status == 73 && end.output.isEmpty, "\(end.messages)")
        #expect(end.messages.contains("--store") && end.messages.contains("Nothing was imported"))
        #expect(try await bench.output("export") == capture.bytes(of: "capture.jsonl"))
        #expect(try bench.names() == ["store"])
    }
}
