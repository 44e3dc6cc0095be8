import Foundation
import TestSupport
import Testing

/// Commands while another process is stopped in the middle of a write.
@Suite("Beside a stopped writer", .timeLimit(.minutes(5)))
struct StoppedWriterTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    /// How long a command takes to end, at most, on a machine that has other things to do.
    private static let endMilliseconds: UInt64 = 20_000

    private func profile() async throws -> Line {
        try Line(String(decoding: try await bench.output("profile", "--json"), as: UTF8.self))
    }

    @Test(
        "a command names it after three seconds, and a signal ends it with nothing appended",
        arguments: [SIGINT, SIGTERM])
    func callingOff(_ signal: Int32) async throws {
        _ = try await bench.output("profile", "set", "height=180cm")
        try await bench.withOtherWriter { writer in
            writer.stop()
            let began = RunningProgram.now()
            let command = try bench.start(["profile", "set", "weight=70kg"])
            let line = try await command.message(containing: writer.words)
            #expect(line.bootMilliseconds >= began + 3_000)
            #expect(line.text.contains(writer.advice))
            #expect(try await profile().integer("heightMillimetres") == 1_800)
            #expect(try await bench.run("status").status == 0)
            let asked = RunningProgram.now()
            command.signal(signal)
            let end = await command.end
            #expect(end.status == -signal)
            #expect(end.messages.split(separator: "\n").count == 1, "\(end.messages)")
            #expect(RunningProgram.now() < asked + Self.endMilliseconds)
        }
        #expect(try await profile().fields["weightGrams"] is NSNull)
        _ = try await bench.output("profile", "set", "weight=71kg")
        #expect(try await profile().integer("weightGrams") == 71_000)
    }

    @Test("a proof names it as well")
    func proof() async throws {
        _ = try await bench.output("import", GoldenReplayTests.Case(name: "midnight").capture)
        let out = bench.folder + "/proof"
        try await bench.withOtherWriter { writer in
            writer.stop()
            let prove = try bench.start(["audit", "prove", "--day", "2026-03-01", "--out", out])
            try await prove.message(containing: writer.words)
            prove.signal(SIGTERM)
            _ = await prove.end
        }
    }

    @Test("a command goes on as if nothing had been, when it goes on")
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

    @Test("a command says so as well while it is merely busy")
    func busy() async throws {
        _ = try await bench.output("profile", "set", "height=180cm")
        var command: RunningProgram?
        try await bench.withOtherWriter { writer in
            command = try bench.start(["profile", "set", "weight=70kg"])
            let line = try await command?.message(
                containing: "\(writer.name) is in the middle of a write")
            #expect(line?.text.contains("kill") == false)
        }
        #expect(await command?.end.status == 0)
    }

    // MARK: - A recorder

    @Test("a recorder that waits at its start ends at once", arguments: [SIGINT, SIGTERM])
    func start(_ signal: Int32) async throws {
        _ = try await bench.output("profile", "set", "height=180cm")
        let before = try await bench.output("export")
        try await bench.withOtherWriter { writer in
            writer.stop()
            let record = try bench.start(["record", "--simulate", "--events"])
            try await record.message(containing: writer.words)
            let asked = RunningProgram.now()
            record.signal(signal)
            let end = await record.end
            #expect(end.status == 75, "\(end.messages)")
            #expect(RunningProgram.now() < asked + Self.endMilliseconds)
        }
        #expect(try await bench.output("export") == before)
        #expect(try await bench.run("record", "--simulate", "--for", "1s").status == 0)
    }

    @Test(
        "a recorder says so, ends when it is asked to, and leaves the strap",
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
                let asked = RunningProgram.now()
                record.signal(signal)
                let end = await record.end
                #expect(end.status == 75, "\(end.messages)")
                #expect(RunningProgram.now() < asked + Self.endMilliseconds)
                let last = try #require(end.messages.split(separator: "\n").last)
                #expect(last.contains("is not in the log") && last.contains(writer.words))
                try await strap.waitForEnd()
                #expect(try await bench.run("status").status == 0)
            }
            #expect(try await bench.run("log", "verify").status == 0)
            let next = try await bench.run("record", "--simulate", "--for", "1s")
            #expect(next.status == 0, "\(next.messages)")
        }
    }

    @Test("a recorder keeps what comes, and loses nothing when it goes on")
    func patience() async throws {
        let scenario = #"""
            {"devices":[{"address":"C4:00:00:00:00:01","play":[
                {"wait":"subscribed"},{"stream":"hr","for":600,"rate":20,"rr":true}]}]}
            """#
        try await bench.playing(scenario: scenario) { strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await record.line { $0.contains(#""kind":"characteristicNotified""#) }
            try await bench.withOtherWriter { writer in
                writer.stop()
                try await record.message(containing: writer.words)
            }
            try await record.message(containing: "The data in memory is recorded")
            record.signal(SIGINT)
            let end = await record.end
            #expect(end.status == 0, "\(end.messages)")
            let recorded = try RecordTests.heartRates(try await bench.run("export").lines)
            #expect(recorded.count > 60, "Three seconds at least were waited for.")
            #expect(try strap.deliveredHeartRates().starts(with: recorded))
        }
    }
}
