import Foundation
import TestSupport
import Testing

@Suite("What somebody else keeps of a log")
struct WitnessTests {
    private let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    private func path(_ name: String) -> String { "\(bench.folder)/\(name)" }

    /// A log with a closed day; its key.
    private func importMidnight(store: String? = nil) async throws -> String {
        let store = store ?? bench.store
        _ = try await bench.output(
            "import", GoldenReplayTests.Case(name: "midnight").capture, "--store", store)
        let kept = path("kept-\(UUID())")
        let line = try Line(
            await bench.run("audit", "witness", "--out", kept, "--store", store, "--json").text)
        #expect(try line.text("file") == kept)
        return try line.text("key")
    }

    private func grow() async throws {
        let recorded = try await bench.run("record", "--simulate", "--for", "1s")
        #expect(recorded.status == 0, "\(recorded.messages)")
    }

    @Test("a proof shows that nothing changed before an older proof, or a checkpoint")
    func since() async throws {
        let key = try await importMidnight()
        let (old, note, new) = (path("old"), path("note"), path("new"))
        _ = try await bench.output("audit", "prove", "--day", "2026-03-01", "--out", old)
        _ = try await bench.output("audit", "witness", "--out", note)
        try await grow()
        let prove = ["audit", "prove", "--day", "2026-03-01", "--since"]
        #expect(try await bench.start(prove + [note, "--steps", "--out", new]).end.status == 0)
        for older in [old, note] {
            let check = ["audit", "check-proof", new, "--key", key, "--since", older]
            let text = try await bench.start(check).end
            #expect(text.status == 0, "\(text.messages)")
            #expect(text.text.contains("The first 1 of the log's "))
            let line = try await bench.start(check + ["--json"]).end.text
            #expect(line.contains(#""since":{"size":1,"consistent":true}"#), "\(line)")
        }
        // The two files the wrong way round, and a proof that was not asked for it.
        let round = try await bench.run(
            "audit", "check-proof", old, "--key", key, "--since", new)
        #expect(round.status == 1 && round.messages.contains("wrong way round"))
        let plain = path("plain")
        _ = try await bench.output("audit", "prove", "--day", "2026-03-01", "--out", plain)
        let untold = try await bench.run(
            "audit", "check-proof", plain, "--key", key, "--since", old)
        #expect(untold.status == 1 && untold.messages.contains("prove --since"))
        let capture = GoldenReplayTests.Case(name: "midnight").capture
        let none = try await bench.start(prove + [capture, "--out", path("none")]).end
        #expect(none.status == 65 && none.messages.contains("neither a proof nor a checkpoint"))
    }

    @Test("the log is the one that a kept checkpoint vouches for, however it went on")
    func witness() async throws {
        let key = try await importMidnight()
        let kept = path("kept")
        let made = try await bench.run("audit", "witness", "--out", kept)
        #expect(made.status == 0 && made.text.hasSuffix("\(key)\n"), "\(made.text)")
        try await grow()
        let check = ["audit", "witness", "--check", kept]
        let text = try await bench.start(check + ["--key", key]).end
        #expect(text.status == 0 && text.text.contains("Nothing was changed"), "\(text.messages)")
        let line = try Line(await bench.start(check + ["--json"]).end.text)
        #expect(try line.flag("consistent") && line.integer("size") == 1)
    }

    @Test("an older state of the log is found, and a block that was changed, and another log")
    func findings() async throws {
        _ = try await importMidnight()
        let data = URL(filePath: bench.store + "/data.mdb")
        let old = try Data(contentsOf: data)
        try await grow()
        let kept = path("kept")
        _ = try await bench.output("audit", "witness", "--out", kept)
        let new = try Data(contentsOf: data)
        let check = ["audit", "witness", "--check", kept]
        try old.write(to: data)
        let shrunk = try await bench.start(check).end
        #expect(shrunk.status == 1 && shrunk.messages.contains("older state"), "\(shrunk.messages)")
        var changed = new
        // Freed pages may hold the block as well.
        var rest = changed.startIndex..<changed.endIndex
        while let found = changed.range(of: Data("CET".utf8), in: rest) {
            changed[found.lowerBound] ^= 1
            rest = found.upperBound..<changed.endIndex
        }
        try changed.write(to: data)
        let altered = try await bench.start(check).end
        #expect(
            altered.status == 1 && altered.messages.contains("from position 0 on"),
            "\(altered.messages)")
        let other = try await importMidnight(store: path("other"))
        let strange = try await bench.start(check + ["--store", path("other")]).end
        #expect(strange.status == 1 && strange.messages.contains("another log"))
        let known = try await bench.start(check + ["--key", other]).end
        #expect(known.status == 1 && known.messages.contains("This is another log"))
        #expect(try await bench.run("audit", "witness").status == 64)
    }
}
