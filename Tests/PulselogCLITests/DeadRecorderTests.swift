import Foundation
import TestSelection
import TestSupport
import Testing

/// What others append is no sign of life of a recorder that was killed.
@Suite("Beside a recorder that was killed")
struct DeadRecorderTests {
    let bench = Workbench()

    static let commands = [["mark"], ["health", "4000"], ["profile", "set", "height=180cm"]]

    @Test("whoever appends says first, and once, that it died", arguments: sample(commands))
    func foundDead(_ command: [String]) async throws {
        let record = try bench.start(["record", "--json", "--simulate"])
        try await record.waitForHeartRates(2)
        _ = try await bench.output("mark")
        record.signal(SIGKILL)
        _ = await record.end
        let before = try await kinds()
        #expect(!before.contains("recorderStopped"), "it lived")
        try await bench.expect(command)
        _ = try await bench.output("mark")
        let lines = Array(try await bench.run("export").lines.dropFirst(before.count))
        #expect(try Line(lines[0]).text("kind") == "recorderStopped")
        #expect(try Line(lines[0]).text("reason") == "foundDead")
        #expect(lines.count { $0.contains("recorderStopped") } == 1)
    }

    private func kinds() async throws -> [String] {
        try await bench.run("export").lines.map { try Line($0).text("kind") }
    }
}
