import Foundation
import TestSelection
import TestSupport
import Testing

/// Commands that run at the same time: each has its effect.
@Suite("Commands at the same time")
struct LostUpdateTests {
    let bench = Workbench()

    /// Runs commands at once, each to its good end.
    private func runAtOnce(_ commands: [[String]]) async throws {
        let programs = try commands.map { try bench.start($0) }
        for (command, program) in zip(commands, programs) {
            let end = await program.end
            #expect(end.status == 0, "\(command): \(end.messages)")
        }
    }

    @Test("lose no change of the profile", .timeLimit(.minutes(5)))
    func profile() async throws {
        for round in 0..<(everythingIsTested ? 40 : 8) {
            let values = (height: 1_600 + round, weight: 60_000 + round, goal: 5_000 + round)
            try await runAtOnce([
                ["profile", "set", "height=\(values.height)mm"],
                ["profile", "set", "weight=\(values.weight)g"],
                ["profile", "set", "daily-goal=\(values.goal)"],
            ])
            let profile = try await bench.object("profile")
            #expect(try profile.integer("heightMillimetres") == values.height, "round \(round)")
            #expect(try profile.integer("weightGrams") == values.weight, "round \(round)")
            #expect(try profile.integer("dailyGoalSteps") == values.goal, "round \(round)")
        }
    }

    @Test("lose no device, and agree on the primary one", .slow, .timeLimit(.minutes(5)))
    func devices() async throws {
        let straps = ["01", "11", "12", "13"].map { "C4:00:00:00:00:\($0)" }
        let lines = try ReplayCase("ordinary-walk").lines
        let paired = try #require(lines.first { $0.contains(#""name":"Strap One","roles""#) })
        let others = straps[1...].map { paired.replacing(straps[0], with: $0) }
        let path = try bench.log(of: lines + others)
        for round in 0..<8 {
            let store = bench.folder + "/round-\(round)"
            _ = try await bench.output("import", path, "--store", store)
            try await runAtOnce(
                [
                    ["devices", "forget", straps[1]], ["devices", "primary", straps[3]],
                    ["devices", "forget", straps[2]], ["profile", "set", "weight=70kg"],
                ].map { $0 + ["--store", store] })
            let devices = try await bench.objects("devices", "--store", store)
            let hearts = try devices.filter { straps.contains(try $0.text("address")) }
            #expect(try Set(hearts.map { try $0.text("address") }) == [straps[0], straps[3]])
            let primary = hearts.filter { ($0.fields["primary"] as? [Any])?.isEmpty == false }
            #expect(try primary.map { try $0.text("address") } == [straps[3]], "round \(round)")
        }
    }
}
