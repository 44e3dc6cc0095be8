import Foundation
import TestSelection
import TestSupport
import Testing

/// `log cat` and `log tail` show a part of the log: the lines that a capture has, and no others.
@Suite("pulselog log cat and log tail")
struct LogCatTests {
    let bench = Workbench()

    /// Fills the store with a capture, and gives its lines.
    private func imported(_ name: String) async throws -> [String] {
        try await bench.load(name)
        return try ReplayCase(name).lines
    }

    /// What `log cat` or `log tail` shows, whatever the zone of this machine.
    private func shown(_ arguments: String, _ command: String = "cat") async throws -> [String] {
        let arguments = ["log", command] + arguments.arguments
        let end = try await bench.start(arguments, ["TZ": "Pacific/Kiritimati"]).end
        // 66: nothing lies in that part.
        #expect(end.status == 0 || end.status == 66 && end.text.isEmpty, "\(end.messages)")
        return end.text.split(separator: "\n").map(String.init)
    }

    @Test("shows the kinds and the lanes that are named, as they stand in the log")
    func kinds() async throws {
        let all = try await imported("drops")
        func wanted(_ kinds: String...) -> [String] {
            all.filter { line in kinds.contains { line.contains("\"kind\":\"\($0)\"") } }
        }
        let losses = try await shown("--json --kind linkLost")
        #expect(losses.count == 4 && losses == wanted("linkLost"))
        #expect(
            try await shown("--json --kind linkLost --kind session")
                == wanted("linkLost", "sessionStarted", "sessionEnded"))
        #expect(try await shown("--json --kind place").isEmpty)
    }

    @Test("shows kinds that this program does not know, by their number and by their lane")
    func unknownKinds() async throws {
        let all = try await imported("newer-events").filter { $0.contains("\"kind\":\"0x") }
        #expect(try await shown("--json --kind 0x5f --kind 0x1f") == all)
        let heart = try await shown("--json --kind heart").filter { $0.contains("\"kind\":\"0x") }
        #expect(heart == all.filter { $0.contains("0x5f") })
    }

    @Test("refuses a name that is no kind, with those there are")
    func noKind() async throws {
        _ = try await imported("malformed")
        for name in ["linkLoss", "0xe1", "0x20", "Link", ""] {
            let end = try await bench.expect(
                "log", "cat", "--kind", name, status: 64,
                says: "control, link, heart, steps, session, place, day", "linkLost, subscribed")
            #expect(end.output.isEmpty, "\(name)")
        }
        try await bench.expect("log", "tail", "--device", "Strap One", status: 64, says: "--device")
    }

    @Test("shows the events that name a device: its address, with its space or without")
    func devices() async throws {
        let all = try await imported("ordinary-walk")
        let watch = all.filter { $0.contains("C4:00:00:00:00:02") }
        #expect(try await shown("--json --device C4:00:00:00:00:02") == watch)
        #expect(try await shown("--json --device public/C4:00:00:00:00:02").isEmpty)
        let both = all.filter { $0.contains("C4:00:00:00:00:0") }
        #expect(
            try await shown("--json --device c4:00:00:00:00:02 --device C4:00:00:00:00:01") == both)
        #expect(
            try await shown("--json --device C4:00:00:00:00:02 --kind link --from 5 --until 20")
                == watch.filter { $0.contains("devicePaired") || $0.contains("primaryChosen") })
    }

    /// Options of a time, and the seconds since 23:59:30 of which the events are shown.
    static let spans: [(String, Range<Double>)] = [
        ("--day 2026-03-01", -1..<30), ("--day 2026-03-02", 30..<99), ("--day 2026-03-03", 99..<99),
        ("--day 2026-03-01 --from 23:59:40 --until 23:59:44", 10..<15),
        ("--day 2026-03-01 --from 23:59:40.000 --until 23:59:44.000", 10..<14.001),
        ("--from 00:00:05 --until 00:00", 99..<99), ("--from 00:00:05", 35..<99),
        ("--until 00:00", -1..<31), ("--from 2026-03-01T22:59:50Z", 20..<99),
        ("--until 2026-03-01T23:59:50+01:00", -1..<21),
        ("--from 1772405990000 --until 1772405995000", 20..<25.001),
        ("--day 2026-03-01 --from 23:59:50 --until 1772405995000", 20..<25.001),
    ]

    @Test("begins and ends at a time, by the recorded clock and zone")
    func span() async throws {
        let all = try await imported("midnight")
        for (arguments, seconds) in Self.spans {
            let wanted = try all.filter { line in
                let wall = try Line(line).integer("wallMilliseconds")
                return seconds.contains(Double(wall - 1_772_405_970_000) / 1_000)
            }
            #expect(try await shown("--json \(arguments)") == wanted, "\(arguments)")
            let positions = try wanted.map { try Line($0).integer("position") }
            let text = try await shown(arguments).filter { $0.hasPrefix("    ") }
            #expect(
                text.compactMap { Int($0.prefix(10).drop { $0 == " " }) } == positions,
                "\(arguments)")
        }
    }

    @Test("tells local times also where the event that named the zone is not shown")
    func zones() async throws {
        let lines = try ReplayCase("ordinary-walk").lines
        try await bench.load(lines + [lines[2].setting("zoneOffsetMinutes", to: -300), lines[265]])
        for (shown, moved) in [
            (try await shown("--kind recorderStopped"), ["       267  04:02:35"]),
            (try await shown("-n 3", "tail"), ["       266  04:00:00", "       267  04:02:35"]),
        ] {
            #expect(
                shown.map { $0.prefix(20) } == [
                    "  position  time    ", "2026-03-01 +01:00", "       265  10:02:35",
                    "2026-03-01 -05:00",
                ] + moved.map { $0[...] }, "\(shown)")
        }
    }

    @Test("shows the last ones of those that are named, however far back they are")
    func tail() async throws {
        let all = try await imported("drops")
        let losses = all.filter { $0.contains("linkLost") }
        #expect(try await shown("--json -n 3 --kind linkLost", "tail") == losses.suffix(3))
        #expect(try await shown("--json -n 9 --kind linkLost", "tail") == losses)
        #expect(try await shown("--json -n 0 --kind linkLost", "tail").isEmpty)
        #expect(try await shown("--json -n 5", "tail") == all.suffix(5))
        let straps = all.filter { $0.contains("C4:00:00:00:00:01") }
        #expect(
            try await shown("--json -n 7 --device C4:00:00:00:00:01", "tail") == straps.suffix(7))
    }

    @Test("goes on with those that are named")
    func follow() async throws {
        _ = try await imported("ordinary-walk")
        let tail = try bench.start(
            ["log", "tail", "-n", "1", "--json", "--follow", "--kind", "steps"])
        _ = try await tail.line { $0.contains("pedometerRead") }
        _ = try await bench.output("profile", "set", "height=181cm")
        _ = try await bench.output("health", "9000", "--day", "2026-03-01")
        let next = try await tail.line { !$0.contains("pedometerRead") }
        let steps = ["reconciliationTriggered", "healthTotalObserved"]
        #expect(steps.contains(try Line(next.text).text("kind")), "\(next.text)")
        tail.signal(SIGINT)
        _ = await tail.end
    }

    /// Parts of captures in which times go back: the end of summer time, a flight, a clock that was
    /// set.
    static let repeatedTimes = [
        ("winter-time", "2026-10-25", "02:00:00", "02:00:59"),
        ("flight-west", "2026-03-01", "18:30:00", "18:30:59"),
        ("clock-step", "2026-03-01", "09:00:40", "09:00:50"),
    ]

    @Test(
        "shows every event of a time that the clock showed twice",
        arguments: sample(repeatedTimes))
    func repeated(capture: String, day: String, from: String, until: String) async throws {
        _ = try await imported(capture)
        /// The positions of lines with times, below the days that head them.
        func positions(_ lines: [String], _ isWanted: (String, String) -> Bool) -> [String] {
            var date = ""
            return lines.compactMap { line in
                if line.hasPrefix("20") { date = String(line.prefix(10)) }
                let words = line.arguments
                guard words.count > 2, Int(words[0]) != nil, words[1].contains(":") else {
                    return nil
                }
                return isWanted(date, words[1]) ? words[0] : nil
            }
        }
        let wanted = positions(try await shown("")) {
            $0 == day && $1 >= from && $1 <= until
        }
        #expect(!wanted.isEmpty)
        let window = "--day \(day) --from \(from) --until \(until)"
        let found = try await shown(window)
        #expect(positions(found) { $0 == day && $1 >= from && $1 <= until } == wanted)
        #expect(positions(found) { _, _ in true } == wanted)
        let lines = try await shown(window + " --json")
        #expect(try lines.map { "\(try Line($0).integer("position"))" } == wanted)
        let replay = ["replay", "store", "--events", "--json", "--from", from, "--until", until]
        let replayed = try await bench.start(replay).end
        if capture == "flight-west" {
            // Times are those of the first event's day, on which it was never that late.
            #expect(replayed.status == 66 && replayed.text.isEmpty)
        } else {
            let positions = try replayed.lines.dropLast().map { try Line($0).integer("position") }
            #expect(positions.map(String.init) == wanted)
        }
    }

    @Test("is refused with a sentence where a part has no event")
    func nothing() async throws {
        try await bench.load("one-minute")
        let commands = [
            "log cat --from 50 --until 20", "log cat --from 9999999", "log cat --day 2020-01-01",
            "replay store --from 50 --until 20", "replay store --from 9999999",
            "replay store --from 23:59:59",
        ]
        try await bench.expectComplaints(commands.map { ($0, 66, "No event lies in this part") })
    }
}
