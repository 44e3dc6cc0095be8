import Foundation
import TestSupport
import Testing

@Suite("What somebody else keeps of a log")
struct WitnessTests {
    private let bench = Workbench()

    private func path(_ name: String) -> String { "\(bench.folder)/\(name)" }

    /// A log with a closed day; its key.
    private func importMidnight(store: String? = nil) async throws -> String {
        let store = store ?? bench.store
        _ = try await bench.output(
            "import", ReplayCase("midnight").capture, "--store", store)
        let kept = path("kept-\(UUID())")
        let line = try await bench.object("audit", "witness", "--out", kept, "--store", store)
        #expect(try line.text("file") == kept)
        return try line.text("key")
    }

    private func grow() async throws {
        try await bench.expect("record", "--simulate", "--for", "1s")
    }

    @Test("a proof shows that nothing changed before an older proof, or a checkpoint")
    func since() async throws {
        let key = try await importMidnight()
        let (old, note, new) = (path("old"), path("note"), path("new"))
        _ = try await bench.output("audit", "prove", "--day", "2026-03-01", "--out", old)
        _ = try await bench.output("audit", "witness", "--out", note)
        try await grow()
        let prove = ["audit", "prove", "--day", "2026-03-01", "--since"]
        try await bench.expect(prove + [note, "--steps", "--out", new])
        for older in [old, note] {
            let check = ["audit", "check-proof", new, "--key", key, "--since", older]
            try await bench.expect(check, says: "The first 1 of the log's ")
            let line = try await bench.start(check + ["--json"]).end.text
            #expect(line.contains(#""since":{"size":1,"consistent":true}"#), "\(line)")
        }
        // The two files the wrong way round, and a proof that was not asked for it.
        try await bench.expect(
            "audit", "check-proof", old, "--key", key, "--since", new, status: 1,
            warns: "wrong way round")
        let plain = path("plain")
        _ = try await bench.output("audit", "prove", "--day", "2026-03-01", "--out", plain)
        try await bench.expect(
            "audit", "check-proof", plain, "--key", key, "--since", old, status: 1,
            warns: "prove --since")
        let capture = ReplayCase("midnight").capture
        try await bench.expect(
            prove + [capture, "--out", path("none")], status: 65,
            says: "neither a proof nor a checkpoint")
    }

    @Test("the log is the one that a kept checkpoint vouches for, however it went on")
    func witness() async throws {
        let key = try await importMidnight()
        let kept = path("kept")
        let made = try await bench.expect("audit", "witness", "--out", kept)
        #expect(made.text.hasSuffix("\(key)\n"), "\(made.text)")
        try await grow()
        let check = ["audit", "witness", "--check", kept]
        try await bench.expect(check + ["--key", key], says: "Nothing was changed")
        let line = try Line(await bench.start(check + ["--json"]).end.text)
        #expect(try line.flag("consistent") && line.integer("size") == 1)
    }

    @Test("an older state of the log is found, and a block that was changed, and another log")
    func findings() async throws {
        _ = try await importMidnight()
        let old = try Data(contentsOf: bench.dataFile)
        try await grow()
        let kept = path("kept")
        _ = try await bench.output("audit", "witness", "--out", kept)
        var changed = try Data(contentsOf: bench.dataFile)
        let check = ["audit", "witness", "--check", kept]
        try old.write(to: bench.dataFile)
        try await bench.expect(check, status: 1, warns: "older state")
        // Freed pages may hold the block as well.
        var rest = changed.startIndex..<changed.endIndex
        while let found = changed.range(of: Data("CET".utf8), in: rest) {
            changed[found.lowerBound] ^= 1
            rest = found.upperBound..<changed.endIndex
        }
        try changed.write(to: bench.dataFile)
        try await bench.expect(check, status: 1, warns: "from position 0 on")
        let other = try await importMidnight(store: path("other"))
        try await bench.expect(
            check + ["--store", path("other")], status: 1, warns: "another log")
        try await bench.expect(check + ["--key", other], status: 1, warns: "This is another log")
        try await bench.expect("audit", "witness", status: 64)
    }
}
