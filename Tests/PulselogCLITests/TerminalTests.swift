import Foundation
import TestSupport
import Testing

/// `pulselog record` at a terminal: what it draws, and what it leaves behind.
@Suite("A recording in a terminal")
struct TerminalTests {
    let bench: Workbench
    let terminal: PseudoTerminal

    init() throws {
        bench = try Workbench()
        terminal = try PseudoTerminal()
    }

    /// What shows the normal screen again.
    private static let restored = "\u{1B}[?25h\u{1B}[?1049l"

    /// Starts a simulated walk on the terminal, as a session of its own.
    private func start() async throws -> RunningProgram {
        let program = RunningProgram.builtPrograms + "/pulselog"
        let command =
            "exec setsid --ctty \"$0\" record --simulate <\(terminal.path) >\(terminal.path)"
        let record = try RunningProgram(
            "/bin/sh", ["-c", command, program],
            environment: bench.environment(["LANG": "C.UTF-8", "NO_COLOR": "1", "TERM": "xterm"]),
            limitSeconds: 60)
        try await terminal.wait(for: "p pause")
        try await terminal.wait(for: "BPM")
        return record
    }

    @Test("answers keys, and leaves the totals on the normal screen", .timeLimit(.minutes(1)))
    func keys() async throws {
        let record = try await start()
        #expect(terminal.text.hasPrefix("\u{1B}[?1049h"))
        for (keys, answer) in [
            ("p", "Paused"), ("p", "already"), ("r", "Recording"), ("x", "? lists the keys"),
            ("mbridge\r", "Marked: bridge"), ("?", "The log is in"), ("?", "Energy"),
            ("s", "Finish this walk?"),
        ] {
            let seen = terminal.text.count
            try terminal.type(keys)
            try await terminal.wait(for: answer, after: seen)
        }
        try terminal.type("s")
        let end = await record.end
        #expect(end.status == 0, "\(end.messages)")
        let text = terminal.text
        let after = try #require(text.range(of: Self.restored)).upperBound
        #expect(text[after...].hasPrefix("Session "))
        #expect(text[after...].contains("sha256:"))
        #expect(!text[after...].contains("\u{1B}"))
        let log = try await bench.run("export").text
        #expect(log.contains("bridge") && log.contains(#""kind":"sessionEnded""#))
    }

    @Test("gives the screen to the shell at Ctrl-Z, and takes it again", .timeLimit(.minutes(1)))
    func stops() async throws {
        let program = RunningProgram.builtPrograms + "/pulselog"
        let shell = #"set -m; "$0" record --simulate; echo STOPPED; fg"#
        let command =
            "exec setsid --ctty --wait /bin/sh -c '\(shell)' \"$0\" "
            + "<\(terminal.path) >\(terminal.path)"
        let session = try RunningProgram(
            "/bin/sh", ["-c", command, program],
            environment: bench.environment(["NO_COLOR": "1", "TERM": "xterm"]), limitSeconds: 60)
        try await terminal.wait(for: "p pause")
        var seen = terminal.text.count
        try terminal.type("\u{1A}")
        try await terminal.wait(for: "STOPPED", after: seen)
        let text = terminal.text.dropFirst(seen)
        let stopped = try #require(text.range(of: "STOPPED")).lowerBound
        #expect(text[..<stopped].contains(Self.restored))
        seen = terminal.text.count
        try await terminal.wait(for: "p pause", after: seen)
        for _ in 1...2 { try terminal.type("q") }
        #expect(await session.end.status == 0)
    }

    @Test("leaves the walk open with q, and goes on with it", .timeLimit(.minutes(1)))
    func leaving() async throws {
        let record = try await start()
        try terminal.type("q")
        try await terminal.wait(for: "Quit and keep the walk open?")
        try terminal.type("q")
        #expect(await record.end.status == 0)
        let log = try await bench.run("export").text
        #expect(!log.contains(#""kind":"sessionEnded""#))
        let seen = terminal.text.count
        let next = try await start()
        try await terminal.wait(for: "is open; continuing it", after: seen)
        next.signal(SIGINT)
        #expect(await next.end.status == 0)
    }

    @Test(
        "gives the screen back however it ends", .timeLimit(.minutes(1)),
        arguments: [
            SIGTERM, SIGINT, SIGSEGV, SIGTRAP,
        ])
    func restored(_ signal: Int32) async throws {
        let record = try await start()
        record.signal(signal)
        _ = await record.end
        #expect(terminal.text.contains(Self.restored))
    }
}
