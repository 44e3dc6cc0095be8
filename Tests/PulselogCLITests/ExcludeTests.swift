import Events
import Foundation
import TestSupport
import Testing

@Suite("pulselog sessions exclude")
struct ExcludeTests {
    let bench = Workbench()

    /// The session of the store, as it is shown.
    private func session() async throws -> Line { try await bench.object("sessions", "show") }

    /// Leaves a strap out of the walk of `Replays/two-straps`, or takes it in again, when another
    /// line was written.
    static func exclusion(_ isExcluded: Bool = true, with line: String) throws -> String {
        let device = try #require(DeviceID("C4:00:00:00:00:04"))
        return try Event.deviceExcluded(
            DeviceExcluded(session: 14, device: device, excluded: isExcluded)
        ).line().later(Line(line).integer("bootMilliseconds") - 3_600_000)
    }

    /// Expects that exports of the last walk have its samples, and so many exclusions.
    private func expectExports(exclusions: Int) async throws {
        let samples = try await session().object("heartRate").integer("samples")
        for more in [[], ["--anonymous"]] {
            let path = "\(bench.folder)/walk\(more.count).jsonl"
            try await bench.expect(["export", "last", "--out", path] + more)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.components(separatedBy: "deviceExcluded").count == exclusions + 1)
            let replayed = try await bench.object("replay", path)
            let walk = try replayed.objects("sessions")[0]
            #expect(try walk.object("heartRate").integer("samples") == samples)
        }
    }

    @Test("is in an export with its undoing, also where that came after the walk")
    func undone() async throws {
        var lines = try ReplayCase("two-straps").lines
        lines.insert(try Self.exclusion(with: lines[84]), at: 85)
        lines.append(try Self.exclusion(false, with: lines[87]))
        try await bench.load(lines)
        try await expectExports(exclusions: 2)
    }

    @Test("is not in an export of another walk, during which it was asked for")
    func another() async throws {
        var lines = try ReplayCase("two-straps").lines
        lines += try lines.dropFirst(2).map { try $0.later(1_000_000) }
        lines.insert(try Self.exclusion(with: lines[99]), at: 100)
        try await bench.load(lines)
        try await expectExports(exclusions: 0)
    }

    @Test("leaves a strap out by an event, takes it in again, and is in an export of the walk")
    func exclude() async throws {
        try await bench.load("two-straps")
        let before = try await session()
        let straps = try before.objects("straps")
        #expect(straps.count == 2)
        let (own, other) = (try straps[0].integer("samples"), try straps[1].integer("samples"))
        try await bench.expect("sessions", "show", says: "Straps     C4:")
        let address = try straps[1].text("device")
        let end = try await bench.run("sessions", "exclude", address)
        #expect(end.text.hasPrefix("Left out. What is left: \(own) samples"), "\(end.messages)")
        let without = try await session()
        #expect(try without.object("heartRate").integer("samples") == own)
        let fresh = try [before, without].map {
            try $0.object("accounting").integer("freshMilliseconds")
        }
        #expect(fresh[1] < fresh[0])
        try await bench.expect(
            "sessions", "show", says: "\(address): \(other) samples, left out")
        try await expectExports(exclusions: 1)
        let again = try await bench.expect("sessions", "exclude", address, "--json")
        #expect(again.lines.isEmpty)
        let undone = try await bench.run("sessions", "exclude", address, "last", "--undo", "--json")
        #expect(try undone.lines.last.map { try Line($0).text("kind") } == "deviceExcluded")
        #expect(try await session().object("heartRate").integer("samples") == own + other)
        try await bench.expect("sessions", "exclude", "C4:00:00:00:00:77", status: 66)
        try await bench.expect("sessions", "exclude", address, "strap", status: 64)
        try await bench.expect("log", "verify")
    }
}
