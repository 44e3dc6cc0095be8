import Foundation
import TestSupport
import Testing

@Suite("The walker's own commands")
struct HookTests {
    /// A workbench whose commands add what they read to a file, or do what they are made of.
    private func bench(_ commands: [String: String]) throws -> Workbench {
        let bench = try Workbench()
        let folder = "\(bench.folder)/.config/pulselog"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let lines = commands.map { "\($0.key) = '\($0.value)'\n" }.sorted().joined()
        try "[on]\n\(lines)".write(
            toFile: "\(folder)/config.toml", atomically: true, encoding: .utf8)
        return bench
    }

    /// What commands have written; each line is there as a whole.
    private func lines(_ path: String, _ count: Int) async throws -> [Line] {
        var lines: [Substring] = []
        for _ in 0..<500 {
            let text = FileManager.default.contents(atPath: path) ?? Data()
            lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
            if lines.count >= count { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        return try lines.map { try Line(String($0)) }
    }

    @Test("get the walk when it begins, is paused, reaches its goal and has ended")
    func occasions() async throws {
        let all = ["start", "pause", "finish", "goal"]
        let bench = try bench(
            Dictionary(uniqueKeysWithValues: all.map { ($0, "cat >>\"$HOME/\($0)\"") }))
        let record = try bench.start([
            "record", "--simulate", "--goal", "duration=1s", "--json",
        ])
        for (occasion, act) in [("start", "pause"), ("pause", "resume"), ("goal", "finish")] {
            let read = try await lines("\(bench.folder)/\(occasion)", 1)
            #expect(read.map { $0.fields["on"] as? String } == [occasion])
            #expect(try await bench.run(act).status == 0)
        }
        let end = await record.end
        #expect(end.status == 0)
        let finished = try await lines("\(bench.folder)/finish", 1)
        let session = try #require(try end.lines.last.map { try Line($0).object("session") })
        #expect(try finished.first?.object("session").text("state") == "ended")
        // Each has run once.
        for occasion in all {
            #expect(try await lines("\(bench.folder)/\(occasion)", 1).count == 1, "\(occasion)")
        }
        let walk = try finished.first?.object("session").integer("activeMilliseconds")
        #expect(try walk == session.integer("activeMilliseconds"))
    }

    @Test("hold nothing up, and what fails is said with its first words")
    func failing() async throws {
        let bench = try bench([
            "start": "echo no broker; exit 3", "finish": "kill -TERM $$",
            "pause": "until [ -e \"$HOME/go\" ]; do sleep 0.1; done; cat >\"$HOME/done\"",
        ])
        let record = try bench.start(["record", "--simulate"])
        try await record.line {
            $0.contains("The command of on.start failed with exit code 3: no broker")
        }
        #expect(try await bench.run("pause").status == 0)
        record.signal(SIGINT)
        let end = await record.end
        #expect(end.status == 0)
        // What fails at the very end is said too; no signal is blocked.
        #expect(end.messages.contains("The command of on.finish failed with exit code 143."))
        // The command outlives the recorder.
        let done = "\(bench.folder)/done"
        #expect(!FileManager.default.fileExists(atPath: done))
        try Data().write(to: URL(filePath: "\(bench.folder)/go"))
        #expect(try await lines(done, 1).map { $0.fields["on"] as? String } == ["pause"])
    }

    @Test("know the store and the walk")
    func environment() async throws {
        let program = RunningProgram.builtPrograms + "/pulselog"
        let export = "export \"$PULSELOG_SESSION\" --format fit --out \"$HOME/walk.fit\""
        let bench = try bench(["finish": "\(program) \(export)"])
        let store = bench.folder + "/elsewhere"
        let end = try await bench.run("record", "--simulate", "--for", "2s", "--store", store)
        #expect(end.status == 0, "\(end.messages)")
        let path = bench.folder + "/walk.fit"
        for _ in 0..<500 where !FileManager.default.fileExists(atPath: path) {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(try await bench.run("import", "--dry-run", path).status == 65)
    }
}
