import Foundation
import TestSupport
import Testing

/// Ctrl-C while files come and go.
@Suite("Files, interrupted", .timeLimit(.minutes(5)))
struct InterruptedFilesTests {
    let bench = Workbench()

    @Test(
        "come whole or not at all, and the same command again brings the rest",
        arguments: ["2.csv", "export.xml"])
    func importing(_ name: String) async throws {
        let walk = WalkFiles.workout("Walking", "03-01 12:00", "03-01 12:30", "+0100")
        let store = Array("<HealthData>\(walk)".utf8)
        let (head, end) = name == "2.csv" ? (WalkFiles.csv(2), "") : (store, "</HealthData>")
        let first = try bench.file("1.csv", WalkFiles.csv())
        let slow = "\(bench.folder)/\(name)"
        try #require(mkfifo(slow, 0o600) == 0)
        let run = try bench.start(["import", first, slow])
        // It has begun with the second file when it opens it.
        signal(SIGPIPE, SIG_IGN)
        let pipe = open(slow, O_WRONLY)
        try #require(pipe >= 0)
        _ = write(pipe, head, head.count)
        run.signal(SIGINT)
        // It never comes to the end of the file, and far less of it is read than would be kept.
        let more = [UInt8](repeating: 0x0A, count: 8_000)
        var pieces = 0
        while pieces < 10_000, write(pipe, more, more.count) > 0 { pieces += 1 }
        close(pipe)
        #expect(pieces < 10_000)
        let interrupted = await run.end
        expectInterrupted(interrupted, "What was imported is safe")
        #expect(!interrupted.text.contains("Apple Health"), "\(interrupted.text)")
        #expect(try await bench.objects("sessions").count == 1)
        try FileManager.default.removeItem(atPath: slow)
        _ = try bench.file(name, head + end.utf8)
        try await bench.expect("import", first, slow)
        #expect(try await bench.objects("sessions").count == 2)
    }

    private func expectInterrupted(_ end: RunningProgram.End, _ words: String) {
        #expect(end.status == 128 + SIGINT || end.status == -SIGINT, "\(end.status)")
        #expect(end.messages.contains(words), "\(end.messages)")
    }

    @Test("leave whole or not at all, and the same command again writes the rest")
    func exporting() async throws {
        let walks = try bench.folder("in")
        for minute in 0..<40 {
            _ = try bench.file("in/\(minute).csv", WalkFiles.csv(minute * 3, from: 90 + minute))
        }
        _ = try await bench.output("import", walks)
        let (whole, cut) = ("\(bench.folder)/whole", "\(bench.folder)/cut")
        let options = ["--all", "--format", "csv", "--json", "--out"]
        _ = try await bench.start(["export"] + options + [whole]).end
        let run = try bench.start(["export"] + options + [cut])
        _ = try await run.line { $0.contains("-walk.csv") }
        run.signal(SIGINT)
        let end = await run.end
        let names = try bench.names(in: cut)
        #expect(!names.isEmpty)
        if names.count < 40 { expectInterrupted(end, "of 40 walks were written") }
        func same(_ names: [String]) throws {
            for name in names {
                #expect(
                    try Data(contentsOf: URL(filePath: "\(cut)/\(name)"))
                        == Data(contentsOf: URL(filePath: "\(whole)/\(name)")))
            }
        }
        try same(names)
        try await bench.expect(["export", "--force"] + options + [cut])
        let all = try bench.names(in: cut)
        #expect(all.count == 40)
        try same(all)
    }
}
