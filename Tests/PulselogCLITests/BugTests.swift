import Foundation
import TestSupport
import Testing

@Suite("pulselog bug")
struct BugTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    @Test("shows what it writes: versions, the check, the last walk and the last hour")
    func whole() async throws {
        let capture = GoldenReplayTests.Case(name: "drops").capture
        _ = try await bench.output("import", capture)
        let path = bench.folder + "/bug.txt"
        let end = try await bench.run("bug", "--out", path)
        #expect(end.status == 0, "\(end.messages)")
        #expect(end.text.hasPrefix("Pulselog "))
        #expect(!end.text.contains("cannot be opened"))
        #expect(FileManager.default.contents(atPath: path) == Data(end.output))
        // The walk can be replayed as it stands there.
        let lines = end.lines.filter { $0.hasPrefix("{") }
        let last = try #require(lines.firstIndex { $0.contains("sha256") })
        let walk = lines[...last].joined(separator: "\n") + "\n"
        let file = try bench.file("walk.jsonl", Array(walk.utf8))
        let replay = try await bench.run("replay", file, "--json")
        #expect(try Line(replay.text).objects("sessions").count == 1)
        #expect(lines[last...].contains { $0.contains("linkLost") })
        // A second time the file is there.
        #expect(try await bench.run("bug", "--out", path).status == 73)
    }

    @Test("shows no name, no address, no home and no date")
    func anonymous() async throws {
        let capture = GoldenReplayTests.Case(name: "drops").capture
        let lines = String(
            decoding: try GoldenReplayTests.Case(name: "drops")
                .bytes(of: "capture.jsonl"), as: UTF8.self)
        _ = try await bench.output("import", capture)
        let text = try await bench.run("bug").text
        let secrets = [bench.folder, "C4:00:00:00:00:01", "2026-03"]
        for secret in secrets { #expect(!text.contains(secret), "\(secret)") }
        #expect(lines.contains("C4:00:00:00:00:01"))
    }

    @Test("says what there is without a walk, and needs a store")
    func empty() async throws {
        #expect(try await bench.run("bug").status == 66)
        _ = try await bench.output("profile", "set", "height=180cm")
        #expect(try await bench.run("bug").text.contains("There is no walk."))
        // The last one is that of `export last`, whatever it came from.
        _ = try await bench.output("record", "--simulate", "--for", "1s")
        #expect(try await bench.run("bug").text.contains("sessionStarted"))
    }
}
