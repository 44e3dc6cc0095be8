import Events
import Projections
import TestSupport
import Testing
import Text

@testable import Words

/// Lists of walks in a terminal.
@Suite("Walks as a list")
struct WalkListTests {
    /// Walks of so many hours and steps each, one a day, with names.
    private func walks(_ count: Int, hours: UInt64, steps: UInt64) throws -> [SessionReport] {
        var story = Story()
        // 2026-03-01, 09:00.
        story.now = 2_355_600_000
        let watch = DeviceID(address: 2, space: .public)
        let profile = Profile(heightMillimetres: 1_800)
        try story.add(.pedometerChosen(PedometerChosen(device: watch)))
        var counter: UInt64 = 0
        for number in 0..<count {
            let session = Position(story.events.count)
            try story.add(.sessionStarted(SessionStarted(profile: profile)))
            for _ in 0...hours * 12 {
                let read = PedometerRead(device: watch, reading: .counter(counter))
                try story.add(.pedometerRead(read))
                story.now += 300_000
                counter += steps / (hours * 12)
            }
            try story.add(.sessionEnded(SessionEnded()))
            let name = number % 2 == 0 ? "Round the lake and over the hills" : ""
            try story.add(
                .sessionDescribed(
                    SessionDescribed(
                        session: session, sessionName: name,
                        listing: number == 0 ? .hidden : .listed)))
            story.now += 43_200_000
        }
        return story.state.sessionReports(at: story.state.lastMoment)
    }

    @Test("keep their columns apart at any totals and widths", arguments: [72, 80])
    func columns(columns: Int) throws {
        let walks = try walks(120, hours: 2, steps: 12_000)
        var filter = WalkFilter()
        filter.hasHidden = true
        let list = WalkList(filter.find(in: walks), columns: columns, units: .metric, in: 2026)
        let lines = list.text.split(separator: "\n").map(String.init)
        #expect(lines.count == 123)
        for line in lines { #expect(Text.columns(of: line) <= columns, "\(line)") }
        let sums = try #require(lines.last).split(separator: " ")
        #expect(sums.prefix(2) == ["119", "walks"] && sums.count == 6, "\(sums)")
        #expect(lines[1...119].allSatisfy { !$0.hasSuffix("hidden") })
        #expect(lines[120].hasSuffix(" hidden"))
    }

    @Test("say the year of each where they are not all of this year", arguments: [60, 80])
    func years(columns: Int) throws {
        var filter = WalkFilter()
        (filter.from, filter.until) = (CivilDate("2026-12-31"), CivilDate("2027-01-01"))
        func lines(_ year: Int64?) throws -> [String] {
            let found = filter.find(in: try walks(600, hours: 1, steps: 3_000))
            let text = WalkList(found, columns: columns, units: .metric, in: year).text
            return text.split(separator: "\n").map(String.init)
        }
        let both = try lines(2_027)
        #expect(both[1].contains("   1 Jan 2027 "), "\(both)")
        #expect(both.contains { $0.contains("  31 Dec 2026 ") }, "\(both)")
        #expect(both.allSatisfy { Text.columns(of: $0) <= columns }, "\(both)")
        filter.until = filter.from
        #expect(try lines(2_026)[1].contains("  Thu 31 Dec "))
        for year in [2_027, nil] as [Int64?] {
            #expect(try lines(year)[1].contains("  31 Dec 2026 "))
        }
    }

    @Test("say how many match, also of the newest only")
    func last() throws {
        let walks = try walks(6, hours: 1, steps: 3_000)
        var filter = WalkFilter()
        filter.last = 2
        let text = WalkList(filter.find(in: walks), columns: 80, units: .metric, in: 2026).text
        #expect(text.contains("\n 2 walks "))
        #expect(text.hasSuffix("5 walks match. 1 hidden walk is not listed; --hidden shows it.\n"))
    }
}
