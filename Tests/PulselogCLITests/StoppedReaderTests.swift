import Foundation
import TestSelection
import TestSupport
import Testing

/// Who stops reading stops nothing but reading.
@Suite("A reader who stopped reading", .timeLimit(.minutes(5)))
struct StoppedReaderTests {
    let bench = Workbench()

    /// A pipe with a name that is full, and that nobody reads while the handle is open.
    private func fullPipe() throws -> (path: String, handle: FileHandle) {
        let path = bench.folder + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw ProgramError("\(path) cannot be opened.") }
        let byte: [UInt8] = [0x0A]
        while write(descriptor, byte, 1) == 1 {}
        #expect(errno == EAGAIN)
        return (path, FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    }

    /// Starts `pulselog` with its streams led elsewhere, as a shell writes it.
    private func start(_ redirection: String, _ arguments: [String]) throws -> RunningProgram {
        try bench.shell("exec \"$0\" \"$@\" \(redirection)", arguments, limitSeconds: 120)
    }

    /// Starts a recorder that nobody reads; another terminal has seen that the walk began.
    private func recording(_ redirection: String) async throws -> RunningProgram {
        _ = try await bench.output("profile", "set", "height=180cm")
        let tail = try bench.start(["log", "tail", "--follow", "--json"])
        let record = try start(redirection, ["record", "--json", "--simulate"])
        try await tail.event("sessionStarted")
        return record
    }

    /// The stamps of the heart rates in the log, on both clocks.
    private func stamps() async throws -> [(boot: Int, wall: Int)] {
        try await bench.run("export").lines.filter { $0.contains("characteristicNotified") }.map {
            let line = try Line($0)
            return (try line.integer("bootMilliseconds"), try line.integer("wallMilliseconds"))
        }
    }

    static let streams = [">", "2>", ">PIPE 2>"]

    @Test("holds up neither the recording nor its end", arguments: sample(streams))
    func limited(_ redirection: String) async throws {
        let pipe = try fullPipe()
        let text = redirection.replacing("PIPE", with: pipe.path) + pipe.path
        let began = RunningProgram.now()
        let end = try await start(
            text, ["record", "--json", "--simulate", "--for", "3s"]
        ).end
        // Whoever gets only a part of the events hears of it.
        #expect(end.status == (redirection == "2>" ? 0 : 74), "\(end.messages)")
        let took = RunningProgram.now() - began
        #expect(took < 60_000)
        let stamps = try await stamps()
        #expect(stamps.count >= 3)
        // They came while they were being recorded, and did not pile up before it.
        #expect(stamps[stamps.count - 1].boot - stamps[0].boot >= 2_000)
        #expect(stamps.allSatisfy { abs($0.wall - $0.boot - stamps[0].wall + stamps[0].boot) < 50 })
        try await bench.expect(
            "export", says: #""kind":"sessionEnded""#, #""kind":"recorderStopped""#)
    }

    @Test("keeps no signal from ending it", arguments: sample([SIGINT, SIGTERM]))
    func signals(_ number: Int32) async throws {
        let pipe = try fullPipe()
        let record = try await recording(">" + pipe.path)
        _ = try await bench.start(["mark"]).end
        record.signal(number)
        let end = await record.end
        #expect(end.status == 74, "\(end.messages)")
        #expect(end.messages.contains("Nobody read the output. Its end is missing"))
        let log = try await bench.run("export")
        #expect(log.text.contains(#""kind":"sessionEnded""#) == (number == SIGINT))
    }

    static let searches = [
        ("2>", ["devices", "pair", "--seconds", "1"]), (">", ["scan", "--seconds", "1"]),
    ]

    @Test("lengthens no search in a terminal", arguments: sample(searches))
    func searching(_ redirection: String, _ arguments: [String]) async throws {
        let terminal = try PseudoTerminal()
        try terminal.stopOutput()
        let scenario =
            #"{"devices":[{"id":"pod","address":"C4:00:00:00:00:03","services":["rsc"]}]}"#
        try await bench.playing(scenario: scenario) { strap in
            let search = try bench.shell(
                "exec \"$0\" \"$@\" \(redirection)\(terminal.path)", arguments, strap.variables,
                limitSeconds: 30)
            let end = await search.end
            #expect(end.status == 69, "\(end.messages)")
        }
        withExtendedLifetime(terminal) {}
    }

    @Test("keeps no failure from its exit code")
    func failure() async throws {
        let pipe = try fullPipe()
        #expect(try await start("2>" + pipe.path, ["status"]).end.status == 66)
    }

    @Test("gets what waited when it reads again")
    func again() async throws {
        let pipe = try fullPipe()
        let record = try await recording(">" + pipe.path)
        let reading = Thread.lines(of: pipe.handle)
        for await line in reading where line.contains("sessionStarted") { break }
        await record.finish()
    }
}

extension Thread {
    /// The lines of a pipe, read on a thread of its own.
    fileprivate static func lines(of handle: FileHandle) -> AsyncStream<String> {
        let (lines, end) = AsyncStream.makeStream(of: String.self)
        let descriptor = handle.fileDescriptor
        Thread.detachNewThread {
            var rest = ""
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while true {
                var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&request, 1, 10_000) > 0 else { break }
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { break }
                rest += String(decoding: buffer[..<count], as: UTF8.self)
                let parts = rest.split(separator: "\n", omittingEmptySubsequences: false)
                for part in parts.dropLast() { end.yield(String(part)) }
                rest = String(parts.last ?? "")
            }
            end.finish()
        }
        return lines
    }
}
