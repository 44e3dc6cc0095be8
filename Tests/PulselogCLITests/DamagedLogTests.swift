import Foundation
import TestSelection
import TestSupport
import Testing

/// A changed bit is never taken for what was recorded, whatever command meets it.
@Suite("Damaged log")
struct DamagedLogTests {
    /// Without a snapshot, but where one is asked for.
    let bench = Workbench(snapshotEvents: nil)

    /// A store of several blocks.
    private func makeStore() async throws {
        let lines = try ReplayCase("ordinary-walk").lines
        let last = try #require(lines.last)
        try await bench.load(lines + Array(repeating: last, count: 3_000 - lines.count))
    }

    /// What says the same of the same log, and reads no more than it needs.
    static let answers = [
        "steps --day 2026-03-01", "profile", "devices", "sessions", "sessions show last",
    ]
    /// What reads every event; the session is in the damaged block.
    static let readers = [
        "export", "sessions show last --json", "log rebuild", "log cat", "log cat --json",
        "replay store",
        "audit steps --day 2026-03-01", "audit explain --day 2026-03-01", "audit check",
    ]
    static let writers = [
        "profile set height=180cm", "devices primary C4:00:00:00:00:01",
        "devices forget C4:00:00:00:00:01", "health 9000", "pause", "mark", "stop", "refresh",
        "steps correct --day 2026-03-01 --by 5 --reason here", "record --simulate --for 1s",
    ]
    static let commands = ["status", "audit steps", "audit explain"] + answers + readers + writers

    /// Runs commands, each of which must refuse the log.
    private func expectRefusal(by commands: [String]) async throws {
        for command in commands {
            let end = try await bench.expect(
                command.arguments, status: 65, says: "damaged at position 0",
                "does not match its checksum", "pulselog log verify")
            // What tells a day's events one by one has its heading from the snapshot.
            guard !command.hasPrefix("audit steps") else { continue }
            // An export without an end is not taken for a whole one.
            let isExport = command.hasPrefix("export")
            #expect(
                end.output.isEmpty || isExport && end.text == "{\"export\":1}\n",
                "\(command): \(end.text)")
        }
    }

    @Test("ends every command that folds it with 65 and the position, and changes nothing")
    func everyCommand() async throws {
        try await makeStore()
        try bench.damage("Strap One")
        let bytes = try Data(contentsOf: bench.dataFile)
        try await expectRefusal(by: Self.commands)
        let verified = try await bench.expect("log", "verify", status: 1, says: "damaged")
        #expect(verified.messages.isEmpty)
        #expect(try Data(contentsOf: bench.dataFile) == bytes)
    }

    @Test(
        "is met beyond a snapshot by who reads on; others are answered, and append at the end",
        .slow)
    func behindSnapshot() async throws {
        try await makeStore()
        let variables = ["PULSELOG_SNAPSHOT_EVENTS": "1"]
        var said: [[UInt8]] = []
        for command in Self.answers {
            said.append(try await bench.start(command.arguments, variables).end.output)
        }
        let statistics = try await bench.object("log", "stats")
        #expect(try statistics.integer("snapshotEvents") == 3_000)
        try bench.damage("Strap One")
        let bytes = try Data(contentsOf: bench.dataFile)
        for (command, before) in zip(Self.answers, said) {
            let end = try await bench.expect(command.arguments)
            #expect(end.output == before, "\(command)")
        }
        try await bench.expect("status")
        try await expectRefusal(by: Self.readers)
        let verified = try await bench.expect("log", "verify", "--json", status: 1)
        #expect(verified.messages.isEmpty)
        #expect(try Line(verified.text).integer("damagePosition") == 0)
        #expect(try Data(contentsOf: bench.dataFile) == bytes)
        try await bench.expect("profile", "set", "height=180cm")
        let grown = try await bench.expect("log", "verify", "--json", status: 1)
        #expect(grown.text == verified.text)
    }

    @Test("is met by everybody if it is in the block that a snapshot ends with", .slow)
    func atSnapshot() async throws {
        try await bench.load("late-health-total")
        let variables = ["PULSELOG_SNAPSHOT_EVENTS": "1"]
        _ = try await bench.output("steps", variables: variables)
        try bench.damage("shaken")
        try await expectRefusal(by: ["status"] + Self.answers + Self.readers + Self.writers)
    }

    @Test("gives what stands before the damage, and that can be restored elsewhere")
    func salvage() async throws {
        try await makeStore()
        let reason = "unmistakable"
        _ = try await bench.output(
            "steps", "correct", "--day", "2026-03-01", "--by", "5", "--reason", reason)
        let lines = try await bench.run("export").lines
        let sound = try await bench.object("log", "verify")
        #expect(try sound.integer("events") == lines.count)
        #expect(try sound.integer("blocks") > 2)
        try bench.damage(reason)
        let end = try await bench.expect("log", "verify", "--json", status: 1)
        #expect(end.messages.isEmpty)
        let found = try Line(end.text)
        #expect(try !found.flag("sound") && found.text("damage").contains("checksum"))
        let position = try found.integer("damagePosition")
        #expect(try found.integer("events") == position)
        let until = "2100-01-01T00:00:00Z"
        let replay = try await bench.expect(
            "replay", "store", "--until", until, "--json", status: 65, says: "partial")
        #expect(try Line(replay.text).integer("events") == position, "\(replay.text)")
        #expect(try found.integer("blocks") == sound.integer("blocks") - 1)
        try await bench.expect(
            "mark", status: 65, says: "at position \(position)", "pulselog log recover --out")
        let good = try await bench.run("log", "cat", "--json", "--until", "\(position)")
        #expect(good.lines == Array(lines.prefix(position)))
        let path = try bench.file("good.jsonl", good.output)
        let restored = bench.folder + "/restored"
        _ = try await bench.output("import", path, "--store", restored)
        #expect(try await bench.output("export", "--store", restored) == good.output)
    }
}
