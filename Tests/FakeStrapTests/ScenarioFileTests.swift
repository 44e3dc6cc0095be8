import DBus
import Foundation
import TestSupport
import Testing

@testable import FakeStrap

@Suite("The scenario files of the repository", .timeLimit(.minutes(5)))
struct ScenarioFileTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Tools/Play/FakeStrap/Scenarios")

    static let names =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".json") }.sorted()

    private static func scenario(_ name: String) throws -> Scenario {
        let file = try Data(contentsOf: folder.appending(path: name))
        return try Scenario(json: [UInt8](file))
    }

    @Test("are there")
    func areThere() {
        #expect(Self.names.count >= 30)
    }

    @Test("are played to their end, and nothing is waited for in vain", arguments: names)
    func play(_ name: String) async throws {
        let scenario = try Self.scenario(name)
        let theatre = try await Theatre(scenario, speed: 200)
        let follower = try await Follower.start(theatre.bus.socketAddress)
        let lines = await theatre.reports.next { $0 == "ended" }
        #expect(lines.last == "ended")
        #expect(theatre.reports.elements.filter { $0.hasPrefix("problem") } == [])
        if lines.contains(where: { $0.hasPrefix("sent") }) {
            #expect(lines.contains { $0.hasPrefix("sent") && !$0.hasSuffix(" 0") })
        }
        await follower.close()
        try await theatre.close()
    }
}
