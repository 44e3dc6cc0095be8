import Events
import TestSelection
import TestSupport
import Testing

@testable import Projections

/// Trends against sums that look at each walk and each day.
@Suite("Trends")
struct TrendsTests {
    /// What a test's log has.
    private struct Log {
        var tape = Tape()
        var outlines = WalkOutlines()

        var walks: [SessionReport] { tape.state.sessionReports(at: tape.moment) }

        func calendar() throws -> Projections.Calendar {
            tape.state.calendar(today: try #require(tape.own.localDate(at: tape.moment)))
        }

        func trends(_ measure: Trends.Measure) throws -> Trends {
            Trends(measure, walks, outlines, try calendar())
        }

        /// Waits until a time of the next day.
        mutating func wait(untilHour hour: Int64, daysOn days: Int64 = 1) {
            let day = tape.wallMilliseconds / 86_400_000 + days
            let then = day * 86_400_000 + hour * 3_600_000
            tape.wait(UInt64(then - tape.wallMilliseconds))
        }

        /// Records a session and outlines it.
        @discardableResult
        mutating func session(
            _ sport: Sport = .walk, isHidden: Bool = false, _ record: (inout Tape) throws -> Void
        ) throws -> Position {
            let session = tape.append(.sessionStarted(SessionStarted()))
            try record(&tape)
            tape.append(.sessionEnded(SessionEnded()))
            if isHidden {
                try tape.command(.describe(SessionDescribed(session: session, listing: .hidden)))
            }
            if sport != .walk {
                try tape.command(.describe(SessionDescribed(session: session, sport: sport)))
            }
            let report = try #require(tape.state.sessionReport(session, at: tape.moment))
            outlines.take(WalkOutline(report, try tape.series(of: session)))
            return session
        }
    }

    /// Walks at random, some of them hidden or simulated, and health totals of days.
    private func log(seed: UInt64) throws -> Log {
        var random = SeededGenerator(seed: seed)
        var log = Log()
        log.tape.linkUp()
        for _ in 0..<40 {
            log.wait(untilHour: Int64(5 + random.below(12)), daysOn: Int64(random.below(4)) + 1)
            if random.below(4) > 0, let date = log.tape.own.localDate(at: log.tape.moment) {
                let total = 1 + random.below(9_000)
                try log.tape.command(.healthTotal(total, date: date.advanced(by: -1)))
            }
            guard random.below(3) > 0 else { continue }
            if random.below(6) == 0 { log.tape.flags.insert(.simulated) }
            let north = 480_000_000 + Int64(random.below(1_000)) * 100_000
            try log.session(random.below(4) == 0 ? .run : .walk, isHidden: random.below(5) == 0) {
                let hasPosition = random.below(3) > 0
                for second in 0..<Int64(60 + random.below(900)) {
                    $0.wait(1_000)
                    if random.below(5) > 0 { $0.heart(UInt16(80 + random.below(110))) }
                    guard hasPosition, second % 10 == 0 else { continue }
                    $0.fix(
                        at: (north + second * 120, 110_000_000),
                        altitude: 30_000 + second / 60 * 6_000)
                }
            }
            log.tape.flags.remove(.simulated)
        }
        return log
    }

    @Test("are the sums of whoever adds up each walk and each day", arguments: sample(1...12, 2))
    func bruteForce(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed &+ 99)
        let log = try log(seed: seed)
        let calendar = try log.calendar()
        let own = log.walks.filter { !$0.keeping.isHidden && $0.provenance == .walked }
        let yesterday = calendar.today.advanced(by: -1)
        for measure in Trends.Measure.allCases {
            let trends = try log.trends(measure)
            #expect(trends.last == yesterday)
            for _ in 0..<20 {
                let start = trends.first.advanced(by: Int64(random.below(60)) - 20)
                let dates = start...start.advanced(by: Int64(random.below(40)))
                let walks = own.filter { dates.contains($0.date) && $0.date <= yesterday }
                let counted = calendar.counted.filter {
                    dates.contains($0.date) && $0.date <= yesterday
                }
                let sums = trends.sums(dates)
                let known =
                    max(
                        dates.lowerBound, trends.first)...max(
                        trends.first, min(dates.upperBound, yesterday))
                let length = UInt64(
                    known.upperBound.daysSinceEpoch
                        - known.lowerBound.daysSinceEpoch + 1)
                func expect(_ amount: UInt64) {
                    #expect(sums.amount == amount, "\(measure)")
                    guard sums.days > 0, dates.upperBound >= trends.first else { return }
                    guard sums.walks > 0 || ![.climb, .load].contains(measure) else {
                        #expect(trends.mean(of: sums) == nil, "nobody knows")
                        return
                    }
                    #expect(trends.mean(of: sums) == (2 * amount * 7 + length) / (2 * length))
                }
                switch measure {
                case .steps:
                    #expect(sums.amount == counted.reduce(0) { $0 + $1.steps })
                    #expect(sums.days == UInt64(counted.count))
                    let count = UInt64(counted.count)
                    let mean = count == 0 ? nil : (2 * sums.amount + count) / (2 * count)
                    #expect(trends.mean(of: sums) == mean)
                case .distance: expect(walks.reduce(0) { $0 + ($1.distanceMillimetres ?? 0) })
                case .active: expect(walks.reduce(0) { $0 + $1.activeMilliseconds })
                case .climb: expect(walks.reduce(0) { $0 + $1.route.ascentMillimetres })
                case .load:
                    expect(
                        walks.reduce(0) { sum, walk in
                            let zones = walk.heartRate.zones
                            return sum + zones.restingMilliseconds
                                + 2 * zones.moderateMilliseconds + 3 * zones.vigorousMilliseconds
                                + 4 * zones.maximumMilliseconds
                        })
                case .heart:
                    let heard = walks.filter { $0.keeping.sport.known != .run }
                    let mean = WalkSums(heard).mean
                    #expect(trends.mean(of: sums) == mean?.value)
                case .pace:
                    let covered = walks.filter { $0.keeping.sport.known != .run }
                        .compactMap { log.outlines[$0.position]?.covered }
                    #expect(sums.amount == covered.reduce(0) { $0 + $1.milliseconds })
                case .resting, .hrv:
                    let mornings = walks.filter {
                        (4..<10).contains($0.startedAtMilliseconds / 3_600_000 % 24)
                    }
                    #expect(sums.days.plus(sums.excluded) <= UInt64(mornings.count))
                }
            }
        }
    }

