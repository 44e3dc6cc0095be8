import Events
import Foundation
import TestSupport
import Testing

/// What a walker and a script see before a session begins, and how it begins.
@Suite("pulselog record, set-up")
struct SetUpTests {
    let bench = Workbench()

    /// A strap that touches no skin at first.
    static let scenario = #"""
        {"devices":[{"id":"one","name":"Strap One","address":"C4:00:00:00:00:01",
            "services":["hr","battery"],"battery":18,"play":[
            {"wait":"subscribed"},{"sleep":0.3},{"notify":"2A37","hex":"0400"},{"sleep":0.5},
            {"stream":"hr","for":60,"rate":20,"bpm":[72,73]}]}]}
        """#

    @Test("waits for the first heart rate, begins the walk with it, and counts --for from the call")
    func waiting() async throws {
        try await bench.playing(scenario: Self.scenario) { strap in
            let end = try await bench.expect(
                "record", "--wait-for-strap", "--device", "C4:00:00:00:00:01", "--for", "12s",
                "--json", variables: strap.variables)
            let lines = try end.lines.map { try Line($0) }
            let kinds = lines.map { $0.fields["kind"] as? String ?? "" }
            let start = try #require(kinds.firstIndex(of: "sessionStarted"))
            let values = try RecordTests.heartRates(Array(end.lines[..<start]))
            #expect(values.first == "0400")
            #expect(values.count >= 2)
            let session = try #require(lines.last).object("session")
            #expect(try (1..<11_800).contains(session.integer("elapsedMilliseconds")))
            #expect(end.messages.contains("battery 18 %"))
            #expect(end.lines[..<start].contains { $0.contains("batteryLevel") })
            #expect(try session.object("heartRate").object("excluded").integer("noContact") == 0)
        }
    }

    @Test("tells the totals of each walk that it records by itself, once")
    func byItself() async throws {
        try await bench.playing(scenario: Self.scenario) { strap in
            let record = try bench.start(["record", "--whenever-worn", "--json"], strap.variables)
            try await record.event("sessionStarted")
            try await bench.expect("finish")
            try await record.line { $0.hasPrefix(#"{"session":"#) }
            let end = await record.finish()
            #expect(end.lines.filter { $0.hasPrefix(#"{"session":"#) }.count == 1)
            #expect(!end.messages.contains("No session"))
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
                .map { try Line($0).object("connection") }
            #expect(try words.first?.text("status") == "disconnected")
            #expect(try words.first?.text("activity") == "scanning")
            #expect(try words.contains { try $0.text("activity") == "connected" })
            #expect(try words.contains { try $0.text("status") == "connected" })
            #expect(end.messages.components(separatedBy: "is connected").count == 2)
        }
    }

    @Test("ends without a session when it is interrupted before the first heart rate")
    func interrupted() async throws {
        let record = try bench.start(["record", "--wait-for-strap", "--json"])
        try await record.message(containing: "`pulselog doctor`")
        let end = await record.finish()
        #expect(end.messages.contains("No session was started."))
        #expect(!end.text.contains("sessionStarted"))
        let sessions = try await bench.run("sessions", "--json")
        #expect(sessions.output.isEmpty)
    }

    @Test("ends without a session, and with code 69, when no strap comes in time")
    func noStrap() async throws {
        let end = try await bench.expect(
            "record", "--wait-for-strap", "--for", "1s", status: 69,
            says: "No heart rate with contact came")
        #expect(!end.messages.contains("No session was started."), "\(end.messages)")
        #expect(try await bench.run("sessions", "--json").output.isEmpty)
    }

    @Test("ends with the refusal if the session cannot begin, as without waiting")
    func refused() async throws {
        let end = try await bench.expect(
            "record", "--wait-for-strap", "--simulate", "--goal", "daily", "--json", status: 64,
            says: "No daily goal is set")
        #expect(end.text.contains(#""kind":"recorderStopped""#))
        #expect(!end.text.contains("sessionStarted"))
    }

    @Test("ends without a session when a capture ends without a usable heart rate")
    func inputEnded() async throws {
        let value = CharacteristicNotified(device: Story.strap, value: [4, 0])
        let capture = try bench.log(of: [Event.characteristicNotified(value).line()])
        try await bench.expect(
            "record", "--wait-for-strap", "--replay", capture, "--json",
            says: #""kind":"recorderStopped""#, warns: "No session was started.")
    }

    @Test("tells the first line in the zone of now, wherever the walk before it was")
    func travelled() async throws {
        var hours: [Int] = []
        for zone in ["JST-9", "EST5"] {
            let end = try await bench.run("record", "--for", "1s", variables: ["TZ": zone])
            hours += end.lines.prefix(2).compactMap { Int($0.prefix(2)) }
        }
        // The two lines of a walk may lie in two hours; those of two walks lie ten apart.
        #expect(hours.count == 4 && abs(hours[0] - hours[1]) % 23 <= 1, "\(hours)")
        #expect(abs(hours[2] - hours[3]) % 23 <= 1, "\(hours)")
        #expect((hours[1] - hours[2] + 24) % 24 >= 13, "\(hours)")
    }
}
