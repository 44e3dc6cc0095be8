import Foundation
import TestSupport
import Testing

/// `import` of another machine's log into a store that has one.
@Suite("Another machine's log", .timeLimit(.minutes(5)))
struct OtherLogImportTests {
    let bench = Workbench()

    private static let cases = [
        "crash", "drops", "flight-west", "foot-pod", "left-open", "malformed", "midnight",
        "ordinary-walk", "simulated-walk", "track", "two-straps",
    ]

    /// The walks of a store that are over, without what tells where their events stand.
    private func walks(in store: String) async throws -> [Data] {
        func stripped(_ value: Any) -> Any {
            if let list = value as? [Any] { return list.map(stripped) }
            guard var object = value as? [String: Any] else { return value }
            for key in object.keys {
                let isPlace = key == "source" || key.lowercased().hasSuffix("position")
                object[key] = isPlace ? nil : object[key].map(stripped)
            }
            return object
        }
        let end = try await bench.run("sessions", "list", "--json", "--store", store)
        return try end.lines.compactMap { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard let object, object["state"] as? String == "ended",
                object["simulated"] as? Bool == false
            else { return nil }
            return try JSONSerialization.data(
                withJSONObject: stripped(object), options: .sortedKeys)
        }
    }

    private func export(_ store: String) async throws -> [UInt8] {
        try await bench.output("export", "--store", store)
    }

    @Test(
        "brings walks with all their figures, however often it grew before",
        arguments: sample(of: cases))
    func figures(_ name: String) async throws {
        let capture = ReplayCase(name)
        let other = "\(bench.folder)/pi"
        _ = try await bench.output("import", capture.capture, "--store", other)
        _ = try await bench.output("health", "1", "--day", "2026-01-01")
        let lines = try capture.bytes(of: "capture.jsonl").split(separator: UInt8(ascii: "\n"))
        var random = SeededGenerator(seed: UInt64(lines.count))
        for _ in 0..<3 {
            let part = lines.prefix(1 + Int(random.below(UInt64(lines.count))))
            let path = try bench.file("pi.jsonl", Array(part.joined(separator: [10])) + [10])
            try await bench.expect("import", path)
        }
        _ = try await bench.output("import", other)
        #expect(try await walks(in: bench.store) == walks(in: other))
        try await bench.expect("audit", "check")
        try await bench.expect("log", "verify")
        // Nothing is there twice, nor comes again.
        let whole = try await export(bench.store)
        let file = try bench.file("again.jsonl", try await export(other))
        try await bench.expect("import", file, "--machine", "pi", says: " 0 new walks of pi")
        #expect(try await bench.output("import", other) != [])
        #expect(try await export(bench.store) == whole)
    }

    @Test("reports its days as a health store does, by the machine's name, and none twice")
    func days() async throws {
        let other = "\(bench.folder)/pi"
        let capture = ReplayCase("ordinary-walk")
        _ = try await bench.output("import", capture.capture, "--store", other)
        _ = try await bench.output("health", "100", "--day", "2026-03-01")
        let end = try await bench.run("import", other, "--machine", "the attic", "--json")
        let answer = try Line(end.text)
        #expect(try answer.integer("walks") == 1 && answer.integer("reported") == 1)
        let steps = try await bench.run("audit", "steps", "--day", "2026-03-01", "--json")
        let last = try Line(try #require(steps.lines.last))
        #expect(try last.integer("after") == 226 && last.text("reportedBy") == "the attic")
        // What came from there says nothing new there.
        let back = try bench.file("back.jsonl", try await export(bench.store))
        let before = try await export(other)
        _ = try await bench.output("import", back, "--store", other)
        #expect(try await export(other) == before)
    }

    @Test("leaves out what the other machine has made up or imported, and says so")
    func leftOut() async throws {
        let other = "\(bench.folder)/pi"
        let walk = ReplayCase("simulated-walk")
        _ = try await bench.output("import", walk.capture, "--store", other)
        let capture = ReplayCase("flight-west")
        let attic = "\(bench.folder)/attic"
        _ = try await bench.output("import", capture.capture, "--store", attic)
        _ = try await bench.output("import", attic, "--store", other)
        try await bench.expect("import", other, status: 64, says: "--machine")
        let answer = try await bench.object("import", other, "--machine", "pi")
        #expect(try answer.integer("simulatedEvents") > 0)
        #expect(try answer.integer("importedEvents") > 90)
        #expect(try await walks(in: bench.store).count == 1)
    }

    @Test("is refused whole where it was changed, and where it is the store itself")
    func refused() async throws {
        let capture = ReplayCase("ordinary-walk")
        let other = "\(bench.folder)/pi"
        _ = try await bench.output("import", capture.capture, "--store", other)
        _ = try await bench.output("health", "100", "--day", "2026-01-01")
        let before = try await export(bench.store)
        // With its end, which says what was exported.
        let whole = "\(bench.folder)/whole.jsonl"
        _ = try await bench.output("export", "--store", other, "--out", whole)
        let changed = try String(contentsOfFile: whole, encoding: .utf8)
            .replacing("\"bootNumber\":0", with: "\"bootNumber\":1")
        let file = try bench.file("changed.jsonl", changed)
        try await bench.expect("import", file, status: 65, says: "changed")
        try await bench.expect("import", bench.store, status: 64)
        let data = URL(filePath: other + "/data.mdb")
        var bytes = try Data(contentsOf: data)
        let place = try #require(bytes.range(of: Data("CET".utf8)))
        bytes[place.lowerBound] ^= 1
        try bytes.write(to: data)
        try await bench.expect("import", other, status: 65)
        #expect(try await export(bench.store) == before)
    }
}
