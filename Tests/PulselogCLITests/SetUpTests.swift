import Foundation
import Testing

/// What a walker and a script see before a session begins, and how it begins.
@Suite("pulselog record, set-up")
struct SetUpTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    /// A strap that touches no skin at first.
    static let scenario = #"""
        {"devices":[{"id":"one","name":"Strap One","address":"C4:00:00:00:00:01",
            "services":["hr","battery"],"battery":18,"play":[
            {"wait":"subscribed"},{"sleep":0.3},{"notify":"2A37","hex":"0400"},{"sleep":0.5},
            {"stream":"hr","for":60,"rate":20,"bpm":[72,73]}]}]}
        """#

    @Test("waits for the first heart rate, begins the session with it, and counts --for from there")
    func waiting() async throws {
        try await bench.playing(scenario: Self.scenario) { strap in
            let end = try await bench.run(
                "record", "--wait-for-strap", "--for", "1s", "--json", variables: strap.variables)
            #expect(end.status == 0, "\(end.messages)")
            let lines = try end.lines.map { try Line($0) }
            let kinds = lines.map { $0.fields["kind"] as? String ?? "" }
            let start = try #require(kinds.firstIndex(of: "sessionStarted"))
            let values = try RecordTests.heartRates(Array(end.lines[..<start]))
            #expect(values.first == "0400")
            #expect(values.count >= 2)
            let session = try #require(lines.last).object("session")
            #expect(try session.integer("elapsedMilliseconds") >= 900)
            #expect(try session.object("heartRate").object("excluded").integer("noContact") == 0)
        }
    }

    @Test("tells connecting and connected with name, heart rate and battery, in JSON and in words")
    func telling() async throws {
        try await bench.playing(scenario: Self.scenario) { strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await record.message(containing: "Connecting to Strap One")
            let greeting = try await record.message(containing: "Strap One is connected")
            #expect(greeting.text.contains("battery 18 %"))
            #expect(greeting.text.contains("low"))
            try await record.line {
                $0.hasPrefix(#"{"connection":{"status":"connected""#) && $0.contains(#""bpm":7"#)
            }
            record.signal(SIGINT)
            let end = await record.end
            let words = try end.lines.filter { $0.hasPrefix(#"{"connection""#) }
                .map { try Line($0).object("connection").text("status") }
            #expect(words.first == "scanning")
            #expect(words.contains("connected"))
            #expect(end.messages.components(separatedBy: "is connected").count == 2)
        }
    }

    @Test("ends without a session when it is interrupted before the first heart rate")
    func interrupted() async throws {
        let record = try bench.start(["record", "--wait-for-strap", "--json"])
        try await record.message(containing: "Is dbus running?")
        record.signal(SIGINT)
        let end = await record.end
        #expect(end.status == 0)
        #expect(end.messages.contains("No session was begun."))
        #expect(!end.text.contains("sessionStarted"))
        let sessions = try await bench.run("sessions", "--json")
        #expect(sessions.output.isEmpty)
    }

    @Test("begins at once without a strap, so that steps and time are not lost")
    func atOnce() async throws {
        let record = try bench.start(["record", "--json"])
        try await record.line { $0.contains(#""kind":"sessionStarted""#) }
        record.signal(SIGINT)
        #expect(await record.end.status == 0)
    }

    @Test("waits in vain no longer than a command that begins the session")
    func goingOn() async throws {
        let first = try bench.start(["record", "--simulate", "--json"])
        try await first.line { $0.contains(#""kind":"sessionStarted""#) }
        first.signal(SIGTERM)
        _ = await first.end
        // A session that is open goes on: there is nothing to wait for.
        let second = try bench.start(["record", "--wait-for-strap", "--json"])
        try await second.message(containing: "going on with it")
        second.signal(SIGINT)
        let end = await second.end
        #expect(end.text.contains(#""kind":"sessionEnded""#))
    }
}
