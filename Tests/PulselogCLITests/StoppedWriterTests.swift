import Foundation
import TestSelection
import TestSupport
import Testing

/// Commands while another process is stopped in the middle of a write.
@Suite("Beside a stopped writer", .timeLimit(.minutes(5)))
struct StoppedWriterTests {
    let bench = Workbench()

    private func profile() async throws -> Line { try await bench.object("profile") }

    @Test(
        "a command names it after three seconds, and a signal ends it with nothing appended",
        arguments: sample([SIGINT, SIGTERM]))
    func callingOff(_ signal: Int32) async throws {
        _ = try await bench.output("profile", "set", "height=180cm")
        try await bench.withOtherWriter { writer in
            writer.stop()
            let began = RunningProgram.now()
            let command = try bench.start(["profile", "set", "weight=70kg"])
            let witness = try bench.start(["audit", "witness", "--out", bench.folder + "/kept"])
            let line = try await command.message(containing: writer.words)
            try await witness.message(containing: writer.words)
            witness.signal(signal)
            _ = await witness.end
            #expect(line.bootMilliseconds >= began + 3_000)
            #expect(line.text.contains(writer.advice))
            #expect(try await profile().integer("heightMillimetres") == 1_800)
            try await bench.expect("status")
            let end = await command.end(by: signal)
            #expect(end.status == -signal)
            #expect(end.messages.split(separator: "\n").count == 1, "\(end.messages)")
        }
        #expect(try await profile().fields["weightGrams"] is NSNull)
        _ = try await bench.output("profile", "set", "weight=71kg")
        #expect(try await profile().integer("weightGrams") == 71_000)
    }

    @Test("a command goes on as if nothing had been, when it goes on", .slow)
    func goingOn() async throws {
        _ = try await bench.output("profile", "set", "height=180cm")
        var command: RunningProgram?
        try await bench.withOtherWriter { writer in
            writer.stop()
            command = try bench.start(["profile", "set", "weight=70kg"])
            try await command?.message(containing: writer.words)
        }
        let end = try #require(await command?.end)
        #expect(end.status == 0 && end.messages.split(separator: "\n").count == 1)
        #expect(try await profile().integer("weightGrams") == 70_000)
    }

    // MARK: - A recorder

    @Test("a recorder that waits at its start ends at once", .slow, arguments: [SIGINT, SIGTERM])
    func start(_ signal: Int32) async throws {
        _ = try await bench.output("profile", "set", "height=180cm")
        let before = try await bench.output("export")
        try await bench.withOtherWriter { writer in
            writer.stop()
            let record = try bench.start(["record", "--simulate", "--events"])
            try await record.message(containing: writer.words)
            let end = await record.end(by: signal)
            #expect(end.status == 75, "\(end.messages)")
        }
        #expect(try await bench.output("export") == before)
        try await bench.expect("record", "--simulate", "--for", "1s")
    }

    @Test(
        "a recorder says so, ends when it is asked to, and leaves the strap", .slow,
        arguments: [SIGINT, SIGTERM])
    func recording(_ signal: Int32) async throws {
        let scenario = #"""
            {"devices":[{"address":"C4:00:00:00:00:01","play":[
                {"wait":"subscribed"},{"stream":"hr","for":2,"rate":10},
                {"wait":"disconnected"}]}]}
            """#
        try await bench.playing(scenario: scenario) { strap in
            let record = try bench.start(["record", "--events"], strap.variables)
            try await record.line { $0.contains("BPM") }
            try await bench.withOtherWriter { writer in
                writer.stop()
                let line = try await record.message(containing: writer.words)
                #expect(line.text.contains("Nothing can be recorded now"))
                let end = await record.end(by: signal)
                #expect(end.status == 75, "\(end.messages)")
                let last = try #require(end.messages.split(separator: "\n").last)
                #expect(last.contains("is not in the log") && last.contains(writer.words))
                try await strap.waitForEnd()
                try await bench.expect("status")
            }
            try await bench.expect("log", "verify")
            try await bench.expect("record", "--simulate", "--for", "1s")
        }
    }

    @Test("a recorder keeps what comes, and loses nothing when it goes on", .slow)
    func patience() async throws {
        let scenario = #"""
            {"devices":[{"address":"C4:00:00:00:00:01","play":[
                {"wait":"subscribed"},{"stream":"hr","for":600,"rate":20,"rr":true}]}]}
            """#
        try await bench.playing(scenario: scenario) { strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await record.event("characteristicNotified")
            try await bench.withOtherWriter { writer in
                writer.stop()
                try await record.message(containing: writer.words)
            }
            try await record.message(containing: "The data in memory is recorded")
            await record.finish()
            let recorded = try RecordTests.heartRates(try await bench.run("export").lines)
            #expect(recorded.count > 60, "Three seconds at least were waited for.")
            #expect(try strap.deliveredHeartRates().starts(with: recorded))
        }
    }
}
