import Events
import Projections
import Recording
import TestSupport
import Testing
import Words

@Suite("A log whose day is ahead of the clock")
struct DayAheadTests {
    @Test("names both days and the way back, until a person trusts the clock")
    func dayAhead() throws {
        var story = try story(on: "2099-06-01")
        let (status, diagnosis) = tell(story)
        let sentence = "The log's day is 2099-06-01, and the clock's is 2026-02-02: "
        #expect(status.contains(sentence) && status.contains("pulselog refresh --trust-clock"))
        #expect(diagnosis?.text(isColored: false).contains(sentence) == true)
        #expect(diagnosis?.result == .warning)
        for event in try Decider.events(
            for: .refresh(.clockTrusted), story.state, at: story.moment)
        {
            try story.add(event)
        }
        let after = tell(story)
        #expect(!after.status.contains("2099") && after.diagnosis == nil)
    }

    @Test("a day ahead is a flight's, and nobody is told", arguments: ["2026-02-02", "2026-02-03"])
    func flight(day: String) throws {
        let told = tell(try story(on: day))
        #expect(!told.status.contains("clock") && told.diagnosis == nil)
    }

    private func story(on day: String) throws -> Story {
        var story = Story()
        let date = try #require(CivilDate(day))
        try story.add(
            .reconciliationTriggered(ReconciliationTriggered(trigger: .start, date: date)))
        return story
    }

    private func tell(_ story: Story) -> (status: String, diagnosis: Diagnosis?) {
        let scene = Scene(
            seeing: story.state, isRecording: false, hasCentral: false, at: story.moment)
        return (StatusReport(scene).text, Diagnosis.day(of: story.state, at: story.moment))
    }
}
