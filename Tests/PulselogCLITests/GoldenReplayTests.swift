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

    let bench: Workbench
    private let hasSnapshots: Bool

    init() throws {
        try self.init(1)
    }

    private init(_ snapshotEvents: Int?) throws {
        bench = Workbench(snapshotEvents: snapshotEvents)
        hasSnapshots = snapshotEvents != nil
    }

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
        for snapshotEvents in [1, nil] { try await Self(snapshotEvents).roundTrip(of: replay) }
    }

    private func roundTrip(of replay: ReplayCase) async throws {
        let expected = try replay.bytes(of: "expected.json")
        try await bench.load(replay.name)
        let stored = try await bench.output(
            "replay", "store", "--json", variables: Self.environments[1])
        try expectEqual(stored, expected, "from the store")

        // Leaves a snapshot, which the next one begins with.
        let sessions = try await bench.output("sessions", "list", "--json")
        let again = try await bench.output("sessions", "list", "--json")
        try expectEqual(again, sessions, "from the snapshot")
        let rebuilt = try line(try await bench.output("log", "rebuild", "--json"))
        #expect(try rebuilt.text("digest") == line(expected).text("digest"))
        #expect(rebuilt.flag("snapshotHolds") == hasSnapshots)
        let verified = try line(try await bench.output("log", "verify", "--json"))
        let events = try replay.bytes(of: "capture.jsonl").count { $0 == UInt8(ascii: "\n") }
        #expect(try verified.integer("events") == events)
        #expect(verified.flag("sound"))

        try await expectCertified(replay)
        let exported = try await bench.output("export")
        try expectEqual(exported, try replay.bytes(of: "capture.jsonl"), "exported")
        let second = bench.folder + "/second"
        _ = try await bench.output(
            "import", try bench.file("export.jsonl", exported), "--store", second)
        let restored = try await bench.output("replay", "store", "--json", "--store", second)
        try expectEqual(restored, expected, "from the second store")
    }

    /// Expects that the second calculation comes to the same days.
    private func expectCertified(_ replay: ReplayCase) async throws {
        let end = try await bench.expect("audit", "check", "--json")
        let days = try line(try replay.bytes(of: "expected.json")).objects("days")
        #expect(
            try end.lines.map { try Line($0).integer("displayed") }
                == days.map { $0.fields["displayed"] as? Int ?? -1 })
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

        let lines = memory.split(separator: UInt8(ascii: "\n")).map { [UInt8]($0) }
        let events = try replay.bytes(of: "capture.jsonl").split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == events.count + 1)
        for (position, text) in lines.dropLast().enumerated() {
            #expect(try line(text).integer("position") == position)
        }
        let last = try #require(lines.dropLast().last)
        let expected = try line(try replay.bytes(of: "expected.json"))
        #expect(try line(last).text("digest") == expected.text("digest"))
    }

    @Test(
        "give the expected staircases", arguments: ReplayCase.all.filter { $0.has("audit.jsonl") })
    func staircases(_ replay: ReplayCase) async throws {
        try await bench.load(replay.name)
        var changes: [UInt8] = []
        let days = try line(try replay.bytes(of: "expected.json")).fields["days"]
        for day in try #require(days as? [[String: Any]]) {
            let date = try #require(day["date"] as? String)
            changes += try await bench.output("audit", "steps", "--day", date, "--json")
        }
        try expectEqual(changes, try replay.bytes(of: "audit.jsonl"), "in the staircase")
    }

    private func line(_ bytes: [UInt8]) throws -> Line {
        try Line(String(decoding: bytes, as: UTF8.self))
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
