import Events
import Foundation
import JSON
import Projections
import TestSupport
import Testing

@testable import Words

/// What pages and terminals show, as JSON.
@Suite("Views")
struct ViewTests {
    // MARK: - The log

    @Test("have dates below a log of days, with the year where it is another one")
    func days() throws {
        let day: Int64 = 86_400_000
        func axis(_ milliseconds: Int64, _ counts: [UInt64]) throws -> [String: Any] {
            // 31 December 2025, 23:00 in UTC and midnight of the walker.
            let times = (0..<Int64(LogAxis.labelCount)).map {
                LocalTime(1_767_222_000_000 + $0 * milliseconds, offsetMinutes: 60)
            }
            return try object(LogAxis(labels: times, counts: counts))
        }
        var counts = [UInt64](repeating: 0, count: LogAxis.barCount)
        (counts[0], counts[1], counts[2], counts[3]) = (1, 2, 1_000, 4_000)
        let long = try axis(100 * day, counts)
        #expect(
            long["labels"] as? [String]
                == ["1 Jan 2026", "11 Apr", "20 Jul", "28 Oct", "5 Feb 2027"])
        #expect(long["from"] as? Int64 == 1_767_225_600_000)
        #expect(long["until"] as? Int64 == 1_767_225_600_000 + 400 * day)
        let density = try #require(long["density"] as? [Int])
        #expect(density.count == 96 && density[..<5] == [8, 16, 83, 100, 0], "\(density)")
        let short = try axis(day / 4, Array(repeating: 0, count: LogAxis.barCount))
        let labels = ["1 Jan, 00:00", "06:00", "12:00", "18:00", "2 Jan, 00:00"]
        #expect(short["labels"] as? [String] == labels)
        #expect((short["density"] as? [Int])?.isEmpty == true)
    }

    @Test("count what lies between two events by kind, and say so where that is too much")
    func between() throws {
        var story = Story()
        #expect(EventsBetween().sentence == "No other event lies between.")
        for event in [
            .sessionMarked(SessionMarked()), .sessionMarked(SessionMarked()),
            .characteristicRead(CharacteristicRead(characteristic: .bodySensorLocation)),
            .linkUp(LinkUp()), .noted(Noted()),
        ] as [Event] { try story.add(event) }
        var between = EventsBetween()
        for event in story.events { try event.withView { between.count($0) } }
        #expect(
            between.sentence == "5 events lie between: 1 connection made, 2 marks, "
                + "1 other value of a strap and 1 other.")
        #expect(
            sentence(between: [1, 0, 2_000, 0, 0, 1, 0]).hasPrefix(
                "2,002 events lie between: 2,000 of the strap, 1 position and 1 other. They are"))
    }

    // MARK: - Goals

    @Test(
        "take a goal as it is typed, in its own unit",
        arguments: [
            ("steps", "6,500", 6_500, "6,500", "6,500 steps"),
            ("steps", "7 777 steps", 7_777, "7,777", "7,777 steps"),
            ("distance", "5.5", 5_500_000, "5.50", "5.50 km"),
            ("distance", "5,25 km", 5_250_000, "5.25", "5.25 km"),
            ("distance", "3", 3_000_000, "3.00", "3.00 km"),
            ("duration", "50", 3_000_000, "0:50", "50:00"),
            // Nothing that can be a goal: what is proposed.
            ("steps", "", 6_000, "6,000", "6,000 steps"),
            ("steps", "0", 6_000, "6,000", "6,000 steps"),
            ("duration", "1:30", 5_400_000, "1:30", "1:30:00"),
            ("duration", "7,5 min", 450_000, "0:07.5", "7:30"),
            ("duration", "1h 30m", 5_400_000, "1:30", "1:30:00"),
            ("distance", "800 m", 800_000, "0.80", "0.80 km"),
            ("steps", " 6 000 steps ", 6_000, "6,000", "6,000 steps"),
            // More than can be chosen.
            ("steps", "99999999999999999999999", 1_000_000, "1,000,000", "1,000,000 steps"),
            ("distance", "18446744073709551615", 1_000_000_000, "1000.00", "1,000.00 km"),
            ("duration", "99999", 604_800_000, "168:00", "168:00:00"),
        ])
    func typed(
        _ kind: String, _ text: String, _ target: Int, _ typed: String, _ words: String
    ) throws {
        let goal = try object(try #require(GoalView(kind, typed: text, units: .metric)))
        #expect(goal["target"] as? Int == target)
        #expect(goal["typed"] as? String == typed)
        #expect(goal["text"] as? String == words)
    }

    @Test(
        "refuse what cannot be read as a goal, and say what can",
        arguments: [
            ("steps", "1e6"), ("steps", "-5"), ("steps", "7.5"), ("steps", "5 km"),
            ("distance", "far"), ("distance", "1.2.3"), ("distance", "5.1234"),
            ("distance", "800 yd"), ("distance", "-1"), ("duration", "1:60"), ("duration", "1d"),
            ("duration", "٤٥"), ("duration", "."), ("duration", "1h60m"), ("duration", "5m1h"),
        ])
    func unreadable(_ kind: String, _ text: String) {
        #expect(GoalView(kind, typed: text, units: .metric) == nil)
        #expect(GoalView.advice(kind, units: .metric)?.hasPrefix("Enter ") == true)
    }

    @Test("let a page choose what the command line takes, and no more")
    func ranges() throws {
        for (kind, write) in [
            (GoalKind.steps, { "steps=\($0)" }), (.duration, { "duration=\($0 / 1_000)s" }),
            (.distance, { "distance=\($0 / 1_000).\(String($0 % 1_000 + 1_000).dropFirst())m" }),
        ] as [(GoalKind, (UInt64) -> String)] {
            let range = try #require(kind.targets)
            let beyond = range.upperBound + (kind == .duration ? 1_000 : 1)
            #expect(WrittenGoal(write(range.upperBound))?.goal.target == range.upperBound)
            #expect(WrittenGoal(write(beyond)) == nil)
            #expect(WrittenGoal(write(0)) == nil)
            #expect(
                GoalView(kind.name, target: range.upperBound, units: .metric)?.goal.target
                    == range.upperBound)
            #expect(
                GoalView(kind.name, target: beyond, units: .metric)?.goal.target == range.upperBound
            )
        }
    }

    @Test("list a foot pod among what counts steps, and no direction mark of a stranger's name")
    func footPod() throws {
        var story = Story()
        let name = "Strap\u{202E}moc.part"
        try story.add(
            .devicePaired(DevicePaired(device: Story.strap, name: name, roles: .footPod)))
        let report = try #require(story.state.deviceReports().first)
        let line = JSONWriter.line { report.writeView(to: &$0, isRecording: true) }
        let device = try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        #expect(device["roles"] as? [String] == ["pedometer"])
        #expect(device["state"] as? String == "Not connected")
        #expect((device["facts"] as? [String])?.first == "Foot pod")
        #expect((device["name"] as? String)?.contains("\u{202E}") == false)
    }

    @Test("lead from a goal to its neighbours, at whole steps and within what can be chosen")
    func neighbours() throws {
        let odd = try object(try #require(GoalView("steps", target: 6_100, units: .metric)))
        #expect(odd["less"] as? Int == 6_000 && odd["more"] as? Int == 6_500)
        let even = try object(try #require(GoalView("distance", target: 5_000_000, units: .metric)))
        #expect(even["less"] as? Int == 4_500_000 && even["more"] as? Int == 5_500_000)
        let least = try object(try #require(GoalView("duration", target: 60_000, units: .metric)))
        #expect(least["less"] as? Int == 300_000)
        #expect(
            GoalView("daily", target: 1, units: .metric) == nil
                && GoalView("none", target: nil, units: .metric) == nil)
    }

    @Test("offer the presets of the terminal, and say how long a mark may be")
    func tables() throws {
        let tables = try object(JSONWriter.line { Units.metric.writeTables(to: &$0) })
        let longest = ["mark": 240, "name": 128, "place": 128, "note": 512, "tags": 256]
        #expect(tables["longestBytes"] as? [String: Int] == longest)
        let goals = try #require(tables["goals"] as? [[String: Any]])
        let offered = goals.flatMap { ($0["presets"] as? [[String: Any]]) ?? [] }
            .compactMap { $0["short"] as? String }
        let sensors = WalkSensors(hasHeart: true, hasCounter: true, hasPositions: true)
        var ring: [String] = []
        var goal = GoalPreset.next(after: Goal(), isDailyOpen: false, sensors, units: .metric)
        while goal != Goal() {
            ring.append(goal.short(.metric))
            goal = GoalPreset.next(after: goal, isDailyOpen: false, sensors, units: .metric)
        }
        #expect(offered == ring)
        #expect(
            ring == [
                "2,000", "4,000", "6,000", "10,000", "3 km", "5 km", "8 km", "10 km", "30 min",
                "45 min", "1 h", "1:30 h",
            ])
        let roles = try #require(tables["roles"] as? [[String: Any]])
        #expect(roles.map { $0["key"] as? String } == Role.allCases.map(\.name))
    }

    // MARK: - Events

    private func shown(_ event: Event, offsetMinutes: Int64 = 0) throws -> [String: Any] {
        let stamp = Stamp(boot: 0, wall: 1_772_355_600_182)
        let recorded = RecordedEvent(event, at: 1_234, stamp, flags: .wallTrusted)
        let view = ShownEvent(recorded, offsetMinutes: offsetMinutes, units: .metric)
        return try object(JSONWriter.line { view.writeFields(to: &$0) })
    }

    private func heart(_ value: [UInt8]) throws -> [String: Any] {
        try shown(.notified(DeviceID(address: 1, space: .random), value))
    }

    @Test("tell an event's time where the walker was")
    func zone() throws {
        let event = try shown(.sessionPaused(SessionPaused()), offsetMinutes: 330)
        #expect(event["time"] as? String == "14:30:00.182")
        #expect(event["date"] as? String == "Sunday 1 March 2026")
        #expect(event["number"] as? String == "1,234")
        #expect(event["sentence"] as? String == "The walk is paused.")
        #expect(event["sort"] as? String == "Walk")
    }

    @Test("tell where a position is, and within how much")
    func position() throws {
        let fix = PositionFixed(north: 480_002_149, east: -1_109_999_350, within: 7_900)
        let event = try shown(.positionFixed(fix))
        #expect(event["line"] as? String == "Position, within 8 m")
        #expect(event["sort"] as? String == "Position")
    }

    @Test("tell what a strap reported, and each of its bytes")
    func measurement() throws {
        let event = try heart([0x16, 0x76, 0x00, 0x02, 0xF2, 0x01])
        #expect(
            event["sentence"] as? String
                == "The strap reported 118 beats per minute, touching skin. 2 beats came, 500, "
                + "486 ms apart.")
        let bytes = try #require(event["bytes"] as? [[String: String]])
        #expect(bytes.map { $0["hex"] } == ["16", "76", "00 02", "f2 01"])
        #expect(bytes.map { $0["strong"] } == ["", "118", "512", "498"])
        #expect(bytes[0]["before"] == "flags: one-byte BPM, on skin, has intervals")
        #expect(event["raw"] as? String == "bytes 16 76 00 02 f2 01 at position 1,234")
    }

    @Test("show the bytes of each value that ends too early, all of them, to where it ended")
    func prefixes() throws {
        let whole: [UInt8] = [0x19, 0x2C, 0x01, 0x10, 0x00, 0x00, 0x04, 0x00]
        let cut: Set = [0, 1, 2, 3, 4]
        for count in 0...whole.count {
            let event = try heart(Array(whole.prefix(count)))
            let bytes = try #require(event["bytes"] as? [[String: String]])
            let digits = bytes.compactMap { $0["hex"] }.filter { $0 != "··" }
                .flatMap { $0.split(separator: " ") }
            #expect(digits.count == count)
            let isCut = cut.contains(count)
            #expect(event["isOdd"] as? Bool == isCut, "\(count)")
            if isCut, count > 0 { #expect(bytes.last?["strong"] == "byte \(count + 1)") }
        }
        let left = try #require(try heart(whole)["bytes"] as? [[String: String]])
        #expect(left.last?["strong"] == "1 byte" && left.last?["kind"] == "bad")
    }

    // MARK: - Axes

    @Test("end an axis at a number above that divides into four")
    func tops() {
        for value: UInt64 in [100, 101, 4_999, 8_421, 99_999, .max / 1_000] {
            let top = niceTop(value)
            #expect(top > value && top % 4 == 0 && top < value * 2, "\(value)")
        }
    }
}
