import Foundation
import TestSupport
import Testing

@Suite("pulselog sessions exclude")
struct ExcludeTests {
    let bench = Workbench()

    /// The session of the store, as it is shown.
    private func session() async throws -> Line {
        try await bench.object("sessions", "show")
    }

    private static let stranger = "C4:00:00:00:00:04"

    /// A log with two straps in its one walk, from position 14 to 85, changed and counted anew.
    private func changedLog(_ change: (inout [String]) throws -> Void) throws -> String {
        let capture = ReplayCase("two-straps")
        var lines = String(decoding: try capture.bytes(of: "capture.jsonl"), as: UTF8.self)
            .split(separator: "\n").map(String.init)
        try change(&lines)
        let counted = lines.enumerated().map { index, line in
            #"{"position":\#(index)"# + String(line.drop { $0 != "," })
        }
        return try bench.file("log.jsonl", Array((counted.joined(separator: "\n") + "\n").utf8))
    }

    /// Leaves the stranger out of the walk, or takes her in again, when another line was written.
    private func exclusion(_ isExcluded: Bool, with line: String) throws -> String {
        let boot = try Line(line).integer("bootMilliseconds")
        let wall = try Line(line).integer("wallMilliseconds")
        return #"{"position":0,"source":0,"bootMilliseconds":\#(boot),"wallMilliseconds":\#(wall),"#
            + #""bootNumber":0,"wallTrusted":true,"simulated":false,"kind":"deviceExcluded","#
            + #""version":1,"session":14,"device":"\#(Self.stranger)","excluded":\#(isExcluded)}"#
    }

    /// The same line a thousand seconds later.
    private func later(_ line: String) throws -> String {
        try ["bootMilliseconds", "wallMilliseconds"].reduce(line) { line, name in
            let time = try Line(line).integer(name)
            return line.replacing(
                "\"\(name)\":\(time)", with: "\"\(name)\":\(time + 1_000_000)")
        }
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
        let log = try changedLog { lines in
            let during = try exclusion(true, with: lines[84])
            lines.insert(during, at: 85)
            lines.append(try exclusion(false, with: lines[87]))
        }
        _ = try await bench.output("import", log)
        try await expectExports(exclusions: 2)
    }

    @Test("is not in an export of another walk, during which it was asked for")
    func another() async throws {
        let log = try changedLog { lines in
            let second = try lines.dropFirst(2).map(later)
            lines += second
            let during = try exclusion(true, with: lines[99])
            lines.insert(during, at: 100)
        }
        _ = try await bench.output("import", log)
        try await expectExports(exclusions: 0)
    }

    @Test("leaves a strap out by an event, takes it in again, and is in an export of the walk")
    func exclude() async throws {
        try await bench.load("two-straps")
        let before = try await session()
        let straps = try before.objects("straps")
        #expect(straps.count == 2)
        let (own, other) = (try straps[0].integer("samples"), try straps[1].integer("samples"))
        #expect(try await bench.run("sessions", "show").text.contains("Straps     C4:"))
        let address = try straps[1].text("device")
        let end = try await bench.run("sessions", "exclude", address)
        #expect(end.text.hasPrefix("Left out. What is left: \(own) samples"), "\(end.messages)")
        let without = try await session()
        #expect(try without.object("heartRate").integer("samples") == own)
        let times = try without.object("accounting")
        #expect(
            try times.integer("freshMilliseconds")
                < before.object("accounting").integer("freshMilliseconds"))
        let shown = try await bench.run("sessions", "show").text
        #expect(shown.contains("\(address): \(other) samples, left out"), "\(shown)")
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
