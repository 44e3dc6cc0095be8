import TestSelection
import TestSupport
import Testing

@Suite("The first event that differs")
struct BisectTests {
    let bench = Workbench()

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

    @Test("is found, with the field that says so", arguments: sample(partings))
    func parts(
        _ parting: (name: String, setting: String, position: Int, field: String)
    ) async throws {
        let capture = ReplayCase(parting.name).capture
        let line = try Line(
            await bench.expect(
                "bisect", capture, "--what-if", parting.setting, "--json", status: 1
            ).text)
        #expect(line.flag("parts"))
        #expect(try line.integer("position") == parting.position)
        #expect(try line.text("field") == parting.field)
        #expect(try line.integer("events") == parting.position + 1)
        #expect(try line.object("event").integer("position") == parting.position)
        #expect(try line.text("at").hasPrefix("2026-03-01T09:0"))
        #expect(line.fields["rules"] == nil)

        // One event earlier a replay shows no difference, and with it the same.
        for (until, isSame) in [(parting.position, true), (parting.position + 1, false)] {
            let replay = try await bench.object(
                "replay", capture, "--what-if", parting.setting, "--until", "\(until)")
            #expect(try replay.objects("differences").isEmpty == isSame, "until \(until)")
        }

        let text = try await bench.expect(
            "bisect", capture, "--what-if", parting.setting, status: 1,
            says: String(parting.field.split(separator: ".", maxSplits: 1)[1]))
        // The event's own line, below a sentence and two headings, is as long as in `log cat`.
        for (index, line) in text.lines.enumerated() where index != 3 {
            #expect(line.unicodeScalars.count <= 80, "\(line)")
        }
    }

    @Test("is none where a rule changes nothing, and that is no failure")
    func none() async throws {
        let capture = ReplayCase("one-minute").capture
        let end = try await bench.expect("bisect", capture, "--what-if", "graceMilliseconds=5000")
        #expect(end.text.hasPrefix("No difference in 171 events"))
        let line = try await bench.object(
            "bisect", capture, "--what-if", "graceMilliseconds=5000")
        #expect(!line.flag("parts"))
    }

    @Test("is found in a store, and in one of its sessions")
    func store() async throws {
        try await bench.load("drops")
        let arguments = ["--what-if", "graceMilliseconds=1000", "--json"]
        let store = try await bench.start(["bisect", "store"] + arguments).end
        let position = try await bench.object("sessions").integer("position")
        let session = try await bench.expect(
            ["bisect", "session:\(position)"] + arguments, status: 1)
        #expect(store.status == 1)
        #expect(try Line(store.text).integer("position") <= Line(session.text).integer("position"))
        #expect(try Line(session.text).text("field").hasPrefix("sessions[\(position)]."))
    }

    @Test("needs one thing to compare with")
    func usage() async throws {
        let capture = ReplayCase("drops").capture
        try await bench.expectComplaints([
            ("bisect \(capture)", 64, "Give either"),
            ("bisect \(capture) --what-if grace=1", 64, "no rule grace"),
            ("bisect \(capture) --projection heartRate@99", 64, "there is heartRate@1"),
            (
                "bisect \(capture) --what-if countZero=true --projection heartRate@1", 64,
                "Give either"
            ),
        ])
    }

    /// Where the kept versions part from the present one; in every other case they do not.
    static let kept = ["doubled-delivery": 50, "not-credible": 15, "wide-values": 16]

    @Test("of a kept version is known in each case", arguments: ReplayCase.tested)
    func versions(_ replay: ReplayCase) async throws {
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
        #expect(try line.text("field") == "sessions[14].heartRate.samples")
    }
}
