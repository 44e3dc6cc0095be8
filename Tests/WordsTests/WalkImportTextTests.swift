import Events
import Interchange
import JSON
import Projections
import Testing
import Words

@Suite("What became of a file of walks")
struct WalkImportTextTests {
    private func text(
        _ outcome: WalkImportText.Outcome, copies: [UInt64?], sports: [Sport] = []
    ) -> String {
        var facts = WalkFacts()
        facts.add(.heartRate(100, rrTicks: []), at: 1_772_355_600_000)
        let events = facts.events(of: ImportBegan(fileName: "a.fit", format: "fit"))
        var state = LogState()
        for index in 0..<events.count { _ = events.withEvent(at: index) { state.evolve($0) } }
        var answer = WalkImportText(file: "a.fit", format: .fit, facts: facts, damage: nil)
        answer.sessions = state.sessionReports(at: state.lastMoment)
        (answer.outcome, answer.copies) = (outcome, copies)
        answer.sports = sports
        return answer.text
    }

    @Test("names the walks that it looks like, one or several")
    func copies() {
        let one = text(.leftOut, copies: [7])
        #expect(one.contains("look like a copy of session 7. "), "\(one)")
        #expect(one.contains("--anyway imports it."), "\(one)")
        let two = text(.leftOut, copies: [7, 9])
        #expect(two.contains("look like copies of session 7 and session 9. "), "\(two)")
        #expect(two.contains("--anyway imports them."), "\(two)")
        let same = text(.leftOut, copies: [7, 7, nil])
        #expect(same.contains("copies of session 7 and a walk of another file. "), "\(same)")
        let many = text(.possible, copies: (1...20).map { $0 })
        #expect(many.contains("copies of session 1, ") && many.contains(" and 12 more;"), "\(many)")
    }

    @Test("names the sessions that came, eight at most")
    func sessions() {
        let few = text(.recorded(1, [3, 8, 12]), copies: [])
        #expect(few.contains("They are the sessions 3, 8 and 12."), "\(few)")
        let many = text(.recorded(1, (1...80_000).map { $0 }), copies: [])
        #expect(many.contains("sessions 1, 2, 3, 4, 5, 6, 7, 8 and 79,992 more."), "\(many)")
    }

    @Test("counts what is left of a file, not what is left out of it")
    func counts() {
        var facts = WalkFacts()
        for second in 0..<4 as Range<Int64> {
            facts.add(.heartRate(100, rrTicks: []), at: 1_772_355_600_000 + second * 1_000)
            if second % 2 == 1 { facts.add(.ended, at: 1_772_355_600_500 + second * 1_000) }
        }
        var answer = WalkImportText(file: "a.fit", format: .fit, facts: facts, damage: nil)
        func told() -> String {
            String(decoding: JSONWriter.line { answer.writeFields(to: &$0) }, as: UTF8.self)
        }
        #expect(told().contains("\"heartRates\":4,"))
        let file = ImportBegan(fileName: "a.fit", format: "fit")
        answer.take(facts.events(of: file, without: [0]))
        #expect(told().contains("\"heartRates\":2,"))
    }

    @Test("says that a course is no walk")
    func course() {
        var facts = WalkFacts()
        facts.leaveOut("courses")
        let answer = WalkImportText(file: "a.tcx", format: .tcx, facts: facts, damage: nil)
        #expect(answer.text.contains("no walk in it: it is a course, not a walk."))
    }

    @Test("offers --anyway for what it left out, and for nothing else")
    func anyway() {
        for outcome in [WalkImportText.Outcome.recorded(1, [3]), .possible, .nothing] {
            #expect(!text(outcome, copies: []).contains("--anyway"))
        }
        let part = text(.recorded(1, [3]), copies: [7])
        #expect(part.contains("looks like a copy of session 7; --anyway imports it."), "\(part)")
        let ride = text(.leftOut, copies: [], sports: [.ride])
        #expect(ride.ranges(of: "--anyway").count == 1, "\(ride)")
    }

    @Test("says what a summary says otherwise than the records")
    func differences() {
        var facts = WalkFacts()
        facts.add(.began, at: 1_772_355_600_000)
        facts.add(.ended, at: 1_772_355_660_000)
        facts.compare(4_840_000, to: 4_520_000, isOfDistance: true, 1_772_355_600_000)
        facts.compare(1_000, to: 1_200, isOfDistance: false, 1_772_355_600_000)
        facts.compare(1_000, to: 1_200, isOfDistance: false, 1)
        var answer = WalkImportText(file: "a.fit", format: .fit, facts: facts, damage: nil)
        let events = facts.events(of: ImportBegan(fileName: "a.fit", format: "fit"))
        var state = LogState()
        for index in 0..<events.count { _ = events.withEvent(at: index) { state.evolve($0) } }
        answer.sessions = state.sessionReports(at: state.lastMoment)
        #expect(
            answer.text.hasSuffix(
                """
                The file's summary says 4.84 km, and its records 4.52 km, which count.
                The file's summary says 1,000 steps, and its records 1,200 steps, which count.

                """), "\(answer.text)")
    }
}
