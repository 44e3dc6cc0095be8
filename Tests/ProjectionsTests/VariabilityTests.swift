import Projections
import Testing

@Suite("Heart-rate variability")
struct VariabilityTests {
    private func tape(_ notifications: [[UInt16]]) throws -> Tape {
        var tape = try Tape.walking()
        for rr in notifications {
            tape.heart(70, rr: rr, lasting: 1_000)
        }
        return tape
    }

    @Test("S13: SDNN, RMSSD and pNN50 of a series worked by hand")
    func series() throws {
        let report = try tape([[1_024], [1_024 + 52], [1_024 + 1]]).session.rr
        // In ticks: mean 1041.67, deviations -17.67, 34.33, -16.67; differences 52 and -51.
        #expect(report.count == 3)
        #expect(report.sumTicks == 3_125)
        #expect(report.sdnnMilliseconds?.description == "29.04")
        #expect(report.rmssdMilliseconds?.description == "50.30")
        #expect(report.pnn50Percent?.description == "50.00")
    }

    @Test("S13: one interval has no deviation and no difference")
    func single() throws {
        let report = try tape([[800]]).session.rr
        #expect(report.count == 1)
        #expect(report.sdnnMilliseconds == nil)
        #expect(report.rmssdMilliseconds == nil)
        #expect(report.pnn50Percent == nil)
    }

    @Test(
        "S13: the artefact rule drops what is out of range or 20 % from the last one that counted")
    func artefacts() throws {
        // 960 is 20 % above 800 exactly; 1,153 is more than 20 % above 960, twice.
        let report = try tape([[800, 960], [1_153], [1_153], [307], [2_049]]).session
        #expect(report.rr.count == 6)
        #expect(report.filteredRR.count == 2)
        #expect(report.filteredRR.sumTicks == 800 + 960)
        // The only two beats that are adjacent and both passed.
        #expect(report.filteredRR.rmssdMilliseconds?.description == "156.25")
    }

    /// Intervals of one run, and how many of them count.
    private static let runs: [(beats: [UInt16], counted: UInt64)] = [
        ([800, 804, 500, 520, 512, 800, 796], 4), ([800, 1_600, 1_590, 800], 2),
        ([3_000, 800, 804], 2), ([800, 400, 400, 800, 400, 400, 800], 3),
        ([1_600] + Array(repeating: 800, count: 40), 1 + 30), ([800, 650, 630, 520, 500], 5),
        ([800] + Array(repeating: 400, count: 9) + [800], 2), ([800, 2_500, 800], 2),
    ]

    @Test(
        "S13: artefacts in a row count as little as one, until ten agree", arguments: runs.indices)
    func runOfArtefacts(index: Int) throws {
        let report = try tape([Self.runs[index].beats]).session
        #expect(report.filteredRR.count == Self.runs[index].counted)
    }

    @Test("S13: a notification without RR breaks adjacency")
    func brokenBySilence() throws {
        #expect(try tape([[800], [], [900]]).state.own.sessions.open?.rr.raw.differences == 0)
    }

    @Test("S13: a link loss breaks adjacency")
    func brokenByLoss() throws {
        var tape = try tape([[800]])
        tape.linkLost()
        tape.linkUp()
        tape.heart(70, rr: [900])
        #expect(tape.own.sessions.open?.rr.raw.differences == 0)
        tape.linkLost(otherStrap)
        tape.heart(70, rr: [900])
        #expect(tape.own.sessions.open?.rr.raw.differences == 1)
    }

    @Test("S13: a pause and a reading that does not count break adjacency")
    func brokenByPause() throws {
        var tape = try tape([[800]])
        try tape.command(.pause)
        try tape.command(.resume)
        tape.heart(70, rr: [900])
        tape.heart(70, contact: 2, rr: [900])
        tape.heart(70, rr: [910])
        #expect(tape.own.sessions.open?.rr.raw.differences == 0)
        #expect(tape.own.sessions.open?.rr.raw.count == 3)
    }

    @Test("S13: RR intervals are held against the clock, per connection span")
    func conservation() throws {
        // One beat a second; the notification without RR leaves a hole of a beat in the clock.
        var tape = try tape([[1_024], [1_024], [], [1_024]])
        #expect(tape.session.rrConservation.ticks == 2_048)
        #expect(tape.session.rrConservation.milliseconds == 3_000)
        #expect(tape.session.rrConservation.percent?.description == "66.67")
        tape.linkLost()
        tape.wait(30_000)
        tape.linkUp()
        tape.heart(60, rr: [1_024])
        tape.heart(60, rr: [1_024], after: 1_000)
        #expect(tape.session.rrConservation.ticks == 3_072)
        #expect(tape.session.rrConservation.milliseconds == 4_000)
    }
}
