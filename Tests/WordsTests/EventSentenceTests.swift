import Events
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
            (Event.adapterStateChanged(off), "Bluetooth was switched off."),
            (.linkLost(lost), "Strap One is no longer connected: it was out of range."),
        ] {
            #expect(event.sentence(.metric, [device: "Strap One"]) == sentence)
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
