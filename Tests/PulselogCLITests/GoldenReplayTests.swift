import Foundation
import TestSelection
import TestSupport
import Testing

/// Each case of `Replays/`: a capture, and the one result that every way of folding it gives.
@Suite("Golden replays")
struct GoldenReplayTests {
    /// Environments that would change a result that hangs on zone, locale or hashing.
    static let environments: [[String: String]] = [
        ["SWIFT_DETERMINISTIC_HASHING": "1"],
        ["TZ": "Pacific/Kiritimati", "LC_ALL": "tr_TR.UTF-8"],
        ["TZ": "America/St_Johns", "LC_ALL": "de_DE.UTF-8"],
    ]

    let bench = Workbench()

    @Test("are those of the table beside them, and some of them have a staircase")
    func areThere() throws {
        let page = try String(
            contentsOf: ReplayCase.folder.appending(path: "README.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let names = rows.map { String($0.split(separator: "`")[1]) }
        #expect(names.sorted() == ReplayCase.all.map(\.name))
        #expect(ReplayCase.all.contains { $0.has("audit.jsonl") })
    }

    @Test("give the expected bytes in every process, zone and locale", arguments: ReplayCase.all)
    func expected(_ replay: ReplayCase) async throws {
        let expected = try replay.bytes(of: "expected.json")
        for variables in everythingIsTested ? Self.environments : [Self.environments[1]] {
            let result = try await bench.output(
                "replay", replay.capture, "--json", variables: variables)
            try expectEqual(result, expected, "in \(variables)")
        }
    }

    @Test(
        "give the same through the store, rebuilt, exported and imported",
        arguments: ReplayCase.tested)
    func roundTrip(_ replay: ReplayCase) async throws {
        for snapshotEvents in [1, nil] {
            try await roundTrip(
                of: replay, Workbench(snapshotEvents: snapshotEvents),
                hasSnapshots: snapshotEvents != nil)
        }
    }

    private func roundTrip(
        of replay: ReplayCase, _ bench: Workbench, hasSnapshots: Bool
    ) async throws {
        let expected = try replay.bytes(of: "expected.json")
        try await bench.load(replay.name)
        let stored = try await bench.output(
            "replay", "store", "--json", variables: Self.environments[1])
        try expectEqual(stored, expected, "from the store")

        // Leaves a snapshot, which the next one begins with.
        let sessions = try await bench.output("sessions", "list", "--json")
        let again = try await bench.output("sessions", "list", "--json")
        try expectEqual(again, sessions, "from the snapshot")
        let rebuilt = try Line(await bench.text("log", "rebuild", "--json"))
        #expect(try rebuilt.text("digest") == replay.result.text("digest"))
        #expect(rebuilt.flag("snapshotHolds") == hasSnapshots)
        let verified = try Line(await bench.text("log", "verify", "--json"))
        #expect(try verified.integer("events") == replay.lines.count)
        #expect(verified.flag("sound"))

        // The second calculation comes to the same days.
        let certified = try await bench.expect("audit", "check", "--json").lines.map {
            try Line($0).integer("displayed")
        }
        let days = try replay.result.objects("days")
        #expect(certified == days.map { $0.fields["displayed"] as? Int ?? -1 })
        let exported = try await bench.output("export")
        try expectEqual(exported, try replay.bytes(of: "capture.jsonl"), "exported")
        let second = bench.folder + "/second"
        _ = try await bench.output(
            "import", try bench.file("export.jsonl", exported), "--store", second)
        let restored = try await bench.output("replay", "store", "--json", "--store", second)
        try expectEqual(restored, expected, "from the second store")
    }

    @Test(
        "have one digest at every position, in memory and in the store",
        arguments: ReplayCase.tested)
    func digests(_ replay: ReplayCase) async throws {
        let memory = try await bench.output("replay", replay.capture, "--digests", "--json")
        try await bench.load(replay.name)
        let store = try await bench.output(
            "replay", "store", "--digests", "--json", variables: Self.environments[1])
        try expectEqual(store, memory, "position by position")

        let lines = try String(decoding: memory, as: UTF8.self).split(separator: "\n").map {
            try Line(String($0))
        }
        let digests = lines.dropLast()
        #expect(
            try digests.map { try $0.integer("position") } == Array(try replay.lines.indices))
        #expect(try digests.last?.text("digest") == replay.result.text("digest"))
    }

    @Test(
        "give the expected staircases", arguments: ReplayCase.all.filter { $0.has("audit.jsonl") })
    func staircases(_ replay: ReplayCase) async throws {
        try await bench.load(replay.name)
        var changes: [UInt8] = []
        for day in try replay.result.objects("days") {
            changes += try await bench.output(
                "audit", "steps", "--day", try day.text("date"), "--json")
        }
        try expectEqual(changes, try replay.bytes(of: "audit.jsonl"), "in the staircase")
    }

    /// Compares bytes, and shows the texts if they differ.
    private func expectEqual(_ bytes: [UInt8], _ expected: [UInt8], _ way: String) throws {
        guard bytes != expected else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        let wanted = String(decoding: expected, as: UTF8.self)
        let common = zip(bytes, expected).prefix { $0 == $1 }.count
        Issue.record("Differs \(way) from byte \(common) on.\nGot: \(text)\nExpected: \(wanted)")
    }
}
