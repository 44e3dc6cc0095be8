import Events
import Projections
import TestSupport
import Testing

@testable import Words

@Suite("What fits the sensors of a walk")
struct WalkSensorsTests {
    private func sensors(_ letters: String) -> WalkSensors {
        WalkSensors(
            hasHeart: letters.contains("h"), hasCounter: letters.contains("c"),
            hasPositions: letters.contains("p"))
    }

    @Test("S11: leads, stands below it, in large figures, and after the walk")
    func fits() {
        typealias Row = (String, Measure, [Measure], [Measure], [Measure])
        let rows: [Row] = [
            (
                "h", .active, [.mean, .energy, .raised], [.active, .mean, .energy],
                [.active, .mean, .highest, .raised, .energy]
            ),
            (
                "hp", .distance, [.paceNow, .energy, .climb], [.active, .distance, .paceNow],
                [.distance, .active, .pace, .climb, .mean, .energy]
            ),
            (
                "hc", .steps, [.distance, .energy, .today], [.active, .distance, .steps],
                [.distance, .active, .pace, .steps, .mean, .energy]
            ),
            (
                "hcp", .steps, [.distance, .energy, .today], [.active, .distance, .steps],
                [.distance, .active, .pace, .steps, .climb, .mean, .energy]
            ),
            (
                "c", .steps, [.distance, .energy, .today], [.active, .distance, .steps, .today],
                [.distance, .active, .pace, .steps, .energy]
            ),
            (
                "cp", .steps, [.distance, .energy, .today], [.active, .distance, .steps, .paceNow],
                [.distance, .active, .pace, .steps, .climb, .energy]
            ),
            (
                "p", .distance, [.paceNow, .pace, .climb], [.active, .distance, .paceNow, .climb],
                [.distance, .active, .pace, .climb]
            ),
            ("", .active, [], [.active], [.active, .paused]),
        ]
        for (letters, lead, row, large, figures) in rows {
            let sensors = sensors(letters)
            #expect(sensors.lead == lead, "\(letters)")
            #expect(sensors.row(below: lead) == row, "\(letters)")
            #expect(sensors.large == large, "\(letters)")
            #expect(sensors.figures == figures, "\(letters)")
        }
        #expect(sensors("hp").row(below: .active) == [.distance, .energy, .paceNow])
        #expect(sensors("hcp").row(below: .distance) == [.steps, .energy, .today])
        #expect(sensors("hcp").row(below: .active) == [.steps, .distance, .today])
    }

    @Test("S11: a walk's text says nothing of a strap where none is paired")
    func strapless() throws {
        var story = Story()
        try story.add(.sessionStarted(SessionStarted()))
        story.now += 60_000
        for name in ["", "Strap One"] {
            if !name.isEmpty { try story.pair(name) }
            let report = try #require(story.state.sessionReport(0, at: story.moment))
            let text = SessionText(report, units: .metric).text
            for word in ["Heart rate none", "Signal     disc", "Link       never up"] {
                #expect(text.contains(word) != name.isEmpty, "\(text)")
            }
        }
    }

    @Test("S11: no measure stands twice, and what nothing measures is said with its reason")
    func once() {
        for letters in ["", "h", "c", "p", "hc", "hp", "cp", "hcp"] {
            let sensors = sensors(letters)
            for loud in [Measure.steps, .distance, .active] {
                let row = sensors.row(below: loud)
                #expect(Set(row + [loud]).count == row.count + 1, "\(letters) \(loud)")
            }
            #expect((sensors.measuring(.steps).lack == nil) == letters.contains("c"))
            #expect((sensors.measuring(.distance).lack == nil) == (letters != "" && letters != "h"))
            #expect(sensors.measuring(.duration).lack == nil)
        }
    }
}
