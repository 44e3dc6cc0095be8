import Foundation
import TestSupport
import Testing

/// Ctrl-C while files come and go.
@Suite("Files, interrupted", .timeLimit(.minutes(5)))
struct InterruptedFilesTests {
    let bench = Workbench()

    /// Minutes of heart rates, one a second, from a minute of 2026-03-01 on.
    private static func csv(_ minute: Int) -> [UInt8] {
        var text = "time,bpm\n"
        for second in 0..<60 {
            let time = String(format: "%02d:%02d:%02d", minute / 60, minute % 60, second)
            text += "2026-03-01T\(time)Z,\(90 + (minute * 7 + second) % 40)\n"
        }
        return Array(text.utf8)
    }

    private func sessions() async throws -> Int {
        try await bench.run("sessions", "--json").lines.count
    }

    @Test("come whole or not at all, and the same command again brings the rest")
    func importing() async throws {
        let first = try bench.file("1.csv", Self.csv(0))
        let slow = "\(bench.folder)/2.csv"
        try #require(mkfifo(slow, 0o600) == 0)
        let run = try bench.start(["import", first, slow, "--json"])
        // It has begun with the second file when it opens it.
        signal(SIGPIPE, SIG_IGN)
        let pipe = open(slow, O_WRONLY)
        try #require(pipe >= 0)
        _ = write(pipe, Self.csv(2), Self.csv(2).count)
        run.signal(SIGINT)
        // It never comes to the end of the file.
        let more = [UInt8](repeating: 0x0A, count: 100)
        while write(pipe, more, more.count) > 0 {}
        close(pipe)
        let end = await run.end
        #expect(end.status == 128 + SIGINT || end.status == -SIGINT, "\(end.status)")
        #expect(end.messages.contains("What was imported is safe"), "\(end.messages)")
        #expect(try await sessions() == 1)
        try FileManager.default.removeItem(atPath: slow)
        _ = try bench.file("2.csv", Self.csv(2))
        try await bench.expect("import", first, slow)
        #expect(try await sessions() == 2)
    }

    @Test("leave whole or not at all, and the same command again writes the rest")
    func exporting() async throws {
        let walks = try bench.folder("in")
        for minute in 0..<40 {
            _ = try bench.file("in/\(minute).csv", Self.csv(minute * 3))
        }
        _ = try await bench.output("import", walks)
        let (whole, cut) = ("\(bench.folder)/whole", "\(bench.folder)/cut")
        let options = ["--all", "--format", "csv", "--json", "--out"]
        _ = try await bench.start(["export"] + options + [whole]).end
        let run = try bench.start(["export"] + options + [cut])
        _ = try await run.line { $0.contains("-walk.csv") }
        run.signal(SIGINT)
        let end = await run.end
        let names = try FileManager.default.contentsOfDirectory(atPath: cut)
        #expect(!names.isEmpty)
        if names.count < 40 {
            #expect(end.status == 128 + SIGINT || end.status == -SIGINT, "\(end.status)")
            #expect(end.messages.contains("of 40 walks were written"), "\(end.messages)")
        }
        func same(_ names: [String]) throws {
            for name in names {
                #expect(
                    try Data(contentsOf: URL(filePath: "\(cut)/\(name)"))
                        == Data(contentsOf: URL(filePath: "\(whole)/\(name)")))
            }
        }
        try same(names)
        try await bench.expect(["export", "--force"] + options + [cut])
        let all = try FileManager.default.contentsOfDirectory(atPath: cut)
        #expect(all.count == 40)
        try same(all)
    }
}
