import Foundation
import TestSelection
import TestSupport
import Testing

/// `pulselog record` at a terminal: what it draws, and what it leaves behind.
@Suite("A recording in a terminal", .timeLimit(.minutes(5)))
struct TerminalTests {
    let bench = Workbench()
    let terminal: PseudoTerminal

    init() throws { terminal = try PseudoTerminal() }

    /// What shows the normal screen again.
    private static let restored = "\u{1B}[?25h\u{1B}[?1049l"
    /// A simulated walk that says which process it is, in a shell's words.
    private static let walk =
        #"sh -c 'echo "PID $$."; exec "$0" record --simulate' "$0""#

    /// A shell that has the terminal, and the walk that it started.
    private struct Session {
        let shell: RunningProgram
        let processID: pid_t

        func signal(_ number: Int32) { kill(processID, number) }
    }

    /// Starts a shell on the terminal, and waits until the walk that it starts is drawn.
    ///
    /// The shell outlives the walk: with the last process of a session the system resets the
    /// terminal.
    ///
    /// - Parameters:
    ///   - script: What it does; `$0` is the program.
    ///   - drawn: What is drawn, in this order.
    /// - Returns: Both.
    /// - Throws: `ProgramError` if it is not drawn.
    private func start(
        _ script: String = walk, untilDrawn drawn: [String] = ["p pause", "BPM"]
    ) async throws -> Session {
        let path = "\(bench.folder)/script"
        try Data(script.utf8).write(to: URL(filePath: path))
        let seen = terminal.text.count
        let command =
            "exec setsid --ctty --wait /bin/sh -c '. \"$1\"' \"$0\" \"$1\" "
            + "<\(terminal.path) >\(terminal.path)"
        let shell = try RunningProgram(
            "/bin/sh", ["-c", command, RunningProgram.pulselog, path],
            environment: bench.environment([
                "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "TERM": "xterm",
                "SWIFT_BACKTRACE": "enable=no",
            ]))
        for words in drawn { try await terminal.wait(for: words, after: seen, from: shell) }
        let digits = terminal.text.dropFirst(seen).split(separator: "PID ").last?
            .prefix { $0.isNumber }
        let processID = try #require(digits.flatMap { pid_t($0) })
        return Session(shell: shell, processID: processID)
    }

    /// Types, and waits until what comes of it is drawn.
    private func press(_ keys: String, until answer: String, _ session: Session) async throws {
        let seen = terminal.text.count
        try terminal.type(keys)
        try await terminal.wait(for: answer, after: seen, from: session.shell)
    }

    /// Types as people answer: not in the same moment as the key before.
    private func answer(_ key: String) async throws {
        try await Task.sleep(for: .milliseconds(500))
        try terminal.type(key)
    }

    @Test("answers keys, and leaves the totals on the normal screen")
    func keys() async throws {
        let session = try await start()
        #expect(terminal.text.contains("\u{1B}[?1049h"))
        #expect(terminal.text.contains("♥"))
        for (keys, answer) in [
            ("p", "Paused"), ("p", "already"), ("r", "Simulated"), ("x", "? lists the keys"),
            ("mbridge\r", "Marked: bridge"), ("?", "The log is in"), ("?", "HRV"),
            ("ss", "Finish this walk?"),
        ] {
            try await press(keys, until: answer, session)
        }
        try await self.answer("s")
        let left = try await textLeft(by: session)
        #expect(left.hasPrefix("Session ") && left.contains("sha256:"))
        let log = try await bench.run("export").text
        #expect(log.contains("bridge") && log.contains(#""kind":"sessionEnded""#))
    }

