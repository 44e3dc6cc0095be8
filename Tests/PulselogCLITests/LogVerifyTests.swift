import EventStoreLMDB
import Events
import Foundation
import TestSupport
import Testing

/// What `pulselog log verify` shows of a long log, and how it ends when it is interrupted.
@Suite("pulselog log verify", .timeLimit(.minutes(5)))
struct LogVerifyTests {
    let bench = Workbench()

    /// Makes a log of more than 16 MiB.
    private func makeLog() async throws {
        var first = EventBatch()
        let stamp = Stamp(boot: 0, wall: 0)
        try first.append(.originBegan(OriginBegan()), stamp: stamp, flags: [])
        let origin = LogOrigin(id: Array(0..<16), createdMilliseconds: 0, events: first)
        let log = try LMDBEventLog.open(directory: bench.store, mode: .create(origin))
        for part in 0..<8 {
            let numbers = UInt64(1 + part * 10_000)..<UInt64(1 + (part + 1) * 10_000)
            _ = try await log.append(batch(numbers), expecting: nil)
        }
        #expect(try log.statistics().fileBytes > 17 << 20)
        log.close()
    }

    private func batch(_ numbers: Range<UInt64>) throws -> EventBatch {
        var batch = EventBatch()
        for number in numbers {
            let text = String(repeating: "a stone \(number) ", count: 20)
            try batch.append(
                .noted(Noted(text: text)),
                stamp: Stamp(boot: number, wall: Int64(number)),
                flags: [])
        }
        return batch
    }

    /// Starts a verification whose standard error is a terminal.
    private func start(_ terminal: PseudoTerminal) throws -> RunningProgram {
        try bench.shell("exec \"$0\" log verify 2>\(terminal.path)")
    }

    @Test("shows how far it is on a terminal, within 80 columns, and nothing elsewhere")
    func progress() async throws {
        try await makeLog()
        let terminal = try PseudoTerminal()
        let end = try await start(terminal).end
        #expect(end.status == 0 && end.text.contains("sound"), "\(end.text)")
        let drawn = terminal.text.split(separator: "\r\u{1B}[K", omittingEmptySubsequences: false)
        #expect(drawn.first == "" && drawn.last == "", "It is taken away at the end.")
        let lines = drawn.dropFirst().dropLast()
        #expect(lines.last == "Verifying [\(String(repeating: "#", count: 40))] 100 %")
        #expect(lines.allSatisfy { $0.hasPrefix("Verifying [") && $0.count <= 80 })
        let piped = try await bench.expect("log", "verify")
        #expect(piped.messages.isEmpty && piped.text == end.text)
    }

    @Test("says of a file that cannot be opened that nothing of it is good")
    func unreadable() async throws {
        _ = try await bench.output("profile", "set", "height=180cm")
        try Data().write(to: URL(filePath: bench.store + "/data.mdb"))
        let end = try await bench.expect("log", "verify", status: 1)
        #expect(end.text.hasPrefix("0 good events, then: The log is damaged"))
        let line = try await bench.object("log", "verify")
        #expect(!line.flag("eventsGood") && !line.flag("sound"))
    }

    @Test("leaves a clean line and the signal's exit status when it is interrupted")
    func interruption() async throws {
        try await makeLog()
        let terminal = try PseudoTerminal()
        let verify = try start(terminal)
        try await terminal.wait(for: "Verifying", after: 0, from: verify)
        verify.signal(SIGINT)
        let end = await verify.end
        // It may have been done already.
        guard end.status != 0 else { return }
        #expect(end.status == -SIGINT && end.text.isEmpty)
        #expect(
            terminal.text.hasSuffix(
                "%\r\u{1B}[Kpulselog: Interrupted. The log was not verified to its end.\r\n"),
            "\(terminal.text)")
    }
}
