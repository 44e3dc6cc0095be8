import Foundation
import TestSupport
import Testing

@Suite("The walker's own commands")
struct HookTests {
    /// A workbench whose commands add what they read to a file, or do what they are made of.
    private func bench(_ commands: [String: String]) throws -> Workbench {
        let bench = Workbench()
        let lines = commands.map { "\($0.key) = '\($0.value)'\n" }.sorted().joined()
        try bench.file(".config/pulselog/config.toml", "[on]\n\(lines)")
        return bench
    }

    /// A pipe with a name in the home folder, in which commands tell and wait.
    private func pipe(_ name: String, in bench: Workbench) {
        #expect(mkfifo("\(bench.folder)/\(name)", 0o600) == 0)
    }

    /// What a command writes into a pipe: a line.
    private func told(_ name: String, in bench: Workbench) async throws -> Line {
        try Line(await bench.shell("cat \"$HOME/\(name)\"").end.text)
    }

    @Test("get the walk when it begins, is paused, reaches its goal and has ended")
    func occasions() async throws {
        let all = ["start", "pause", "finish", "goal"]
        let commands = all.map { ($0, "tee -a \"$HOME/\($0).all\" >\"$HOME/\($0)\"") }
        let bench = try bench(Dictionary(uniqueKeysWithValues: commands))
        for occasion in all { pipe(occasion, in: bench) }
        let record = try bench.start(["record", "--simulate", "--goal", "duration=1s", "--json"])
        for (occasion, act) in [("start", "pause"), ("pause", "resume"), ("goal", "finish")] {
            #expect(try await told(occasion, in: bench).text("on") == occasion)
            try await bench.expect(act)
        }
        let end = await record.end
        #expect(end.status == 0)
        let finished = try await told("finish", in: bench).object("session")
        let session = try #require(try end.lines.last.map { try Line($0).object("session") })
        #expect(try finished.text("state") == "ended")
        // Each has run once.
        for occasion in all {
            let all = try String(contentsOfFile: "\(bench.folder)/\(occasion).all", encoding: .utf8)
            #expect(all.split(separator: "\n").count == 1, "\(occasion)")
        }
        #expect(
            try finished.integer("activeMilliseconds") == session.integer("activeMilliseconds"))
    }

    @Test("hold nothing up, and what fails is said with its first words")
    func failing() async throws {
        let bench = try bench([
            "start": "echo no broker; exit 3", "finish": "kill -TERM $$",
            "pause": "read go <\"$HOME/go\"; cat >\"$HOME/done\"",
        ])
        for name in ["go", "done"] { pipe(name, in: bench) }
        let record = try bench.start(["record", "--simulate"])
        try await record.line {
            $0.contains("The command of on.start failed with exit code 3: no broker")
        }
        try await bench.expect("pause")
        let end = await record.finish()
        // What fails at the very end is said too; no signal is blocked.
        #expect(end.messages.contains("The command of on.finish failed with exit code 143."))
        // The command outlives the recorder.
        let go = try bench.shell("echo >\"$HOME/go\"")
        #expect(try await told("done", in: bench).text("on") == "pause")
        #expect(await go.end.status == 0)
    }

    @Test("know the store and the walk")
    func environment() async throws {
        let export = "export \"$PULSELOG_SESSION\" --format fit --out \"$HOME/walk.fit\""
        let bench = try bench([
            "finish": "\(RunningProgram.pulselog) \(export); echo >\"$HOME/done\""
        ])
        pipe("done", in: bench)
        let store = bench.folder + "/elsewhere"
        try await bench.expect("record", "--simulate", "--for", "2s", "--store", store)
        _ = try await bench.shell("cat \"$HOME/done\"").end
        try await bench.expect("import", "--dry-run", bench.folder + "/walk.fit", status: 65)
    }
}