    /// What stands on the normal screen once a session has ended well.
    private func textLeft(by session: Session) async throws -> Substring {
        let end = await session.shell.end
        #expect(end.status == 0, "\(end.messages)")
        let text = terminal.text
        let left = text[try #require(text.range(of: Self.restored)).upperBound...]
        #expect(!left.contains("\u{1B}"))
        return left
    }

    @Test("is drawn again by a replay at its own pace, which q ends with the totals so far")
    func replay() async throws {
        let capture = ReplayCase("drops").capture
        let script =
            #"sh -c 'echo "PID $$."; exec "$0" replay "\#(capture)" --rate 20' "$0""#
        let session = try await start(script, untilDrawn: ["q quit", "● Replay", "BPM"])
        for (key, answer) in [("p", "This is a replay"), ("?", "a replay of"), ("?", "HRV")] {
            try await press(key, until: answer, session)
        }
        try terminal.type("q")
        #expect(try await textLeft(by: session).contains("Stopped after position"))
    }

    /// What a shell does after a job has stopped.
    private static let continuing = "\necho STOPPED; stty sane; fg"

    /// Waits until a walk that has stopped is drawn again, and gives what stood there before that.
    private func waitForContinuing(_ session: Session) async throws -> Substring {
        let text = terminal.text
        let before = text[..<(try #require(text.range(of: "STOPPED")).lowerBound)]
        try await terminal.wait(for: "p pause", after: before.count, from: session.shell)
        return before
    }

    @Test("gives the screen to the shell at Ctrl-Z, and takes it again")
    func stops() async throws {
        let session = try await start("set -m; " + Self.walk + Self.continuing)
        let taken = try terminal.localModes()
        try await press("\u{1A}", until: "STOPPED", session)
        let before = try await waitForContinuing(session)
        #expect(before.contains(Self.restored))
        #expect(try terminal.localModes() == taken)
        for _ in 1...2 { try await answer("q") }
        #expect(await session.shell.end.status == 0)
    }

    @Test("draws everything anew after a stop that it could not see coming", .slow)
    func stopsUnseen() async throws {
        let before = try terminal.localModes()
        let session = try await start(
            "set -m; " + Self.walk + Self.continuing + "\nstatus=$?; read line; exit $status")
        let taken = try terminal.localModes()
        session.signal(SIGSTOP)
        try await terminal.wait(for: "STOPPED", from: session.shell)
        let seen = try await waitForContinuing(session).count
        #expect(try terminal.localModes() == taken)
        for _ in 1...2 { try await answer("q") }
        try await terminal.wait(for: "sha256:", after: seen, from: session.shell)
        #expect(try terminal.localModes() == before)
        try terminal.type("\r")
        #expect(await session.shell.end.status == 0)
    }

    @Test("goes on at Ctrl-Z where no shell could let it go on", .slow)
    func orphaned() async throws {
        let session = try await start(Self.walk + "; exit $?")
        for (key, answer) in [("\u{1A}", "p pause"), ("p", "Paused"), ("?", "any key goes back")] {
            try await press(key, until: answer, session)
        }
        #expect(!terminal.text.contains("Ctrl-Z"))
        session.signal(SIGTERM)
        #expect(await session.shell.end.status == 0)
    }

    @Test("leaves the walk open with q, and goes on with it")
    func leaving() async throws {
        let first = try await start()
        try terminal.type("q")
        try await terminal.wait(for: "Quit and keep the walk open?", from: first.shell)
        try await answer("q")
        #expect(await first.shell.end.status == 0)
        let log = try await bench.run("export").text
        #expect(!log.contains(#""kind":"sessionEnded""#))
        let seen = terminal.text.count
        let next = try await start()
        try await terminal.wait(for: "is open; continuing it", after: seen, from: next.shell)
        next.signal(SIGINT)
        #expect(await next.shell.end.status == 0)
    }

    /// What ends a recording.
    static let ends = [SIGTERM, SIGINT, SIGSEGV, SIGBUS, SIGTRAP]

    @Test("gives the screen and the keyboard back however it ends", arguments: sample(ends, 2))
    func restored(_ signal: Int32) async throws {
        let before = try terminal.localModes()
        let session = try await start(Self.walk + "; echo ENDED; read line")
        #expect(try terminal.localModes() != before)
        session.signal(signal)
        try await terminal.wait(for: "ENDED", from: session.shell)
        #expect(terminal.text.contains(Self.restored))
        #expect(try terminal.localModes() == before)
        try terminal.type("\r")
        _ = await session.shell.end
    }

    @Test("gives the screen back though its output was stopped")
    func stoppedOutput() async throws {
        let session = try await start(Self.walk + "; exit $?")
        // The system takes keys in their order, but later: what the second one does is in the log
        // when the first one has stopped the output.
        let log = try bench.start(["log", "tail", "--follow", "--json"])
        try terminal.type("\u{13}f")
        try await log.line { $0.contains(#""trigger":"manual""#) }
        session.signal(SIGTERM)
        #expect(try await textLeft(by: session).contains("sha256:"))
    }
}