    /// Days with a total, by their distance from today, 2026-03-01.
    private func days(_ totals: [(ago: Int64, steps: UInt64)]) throws -> Trends {
        var log = Log()
        let today = try #require(log.tape.own.localDate(at: log.tape.moment))
        for (ago, steps) in totals.sorted(by: { $0.ago > $1.ago }) {
            try log.tape.command(.healthTotal(steps, date: today.advanced(by: -ago)))
        }
        return try log.trends(.steps)
    }

    @Test("compare spans of which each has a count on 14 days, and shorter ones before")
    func spans() throws {
        let all = try days((0..<120).map { ($0, 1_000) })
        let month = try #require(all.comparison(.fourWeeks))
        #expect(month.now == all.last.advanced(by: -27)...all.last)
        #expect(month.before == all.last.advanced(by: -55)...all.last.advanced(by: -28))
        // 119 days are over: three months have 28 before them.
        #expect(all.comparison(.threeMonths)?.now.lowerBound == all.last.advanced(by: -90))
        #expect(all.comparison(.year)?.now == month.now)
        #expect(all.comparison(.all) == nil)
        for known: Int64 in [6, 27, 28, 41, 42] {
            let trends = try days((0...known).map { ($0, 1_000) })
            let found = trends.comparison(.fourWeeks)
            #expect((found != nil) == (known >= 28), "\(known)")
            #expect(found.map { trends.sums($0.now).days } == [28: 14, 41: 14, 42: 28][known])
            guard known < 28 else { continue }
            #expect(trends.firstComparison == trends.last.advanced(by: 29 - known))
        }
        // A day without a count begins the row of days anew.
        let gap = try days([1, 2, 3, 5, 6].map { ($0, 1_000) })
        #expect(gap.firstComparison == gap.last.advanced(by: 26))
        #expect(gap.sums(gap.first...gap.last).days == 5)
        let none = try days([])
        #expect(none.dates(of: .all) == nil && none.comparison(.year) == nil && none.isEmpty)
        // Of today nobody compares anything, but somebody has walked.
        let today = try days([(0, 1_000)])
        #expect(today.dates(of: .all) == nil && !today.isEmpty)
        #expect(none.mean(of: none.sums(none.last...none.last)) == nil)
    }

    @Test("days are those of the walker's own time, and 23 or 25 hours long ones are one each")
    func summerTime() throws {
        var log = Log()
        // Through the night of 29 March 2026, when Berlin's clocks go on by an hour.
        for _ in 0..<40 {
            log.wait(untilHour: 22)
            let isSummer = log.tape.wallMilliseconds >= 1_774_746_000_000
            try log.tape.command(
                .startRecorder(
                    programVersion: "1", zoneOffsetMinutes: isSummer ? 120 : 60, zoneName: ""))
            try log.session { $0.wait(600_000) }
        }
        let trends = try log.trends(.active)
        let walks = log.walks
        #expect(walks.first?.offsetMinutes == 60 && walks.last?.offsetMinutes == 120)
        for ago: Int64 in 0..<5 {
            let end = trends.last.advanced(by: -7 * ago)
            let week = end.advanced(by: -6)...end
            let own = walks.filter { week.contains($0.date) }
            #expect(trends.sums(week).amount == UInt64(own.count) * 600_000)
            #expect(trends.sums(week).days == UInt64(own.count))
        }
    }

