import Foundation
import TestSelection
import TestSupport
import Testing

/// T10: `record --simulate` and `record --replay` beside the walker's own days.
@Suite("Simulated walks")
struct SimulatedWalkTests {
    private let bench = Workbench()

    private static let capture = ReplayCase("one-minute").capture

    @Test(
        "are shown, marked and in no day, certificate or proof",
        arguments: sample([["--simulate"], ["--replay", Self.capture]]))
    func marked(_ how: [String]) async throws {
        _ = try await bench.output("health", "500")
        try await bench.expect(
            ["record", "--for", "3s"] + how,
            says: "Nobody walks this: it counts in no day and no proof.")
        let sessions = try await bench.objects("sessions")
        #expect(try sessions.map { try $0.integer("source") } == [0])
        #expect(sessions.allSatisfy { $0.flag("simulated") })
        #expect(try await bench.run("sessions").text.contains("~ simulated: nobody walked it"))
        #expect(try await bench.run("sessions", "show", "last").text.contains(", simulated"))
        let day = try await bench.object("steps")
        #expect(try day.integer("displayed") == 500 && day.integer("pedometerSteps") == 0)
        let check = try await bench.expect("audit", "check", "--json")
        #expect(try Line(try #require(check.lines.first)).integer("walked") == 0)
        let status = try await bench.object("status")
        #expect(!status.flag("simulated"))
        #expect(try status.object("steps").integer("today") == 500)
        #expect(try await bench.run("devices").text.contains("No device is paired"))
    }

    @Test("are acted on from beside while they run, and what a phone reports meanwhile counts")
    func beside() async throws {
        let record = try bench.start(["record", "--simulate", "--json"])
        try await record.waitForHeartRates(1)
        let status = try await bench.object("status")
        #expect(status.flag("simulated") && status.flag("recording"))
        _ = try await bench.output("pause")
        _ = try await bench.output("health", "321")
        _ = try await bench.stop(record)
        let events = try await bench.objects("log", "cat")
        for event in events {
            let kind = try event.text("kind")
            if kind.hasPrefix("session") { #expect(event.flag("simulated"), "\(kind)") }
            if kind == "healthTotalObserved" { #expect(!event.flag("simulated")) }
        }
        #expect(try await bench.object("steps").integer("displayed") == 321)
        #expect(
            try !events.contains {
                try $0.text("kind") == "recorderStopped" && $0.text("reason") == "foundDead"
            })
    }

    @Test("leave a walk open that was, and the next recorder goes on with it")
    func openWalk() async throws {
        let lines = try ReplayCase("left-open").lines
        try await bench.load(lines.prefix { !$0.contains("foundDead") })
        try await bench.expect("record", "--simulate", "--for", "1s")
        let sessions = try await bench.objects("sessions")
        #expect(sessions.map { $0.flag("simulated") } == [false, true])
        #expect(try sessions.map { try $0.text("state") } == ["running", "ended"])
        _ = try await bench.output("stop")
        let stopped = try await bench.objects("sessions")
        #expect(try stopped.map { try $0.text("state") } == ["ended", "ended"])
    }
}
