import Foundation
import TestSupport
import Testing

@Suite("The first event that differs")
struct BisectTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    /// A case, another rule, and where and in what it differs first.
    static let partings: [(name: String, setting: String, position: Int, field: String)] = [
        (
            "drop-outside-grace", "graceMilliseconds=5000", 46,
            "sessions[14].accounting.heldMilliseconds"
        ),
        (
            "zero-and-no-contact", "countNoContact=true", 30, "connection.isWithoutContact"
        ),
        ("zero-and-no-contact", "countZero=true", 25, "sessions[14].heartRate.samples"),
        (
            "drop-outside-grace", "zones=90,120,150", 16,
            "sessions[14].heartRate.zones.restingMilliseconds"
        ),
    ]

    @Test("is found, with the field that says so", arguments: partings)
    func parts(
        _ parting: (name: String, setting: String, position: Int, field: String)
    ) async throws {
        let capture = GoldenReplayTests.Case(name: parting.name).capture
        let end = try await bench.run("bisect", capture, "--what-if", parting.setting, "--json")
        #expect(end.status == 1, "a check found something")
        let line = try Line(end.text)
        #expect(line.flag("parts"))
        #expect(try line.integer("position") == parting.position)
        #expect(try line.text("field") == parting.field)
        #expect(try line.integer("events") == parting.position + 1)
        #expect(try line.object("event").integer("position") == parting.position)
        #expect(try line.text("at").hasPrefix("2026-03-01T09:0"))
        #expect(line.fields["rules"] == nil)

        // One event earlier a replay shows no difference, and with it the same.
        for (until, isSame) in [(parting.position, true), (parting.position + 1, false)] {
            let replay = try await bench.run(
                "replay", capture, "--what-if", parting.setting, "--json", "--until", "\(until)")
            let differences = try Line(replay.text).objects("differences")
            #expect(differences.isEmpty == isSame, "until \(until)")
        }

        let text = try await bench.run("bisect", capture, "--what-if", parting.setting)
        #expect(text.text.contains(parting.field.split(separator: ".", maxSplits: 1)[1]))
        // The event's own line, below a sentence and two headings, is as long as in `log cat`.
        for (index, line) in text.lines.enumerated() where index != 3 {
            #expect(line.unicodeScalars.count <= 80, "\(line)")
        }
    }

    @Test("is none where a rule changes nothing, and that is no failure")
    func none() async throws {
        let capture = GoldenReplayTests.Case(name: "one-minute").capture
        let end = try await bench.run("bisect", capture, "--what-if", "graceMilliseconds=5000")
        #expect(end.status == 0)
        #expect(end.text.hasPrefix("No difference in 171 events"))
        let json = try await bench.run(
            "bisect", capture, "--what-if", "graceMilliseconds=5000", "--json")
        #expect(!(try Line(json.text)).flag("parts"))
    }

    @Test("is found in a store, and in one of its sessions")
    func store() async throws {
        _ = try await bench.output("import", GoldenReplayTests.Case(name: "drops").capture)
        let arguments = ["--what-if", "graceMilliseconds=1000", "--json"]
        let store = try await bench.start(["bisect", "store"] + arguments).end
        let list = try await bench.run("sessions", "list", "--json").lines
        let position = try Line(#require(list.first)).integer("position")
        let session = try await bench.start(["bisect", "session:\(position)"] + arguments).end
        #expect(store.status == 1 && session.status == 1)
        #expect(try Line(store.text).integer("position") <= Line(session.text).integer("position"))
        #expect(try Line(session.text).text("field").hasPrefix("sessions[\(position)]."))
    }

    static let refused = [
        [], ["--what-if", "grace=1"], ["--projection", "heartRate@99"],
        ["--what-if", "countZero=true", "--projection", "heartRate@1"],
    ]

    @Test("needs one thing to compare with", arguments: refused)
    func usage(_ arguments: [String]) async throws {
        let capture = GoldenReplayTests.Case(name: "drops").capture
        let end = try await bench.start(["bisect", capture] + arguments).end
        #expect(end.status == 64, "\(end.messages)")
        #expect(!end.messages.isEmpty)
    }

    /// Where the kept versions part from the present one; in every other case they do not.
    static let kept = [
        "contact-never-set": 28, "doubled-delivery": 50, "not-credible": 15, "wide-values": 16,
    ]

    @Test("of a kept version is known in each case", arguments: GoldenReplayTests.Case.all)
    func versions(_ replay: GoldenReplayTests.Case) async throws {
        let end = try await bench.run(
            "bisect", replay.capture, "--projection", "heartRate@1", "--json")
        let line = try Line(end.text)
        #expect(line.fields["compared"] as? [String] == ["heartRate@1"])
        guard let position = Self.kept[replay.name] else {
            #expect(end.status == 0 && !line.flag("parts"), "\(end.text)")
            return
        }
        #expect(end.status == 1)
        #expect(try line.integer("position") == position)
        #expect(try line.text("field") == "session.samples")
    }
}