    // MARK: - Mornings

    /// A morning at rest: a value each second, with its beat, and now and then none.
    private func morning(
        _ log: inout Log, minutes: Int, bpm: UInt16 = 60, missing: UInt64 = 0,
        walking: Bool = false, each seconds: Int = 1
    ) throws {
        try log.session { tape in
            tape.linkUp()
            for second in 0..<minutes * 60 + 1 {
                let isMissing = UInt64(second) % 100 < missing
                let rr: UInt16 = second % 2 == 0 ? 1_014 : 1_034
                if second % seconds == 0 {
                    tape.heart(bpm + (second < 120 ? 5 : 0), rr: isMissing ? [] : [rr])
                }
                if walking { tape.count(UInt64(1_000 + second)) }
                tape.wait(1_000)
            }
        }
    }

    @Test("a morning has its lowest five minutes, and the variability of its first five")
    func mornings() throws {
        var log = Log()
        log.wait(untilHour: 6)
        try morning(&log, minutes: 12)
        log.wait(untilHour: 6)
        try morning(&log, minutes: 8)
        log.wait(untilHour: 11)
        try morning(&log, minutes: 12, bpm: 50)
        log.wait(untilHour: 6)
        try morning(&log, minutes: 12, missing: 4)
        log.wait(untilHour: 6)
        try morning(&log, minutes: 12, missing: 7)
        log.wait(untilHour: 6)
        try morning(&log, minutes: 12, walking: true)
        log.wait(untilHour: 6)
        let resting = try log.trends(.resting)
        func value(_ trends: Trends, _ day: Int64) -> UInt64? {
            let date = trends.first.advanced(by: day)
            return trends.mean(of: trends.sums(date...date))
        }
        // 8 minutes are too few, noon is no morning, and whoever walks is not at rest.
        #expect((0..<6).map { value(resting, $0) } == [60_00, nil, nil, 60_00, 60_00, nil])
        let hrv = try log.trends(.hrv)
        let own = try #require(value(hrv, 0))
        // 20/1024 s between each two beats, in hundredths of a millisecond.
        #expect(own == 19_53)
        #expect(value(hrv, 1) != nil && value(hrv, 2) == nil && value(hrv, 3) != nil)
        #expect(value(hrv, 4) == nil && value(hrv, 5) == nil)
        let left = try #require(hrv.excluded(at: hrv.first.advanced(by: 4)))
        #expect(left.missingHundredths > 5_00 && left.missingHundredths < 9_00)
        #expect(hrv.excluded(at: hrv.first) == nil)
        let sums = hrv.sums(hrv.first...hrv.last)
        #expect(sums.days == 3 && sums.excluded == 1)
        #expect(hrv.line(at: hrv.first.advanced(by: 2)) == nil)
        #expect(hrv.line(at: hrv.last) == hrv.mean(of: sums))
        let again = try WalkOutlines(bytes: log.outlines.bytes())
        #expect(again.bytes() == log.outlines.bytes())
        // Mornings at rest say nothing of walks: noon, and the one who walked, do.
        let heart = try log.trends(.heart)
        #expect(heart.sums(heart.first...heart.last).days == 2)
        log.wait(untilHour: 6)
        try morning(&log, minutes: 12, bpm: 110)
        log.wait(untilHour: 6)
        #expect(value(try log.trends(.resting), 6) == nil)
        // A band that sends each ten seconds has a rate all the time.
        try morning(&log, minutes: 12, each: 10)
        log.wait(untilHour: 6)
        #expect(value(try log.trends(.resting), 8) == 60_00)
    }

    @Test("the pace at a heart rate is that of flat stretches on foot, by positions")
    func pace() throws {
        var log = Log()
        /// 1.2 m each second.
        func walk(_ sport: Sport = .walk, bpm: UInt16 = 120, rise: Int64 = 0) throws -> UInt64? {
            log.wait(untilHour: 14)
            try log.session(sport) { tape in
                for second in 0..<Int64(601) {
                    tape.heart(bpm)
                    if second % 5 == 0 {
                        tape.fix(
                            at: (480_000_000 + second * 108, 110_000_000),
                            altitude: 30_000 + second * rise)
                    }
                    tape.wait(1_000)
                }
            }
            log.wait(untilHour: 1)
            let trends = try log.trends(.pace)
            return trends.mean(of: trends.sums(trends.last...trends.last))
        }
        let pace = try #require(try walk())
        #expect((815_000...860_000).contains(pace))
        #expect(try walk(bpm: 130) == nil)
        #expect(try walk(.run) == nil)
        #expect(try walk(rise: 40) == nil)
        #expect(try walk(.hike, bpm: 125, rise: 15) != nil)
    }
}
