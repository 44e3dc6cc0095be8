import Foundation
import TestSupport
import Testing

/// Events that no fold can use: of a newer version, or with a payload that is not of their kind.
@Suite("Events that cannot be decoded")
struct UndecodableEventTests {
    let bench = Workbench()

    /// A payload of every kind that is none, in the middle of a walk.
    private static let poison = [
        ("sessionStarted", "ff"), ("characteristicNotified", "00"), ("pedometerRead", "ffffff"),
        ("positionFixed", ""), ("profileChanged", "01"), ("dayClosed", "0102"),
        ("healthTotalObserved", "ffffffffffffffffffff"), ("devicePaired", "0000000000"),
    ]
    /// Kinds that no version has yet, in four lanes.
    private static let newer = ["0x1f", "0x5f", "0x7f", "0xbf"]

    private static func line(_ position: Int, _ kind: String, _ payload: String) -> String {
        """
        {"position":\(position),"source":0,"bootMilliseconds":3606000,\
        "wallMilliseconds":1772355606000,"bootNumber":0,"wallTrusted":true,"simulated":false,\
        "kind":"\(kind)","version":1,"payload":"\(payload)"}
        """
    }

    /// A log of a walk with these events after it.
    private func makeStore() async throws -> (walk: Line, log: [UInt8]) {
        let sound = bench.folder + "/sound"
        let capture = ReplayCase("ordinary-walk").capture
        _ = try await bench.output("import", capture, "--store", sound)
        var lines = try await bench.run("export", "--store", sound).lines
        let walk = try await bench.object("replay", "store", "--store", sound)
        for (kind, payload) in Self.poison { lines.append(Self.line(lines.count, kind, payload)) }
        for kind in Self.newer { lines.append(Self.line(lines.count, kind, "0102")) }
        let log = Array((lines.joined(separator: "\n") + "\n").utf8)
        _ = try await bench.output("import", try bench.file("poison.jsonl", log))
        return (walk, log)
    }

    @Test("are set aside: sessions and days are as without them, and each is named")
    func setAside() async throws {
        let (walk, _) = try await makeStore()
        let count = try walk.integer("events")
        let replay = try await bench.object("replay", "store")
        #expect(
            try replay.objects("sessions").map { try $0.integer("position") }
                == walk.objects("sessions").map { try $0.integer("position") })
        #expect(
            try replay.objects("days").map { try $0.integer("displayed") }
                == walk.objects("days").map { try $0.integer("displayed") })
        let found = try replay.objects("findings").filter {
            try $0.text("code") == "undecodablePayload"
        }.map { try $0.integer("position") }
        #expect(found == Array(count..<count + Self.poison.count))
        let figures = try await bench.object("log", "stats")
        #expect(try figures.integer("undecodableEvents") == Self.poison.count)
        let named = try figures.objects("undecodable")
        #expect(try named.map { try $0.integer("position") } == found)
        #expect(try named.map { try $0.text("kind") } == Self.poison.map(\.0))
        let kinds = try figures.objects("kinds").map { try $0.text("kind") }
        #expect(Set(kinds).isSuperset(of: Self.newer))
        let words = "8 events cannot be decoded"
        try await bench.expect("log", "stats", says: words, "(sessionStarted)")
        try await bench.expect("log", "verify")
        try await bench.expect("audit", "check", warns: words)
    }

    @Test("are carried along, known or not, by every copy, to the byte")
    func carriedAlong() async throws {
        let (_, log) = try await makeStore()
        #expect(try await bench.output("export") == log)
        let words = try await bench.run("log", "cat").lines
        #expect(words.count { $0.contains("that cannot be decoded") } == Self.poison.count)
        #expect(words.count { $0.contains("event of a newer version") } == Self.newer.count)
        _ = try await bench.output("log", "backup", bench.folder + "/copy")
        _ = try await bench.output("log", "recover", "--out", bench.folder + "/saved")
        #expect(try await bench.output("export", "--store", bench.folder + "/copy") == log)
        let saved = try await bench.output("export", "--store", bench.folder + "/saved")
        #expect(saved.starts(with: log))
    }
}
