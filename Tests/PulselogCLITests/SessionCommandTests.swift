import TestSupport
import Testing

/// Commands of another process, while a recorder runs.
@Suite("Commands beside a recorder")
struct SessionCommandTests {
    let bench = Workbench()

    /// A strap that tells by what it sends whether somebody listens: the counts 1, 2, 3… come
    /// while the recorder has left it, 60 BPM while it listens.
    static let scenario = #"""
        {"devices":[{"id":"strap","name":"Strap One","address":"C4:00:00:00:00:01","play":[
            {"wait":"subscribed"},
            {"notify":"2A37","hex":"063c","every":0.01},{"notify":"2A37","hex":"063c"},
            {"wait":"unsubscribed"},
            {"stream":"counter","for":0.2,"rate":50},
            {"wait":"subscribed"},
            {"notify":"2A37","hex":"063c","every":0.01},{"notify":"2A37","hex":"063c"}]}]}
        """#

    @Test("act on it: pause, resume, mark, refresh and stop", .timeLimit(.minutes(5)))
    func acting() async throws {
        try await bench.playing(scenario: Self.scenario) { strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await record.waitForHeartRates(2)
            try await act(["pause"], "sessionPaused", record)
            try await act(["mark", "bench", "by", "the", "river"], "sessionMarked", record)
            try await act(["refresh"], "reconciliationTriggered", record)
            // Two values before the pause, ten in it.
            try await strap.waitForLines(12)
            try await act(["resume"], "sessionResumed", record)
            try await record.waitForHeartRates(2)
            try await act(["stop"], "sessionEnded", record)
            let end = await record.end
            #expect(end.status == 0, "\(end.messages)")
            // The play goes on after each wait only if the recorder left and came back.
            try await strap.waitForEnd()
            let sent = try strap.sent()
            let lost = try sent.filter { !$0.flag("delivered") }.map { try $0.text("value") }
            #expect(lost.first == "0001")
            let delivered = try strap.deliveredHeartRates()
            #expect(Set(delivered) == ["063c"])
            #expect(try RecordTests.heartRates(end.lines) == delivered)
            let session = try Line(try #require(end.lines.last)).object("session")
            #expect(try session.integer("marks") == 1)
            #expect(try session.integer("pausedMilliseconds") > 0)
            #expect(try session.object("heartRate").integer("samples") == 4)
        }
    }

    /// Runs a command, and waits until the recorder shows its event.
    private func act(
        _ arguments: [String], _ kind: String, _ record: RunningProgram
    ) async throws {
        let command = try bench.start(arguments)
        try await record.event(kind)
        let end = await command.end
        #expect(end.status == 0, "\(end.messages)")
    }
}
