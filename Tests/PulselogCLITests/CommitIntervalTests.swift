import Foundation
import TestSupport
import Testing

@Suite("pulselog record --commit-interval")
struct CommitIntervalTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    private static let sentence =
        "readings every 1.5 s; a power cut may lose up to 1.5 s of them"

    @Test("keeps readings meanwhile, tells status and doctor, and loses none at its end")
    func whole() async throws {
        try await bench.playing("--capture", RecordTests.capture("one-minute"), "--speed", "20") {
            strap in
            let record = try bench.start(
                ["record", "--json", "--commit-interval", "60s"], strap.variables)
            try await strap.waitForLines(40)
            let status = try Line(await bench.run("status", "--json").text)
            #expect(try status.integer("commitIntervalMilliseconds") == 60_000)
            // The strap sends all that it has within three seconds.
            try await strap.waitForEnd()
            let log = try await bench.run("log", "cat", "--json")
            let heard = try RecordTests.heartRates(log.lines)
            let delivered = try strap.deliveredHeartRates()
            #expect(heard.count < delivered.count, "the rest is kept")
            #expect(delivered.starts(with: heard))
            record.signal(SIGINT)
            let end = await record.end
            #expect(end.status == 0, "\(end.messages)")
            #expect(try RecordTests.heartRates(end.lines) == delivered)
        }
        let after = try await bench.run("status", "--json")
        #expect(after.text.contains(#""commitIntervalMilliseconds":null"#))
    }

    @Test("says what a power cut may lose, as long as it records")
    func bound() async throws {
        let record = try bench.start(
            ["record", "--simulate", "--json", "--commit-interval", "1500ms"])
        try await record.waitForHeartRates(2)
        #expect(try await bench.run("status").text.contains("Saved    \(Self.sentence)\n"))
        let doctor = try await bench.run("doctor", "--json")
        #expect(doctor.text.contains("It saves \(Self.sentence)."))
        // What is killed leaves its text in the lock, which nobody holds any more.
        record.signal(SIGKILL)
        _ = await record.end
        for command in [["status"], ["doctor", "--json"]] {
            let said = try await bench.start(command).end.text
            #expect(!said.contains("power cut"), "\(command)")
        }
        #expect(try await bench.run("log", "verify").status == 0)
    }
}
