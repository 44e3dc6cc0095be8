import Events
import JSON
import TestSupport
import Testing

@testable import Words

@Suite("Events in sentences")
struct EventSentenceTests {
    @Test("all kinds of control, link, steps, session and day have one, or their fields")
    func known() throws {
        let plain: Set<String> = ["pedometerValueCut"]
        for kind in EventKind.known where ![.heart, .place].contains(kind.lane) {
            var writer = PayloadWriter()
            let event = try #require(try Event(kind: kind, fields: &writer))
            let sentence = event.sentence(.metric)
            let name = try #require(kind.name)
            #expect((sentence == nil) == plain.contains(name), "\(name)")
            if let sentence { #expect(sentence.hasSuffix(".") || name == "noted", "\(sentence)") }
        }
    }

    @Test("they call Bluetooth and devices as people do")
    func people() {
        let device = DeviceID(address: 2, space: .random)
        var lost = LinkLost()
        (lost.device, lost.cause) = (device, OpenCode(.timeout))
        let off = AdapterStateChanged(state: .poweredOff, cause: .switched)
        for (event, sentence) in [
            (Event.adapterStateChanged(off), "Bluetooth is switched off."),
            (.linkLost(lost), "Strap One is no longer connected (out of range)."),
        ] {
            #expect(event.sentence(.metric, [device: "Strap One"]) == sentence)
        }
    }

    @Test("readings are a row for each source and side, named by what sent them")
    func rows() throws {
        let heart = Event.characteristicNotified(CharacteristicNotified(value: [0, 60]))
        let battery = CharacteristicNotified(characteristic: .batteryLevel, value: [60])
        let steps = PedometerRead(
            reading: .characteristic(.runningSpeedCadenceMeasurement, [0, 0, 0, 90]))
        let events: [(Event, EventFlags, source: UInt32)] = [
            (heart, [], 0), (.characteristicNotified(battery), [], 0),
            (.pedometerRead(steps), [], 1), (heart, [], 1),
            (heart, .simulated, 0), (heart, .simulated, 0),
        ]
        var all = LogRows(around: 3, .all)
        var parts = [all, all]
        for (index, (event, flags, source)) in events.enumerated() {
            let stamp = Stamp(bootMilliseconds: 0, wallMilliseconds: 0, bootNumber: 0)
            let recorded = RecordedEvent(
                event, at: Position(index), stamp, flags: flags, source: source)
            try recorded.withView { view in
                _ = (all.take(view), parts[index < 3 ? 0 : 1].take(view))
            }
        }
        parts[1].insert(parts[0])
        for rows in [all, parts[1]] {
            let lines = try rows.rows.map { row in
                let line = JSONWriter.line { json in
                    json.array("rows") { json in
                        row.write(around: 9, to: &json) {
                            ShownEvent($0, offsetMinutes: 0, units: .metric)
                        }
                    }
                }
                let first = try #require(try object(line)["rows"] as? [[String: Any]]).first
                return try #require(first?["line"] as? String)
            }
            #expect(
                lines == [
                    "Strap and battery: 2 readings to 00:00:00",
                    "Strap and foot pod: 2 readings to 00:00:00",
                    "Strap: 2 readings to 00:00:00 (simulated)",
                ])
        }
    }

    @Test("they have their numbers, and strangers' text is harmless")
    func told() throws {
        let day = try #require(CivilDate("2026-03-08"))
        var closed = DayClosed()
        (closed.date, closed.displayed) = (day, 6_256)
        #expect(Event.dayClosed(closed).sentence(.metric) == "Day closed: 8 March, 6,256 steps.")
        var corrected = StepsCorrected()
        (corrected.date, corrected.correction, corrected.reason) = (day, -288, "a\u{202E}b")
        let sentence = try #require(Event.stepsCorrected(corrected).sentence(.metric))
        #expect(sentence.hasPrefix("8 March was corrected by -288: “a"))
        #expect(!sentence.contains("\u{202E}"))
        var stepped = ClockStepped()
        stepped.stepMilliseconds = -3_723_000
        #expect(
            Event.clockStepped(stepped).sentence(.metric) == "The clock was set back by 1:02:03.")
    }
}
