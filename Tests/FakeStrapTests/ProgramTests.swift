import Clocks
import DBus
import Foundation
import TestSupport
import Testing

@testable import FakeStrap

@Suite("The program", .timeLimit(.minutes(5)))
struct ProgramTests {
    private static let device = "dev_C4_00_00_00_00_01"

    /// The program at work, on a bus of its own.
    private final class Play {
        let folder: TemporaryDirectory
        let program: RunningProgram

        init(_ steps: String, _ arguments: String...) throws {
            folder = try TemporaryDirectory()
            let scenario = folder.path + "/scenario.json"
            try """
            {"devices": [{"address": "C4:00:00:00:00:01", "services": ["hr", "battery"], "play": [
              \(steps)]}]}
            """.write(toFile: scenario, atomically: false, encoding: .utf8)
            program = try RunningProgram(
                RunningProgram.builtPrograms + "/FakeStrap",
                ["--scenario", scenario, "--sent", folder.path + "/sent.jsonl"] + arguments,
                environment: ["PATH": "/usr/bin:/bin"])
        }

        /// Where its bus is, once it plays.
        func address() async throws -> String {
            let ready = try await program.line { $0.hasPrefix(#"{"ready":true,"#) }
            return String(
                try #require(ready.text.split(separator: "\"").first { $0.hasPrefix("unix:") }))
        }

        /// What it wrote down of what it sent.
        func sent() throws -> String {
            try String(contentsOfFile: folder.path + "/sent.jsonl", encoding: .utf8)
        }
    }

    @Test("plays on a bus of its own, writes what it sent, and ends with its input")
    func plays() async throws {
        let play = try Play(
            #"{"wait": "subscribed"}, {"notify": "2A37", "hex": ["003c", "003c"]}"#)
        let address = try await play.address()
        let client = try await Client(address)
        try await client.reach()
        try await client.subscribe()
        try await play.program.line { $0 == #"{"ended":true,"sent":2,"lost":0}"# }
        await client.hear("changed char000b Value=003c")

        play.program.endInput()
        let text = try play.sent()
        #expect(await play.program.end.status == 0)
        await #expect(throws: DBusError.self) { try await Bus(.address(address)) }
        let values = text.split(separator: "\n").map { $0.drop { $0 != "," } }
        let expected =
            #","device":"C4:00:00:00:00:01","characteristic":"2a37","value":"003c","#
            + #""delivered":true,"signals":1}"#
        #expect(values == [Substring(expected), Substring(expected)])
    }

    @Test("breaks the links after the play, if it is told to")
    func drops() async throws {
        let play = try Play(
            #"{"wait": "subscribed"}, {"hr": 60}"#, "--after", "drop")
        let client = try await Client(try await play.address())
        try await client.reach()
        try await client.subscribe()
        await client.hear("changed char000b Value=003c")
        await client.hear("changed \(Self.device) ServicesResolved=false Connected=false")
        play.program.endInput()
        #expect(await play.program.end.status == 0)
    }

    @Test("ends after the play, if it is told to", arguments: ["--after=exit", "--until-end"])
    func exits(_ option: String) async throws {
        let play = try Play(#"{"wait": "subscribed"}, {"hr": 60}"#, option)
        let client = try await Client(try await play.address())
        try await client.reach()
        try await client.subscribe()
        // The last value is there before the bus is gone.
        await client.hear("changed char000b Value=003c")
        #expect(await play.program.end.status == 0)
    }

    @Test("takes its time, if it is told to")
    func realistic() async throws {
        let play = try Play(#"{"wait": "subscribed"}, {"hr": 60}"#, "--realistic")
        let client = try await Client(try await play.address())
        try await client.call(Name.adapter, Name.adapter1, "StartDiscovery")
        await client.hear("added \(Self.device) Device1")
        try await client.call(Name.adapter, Name.adapter1, "StopDiscovery")
        let begin = Arrival.now().bootMilliseconds
        try await client.call(Name.strap, Name.device1, "Connect")
        let link = Arrival.now().bootMilliseconds
        await client.hear("changed \(Self.device) ServicesResolved=true")
        let resolved = Arrival.now().bootMilliseconds
        #expect(link - begin >= 499)
        #expect(resolved - begin >= 1_199)
        play.program.endInput()
        #expect(await play.program.end.status == 0)
    }
}
