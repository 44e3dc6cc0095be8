import Events
import Foundation
import JSON
import Projections
import TestSupport
import Testing

@testable import Words

@Suite("The same route at other times")
struct RouteTextTests {
    private static let dayMilliseconds: UInt64 = 86_400_000

    /// Walks of 1.2 km to the north, each with the seconds that it takes for each 20 m of it.
    private struct Walked {
        var reports: [SessionReport] = []
        var series: [SessionSeries] = []
        var outlines = WalkOutlines()

        init(
            _ walks: [(after: UInt64, seconds: [UInt64])], pausedAt pause: Int? = nil
        ) throws {
            var story = Story()
            for (days, seconds) in walks {
                story.now += days * RouteTextTests.dayMilliseconds
                let (before, first) = (story.state, story.events.count)
                try story.add(.sessionStarted(SessionStarted()))
                for (step, second) in seconds.enumerated() {
                    if step == pause {
                        try story.add(.sessionPaused(SessionPaused()))
                        story.now += 1_800_000
                        try story.add(.sessionResumed(SessionResumed()))
                    }
                    try story.add(
                        .positionFixed(
                            PositionFixed(
                                north: 480_000_000 + Int64(step) * 1_797, east: 100_000_000)))
                    story.now += second * 1_000
                }
                try story.add(.sessionEnded(SessionEnded(reason: .requested)))
                var series = SessionSeries(of: Position(first), .walked, after: before)
                for event in story.events[first...] { try event.withView { series.evolve($0) } }
                let report = try #require(
                    story.state.sessionReport(Position(first), at: story.moment))
                outlines.take(WalkOutline(report, series))
                self.series.append(series)
            }
            reports = story.state.sessionReports(at: story.moment)
        }

        func text(_ index: Int) throws -> SameRoute {
            try #require(SameRoute(reports[index], among: reports, outlines))
        }
    }

    private func even(_ seconds: UInt64) -> [UInt64] { Array(repeating: seconds, count: 61) }

    @Test("is beside the last time, and the best before where that is another one")
    func lines() throws {
        let walked = try Walked([(0, even(10)), (340, even(8)), (1, even(9)), (3, even(10))])
        let lines = try (0..<4).map { try walked.text($0).line }
        #expect(
            lines == [
                "Same route, four times; this was the first.",
                "Same route, four times: 2:02 less than on 2 February 2026, the last time and your "
                    + "best before.",
                "Same route, four times: 1:01 more than on 8 January, the last time and your best "
                    + "before.",
                "Same route, four times: 1:01 more than on 9 January, the last time; 2:02 more "
                    + "than on 8 January, your best before.",
            ])
        let faster = try Walked([(0, even(10)), (1, even(9)), (1, even(8))])
        let words = "Your fastest of three on this route: 1:01 less than on 3 February."
        #expect(try (0..<3).map { try faster.text($0).special } == [nil, nil, words])
        let sentence = try walked.text(3).sentence
        #expect(
            sentence
                == "1:01 more than on 9 January, the last time. 2:02 more than on 8 January, your "
                + "best before. The three before took 9:09 on average.")
    }

    @Test("has an axis of few labels, however long a walk of decades took")
    func axis() throws {
        let line = JSONWriter.line { json in
            json.axis(around: 0...1_000_000_000_000, steps: [10_000, 30_000]) { "\($0)" }
        }
        #expect((try object(line)["ticks"] as? [Any])?.count == 2)
    }

    @Test("the fastest kilometre of a walk is that part of it, wherever it begins")
    func fastest() throws {
        let seconds = Array(repeating: 20, count: 10) + even(8).dropLast(10)
        let slow = Array(repeating: UInt64(20), count: 10)
        // A pause at its beginning is not a part of it.
        for walked in [
            try Walked([(0, seconds)]), try Walked([(0, slow + even(8))], pausedAt: 10),
        ] {
            let (report, series) = (walked.reports[0], walked.series[0])
            let chart = WalkChart(report, series, units: .metric).text
            #expect(chart.contains("\n  Fastest kilometre: 6:"))
            let view = try object(SessionView(report, series, units: .metric))
            let fastest = (view["splits"] as? [String: Any])?["fastest"] as? String
            let form = /^Fastest kilometre 6:\d\d, (begun at 0\.\d\d km|the last)\.$/
            #expect(fastest?.contains(form) == true, "\(fastest ?? "none")")
        }
    }
}
