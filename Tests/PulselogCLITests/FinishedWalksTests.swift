import Foundation
import TestSelection
import TestSupport
import Testing

/// `record --export-to` and `serve --export-to`.
@Suite("Walks that are written when they end", .timeLimit(.minutes(5)))
struct FinishedWalksTests {
    let bench = Workbench()

    @Test("go into the folder once, named by their start, and no others do")
    func record() async throws {
        let folder = try bench.folder("walks")
        try await bench.load("ordinary-walk")
        _ = try await bench.run("record", "--for", "2s", "--export-to", folder)
        let names = try bench.names(in: folder)
        #expect(names.count == 1)
        #expect(names[0].wholeMatch(of: /\d{4}-\d\d-\d\d-\d{4}-walk\.fit/) != nil, "\(names)")
        // Whoever takes it from there does not get it again.
        try FileManager.default.removeItem(atPath: "\(folder)/\(names[0])")
        _ = try await bench.run("record", "--simulate", "--for", "2s", "--export-to", folder)
        #expect(try bench.names(in: folder).isEmpty)
        let table = ["--export-to", folder, "--format", "csv"]
        _ = try await bench.start(["record", "--for", "2s"] + table).end
        let written = try bench.names(in: folder)
        #expect(written.count == 1 && written[0].hasSuffix("-walk.csv"), "\(written)")
        let last = try #require(try await bench.objects("sessions", "list").last)
        let walk = "\(try last.integer("position"))"
        let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(written[0])"))
        let exported = "\(bench.folder)/exported.csv"
        _ = try await bench.output("export", walk, "--format", "csv", "--out", exported)
        #expect(bytes == (try Data(contentsOf: URL(filePath: exported))))
    }

    @Test("are recorded where the folder is gone, which is said", .slow)
    func gone() async throws {
        let folder = "\(bench.folder)/nowhere"
        try await bench.expect(
            "record", "--for", "2s", "--export-to", folder, warns: "pulselog export ")
        #expect(try await bench.objects("sessions", "list").count == 1)
        try await bench.expect(
            "record", "--for", "2s", "--export-to", folder, "--format", "doc", status: 64)
    }

    @Test(
        "are also those that a recorder which was killed left open, once their end is recorded",
        .slow,
        arguments: [([], 1), (["--new"], 2)])
    func leftOpen(_ options: [String], _ count: Int) async throws {
        let folder = try bench.folder("walks")
        let killed = try bench.start(["record", "--json"])
        try await killed.event("sessionStarted")
        killed.signal(SIGKILL)
        _ = await killed.end
        let again = ["record", "--for", "2s", "--export-to", folder] + options
        _ = try await bench.start(again).end
        let ended = try await bench.objects("sessions", "list")
            .filter { try $0.text("state") == "ended" }
        #expect(ended.count == count)
        #expect(try bench.names(in: folder).count == count)
    }
}
