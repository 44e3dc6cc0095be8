import Foundation
import TestSelection
import TestSupport
import Testing

/// A changed bit is never taken for what was recorded, whatever command meets it.
@Suite("Damaged log")
struct DamagedLogTests {
    let bench: Workbench

    init() throws {
        // Without a snapshot, but where one is asked for.
        bench = Workbench(snapshotEvents: nil)
    }

    private var file: URL { URL(filePath: bench.store + "/data.mdb") }

    /// A store of several blocks.
    private func makeStore() async throws {
        let capture = ReplayCase("ordinary-walk")
        var lines = try capture.bytes(of: "capture.jsonl").split(separator: UInt8(ascii: "\n"))
        let last = String(decoding: try #require(lines.last), as: UTF8.self)
        let old = "\"position\":\(lines.count - 1),"
        for position in lines.count..<3_000 {
            lines.append(ArraySlice(last.replacing(old, with: "\"position\":\(position),").utf8))
        }
        let path = try bench.file("long.jsonl", Array(lines.joined(separator: [10])) + [10])
        _ = try await bench.output("import", path)
    }

    /// Flips a bit where the data file holds a text.
    private func damage(_ text: String) throws {
        var bytes = try Data(contentsOf: file)
        let range = try #require(bytes.range(of: Data(text.utf8)))
        bytes[range.lowerBound] ^= 1
        try bytes.write(to: file)
    }

    /// What says the same of the same log, and reads no more than it needs.
    static let answers = [
        "steps --day 2026-03-01", "profile", "devices", "sessions", "sessions show last",
    ]
    /// What reads every event, or the checksum of every block; the session is in the damaged one.
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
        try damage("Strap One")
        let bytes = try Data(contentsOf: file)
        try await expectRefusal(by: Self.commands)
        let verified = try await bench.expect("log", "verify", status: 1, says: "damaged")
        #expect(verified.messages.isEmpty)
        #expect(try Data(contentsOf: file) == bytes)
    }

    @Test(
        "is met beyond a snapshot by who reads on, and by who appends; others are answered", .slow)
    func behindSnapshot() async throws {
        try await makeStore()
        let variables = ["PULSELOG_SNAPSHOT_EVENTS": "1"]
        var said: [[UInt8]] = []
        for command in Self.answers {
            said.append(
                try await bench.start(command.arguments, variables)
                    .end.output)
        }
        let statistics = try await bench.object("log", "stats")
        #expect(try statistics.integer("snapshotEvents") == 3_000)
        try damage("Strap One")
        let bytes = try Data(contentsOf: file)
        for (command, before) in zip(Self.answers, said) {
            let end = try await bench.expect(command.arguments)
            #expect(end.output == before, "\(command)")
        }
        try await bench.expect("status")
        try await expectRefusal(by: Self.readers + Self.writers)
        let verified = try await bench.expect("log", "verify", "--json", status: 1)
        #expect(verified.messages.isEmpty)
        #expect(try Line(verified.text).integer("damagePosition") == 0)
        #expect(try Data(contentsOf: file) == bytes)
    }

    @Test("is met by everybody if it is in the block that a snapshot ends with", .slow)
    func atSnapshot() async throws {
        try await bench.load("late-health-total")
        let variables = ["PULSELOG_SNAPSHOT_EVENTS": "1"]
        _ = try await bench.output("steps", variables: variables)
        try damage("shaken")
        try await expectRefusal(by: ["status"] + Self.answers + Self.readers + Self.writers)
    }

    @Test("is verified also if its only block is damaged: the finding as JSON, and exit code 1")
    func onlyBlock() async throws {
        try await bench.load("late-health-total")
        try damage("shaken")
        let end = try await bench.expect("log", "verify", "--json", status: 1)
        #expect(end.messages.isEmpty)
        let found = try Line(end.text)
        #expect(try found.integer("events") == 0 && !found.flag("sound"))
        #expect(try found.integer("damagePosition") == 0)
        #expect(try found.text("damage").contains("checksum"))
        let text = try await bench.expect("log", "verify", status: 1)
        #expect(text.text.hasPrefix("0 good events, then: "))
    }

    @Test("gives what stands before the damage, and that can be restored elsewhere")
    func salvage() async throws {
        try await makeStore()
        let reason = "unmistakable"
        _ = try await bench.output(
            "steps", "correct", "--day", "2026-03-01", "--by", "5", "--reason", reason)
        let lines = try await bench.output("export").split(separator: 10)
        let sound = try await bench.object("log", "verify")
        #expect(try sound.integer("events") == lines.count)
        #expect(try sound.integer("blocks") > 2)
        try damage(reason)
        let end = try await bench.expect("log", "verify", "--json", status: 1)
        let position = try Line(end.text).integer("damagePosition")
        let until = "2100-01-01T00:00:00Z"
        let replay = try await bench.expect(
            "replay", "store", "--until", until, "--json", status: 65, says: "partial")
        #expect(try Line(replay.text).integer("events") == position, "\(replay.text)")
        #expect(try Line(end.text).integer("blocks") == sound.integer("blocks") - 1)
        try await bench.expect(
            "mark", status: 65, says: "at position \(position)", "pulselog log recover --out")
        let good = try await bench.output("log", "cat", "--json", "--until", "\(position)")
        #expect(good == Array(lines.prefix(position).joined(separator: [10])) + [10])
        let path = try bench.file("good.jsonl", good)
        let restored = bench.folder + "/restored"
        _ = try await bench.output("import", path, "--store", restored)
        #expect(try await bench.output("export", "--store", restored) == good)
    }
}
