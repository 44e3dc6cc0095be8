import Foundation
import TestSupport
import Testing

@Suite("pulselog bug")
struct BugTests {
    let bench = Workbench()

    @Test("shows what it writes: versions, the check, the last walk and the last hour")
    func whole() async throws {
        try await bench.load("drops")
        let path = bench.folder + "/bug.txt"
        let end = try await bench.expect("bug", "--out", path)
        #expect(end.text.hasPrefix("Pulselog "))
        #expect(!end.text.contains("cannot be opened"))
        #expect(FileManager.default.contents(atPath: path) == Data(end.output))
        // The walk can be replayed as it stands there.
        let lines = end.lines.filter { $0.hasPrefix("{") }
        let last = try #require(lines.firstIndex { $0.contains("sha256") })
        let walk = lines[...last].joined(separator: "\n") + "\n"
        let file = try bench.file("walk.jsonl", walk)
        #expect(try await bench.object("replay", file).objects("sessions").count == 1)
        #expect(lines[last...].contains { $0.contains("linkLost") })
        // A second time the file is there.
        try await bench.expect("bug", "--out", path, status: 73)
    }

    @Test("shows no name, no address, no home and no date")
    func anonymous() async throws {
        try await bench.load("drops")
        let text = try await bench.run("bug").text
        let secrets = [bench.folder, "C4:00:00:00:00:01", "2026-03"]
        for secret in secrets { #expect(!text.contains(secret), "\(secret)") }
        #expect(try ReplayCase("drops").lines.contains { $0.contains("C4:00:00:00:00:01") })
    }

    @Test("says what there is without a walk, and needs a store")
    func empty() async throws {
        try await bench.expect("bug", status: 66)
        _ = try await bench.output("profile", "set", "height=180cm")
        #expect(try await bench.run("bug").text.contains("There is no walk."))
        // The last one is that of `export last`, whatever it came from.
        _ = try await bench.output("record", "--simulate", "--for", "1s")
        #expect(try await bench.run("bug").text.contains("sessionStarted"))
    }
}
