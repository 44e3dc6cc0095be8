import Events
import TestSupport
import Testing

@testable import Projections

/// Records by what each walk did, and outlines of walks.
@Suite("Records")
struct RecordsTests {
    /// A log of walks at random, with a pedometer that tells metres, and their outlines.
    private func log(
        seed: UInt64
    ) throws -> (walks: [SessionReport], outlines: WalkOutlines, calendar: Calendar, Tape) {
        var random = SeededGenerator(seed: seed)
        var tape = Tape(rules: .believing)
        try tape.command(.setProfile(Profile(dailyGoalSteps: 300)))
        var count: UInt64 = 0
        var outlines = WalkOutlines()
        for _ in 0..<12 {
            if random.below(5) == 0 { tape.flags.insert(.simulated) }
            let session = tape.append(.sessionStarted(SessionStarted()))
            tape.count(count, distance: 0)
            for _ in 0..<random.below(12) {
                if random.below(6) == 0 {
                    tape.append(.sessionPaused(SessionPaused()))
                    tape.wait(random.below(100_000))
                    tape.append(.sessionResumed(SessionResumed()))
                }
                tape.wait(60_000 + random.below(60_000))
                count += random.below(200)
                tape.count(count, distance: random.below(400_000))
            }
            tape.append(.sessionEnded(SessionEnded()))
            tape.flags.remove(.simulated)
            if random.below(4) == 0 {
                try tape.command(.describe(SessionDescribed(session: session, listing: .hidden)))
            }
            if random.below(3) == 0 {
                try tape.command(.describe(SessionDescribed(session: session, sport: .run)))
            }
            let report = try #require(tape.state.sessionReport(session, at: tape.moment))
            outlines.take(WalkOutline(report, try tape.series(of: session)))
            tape.wait(random.below(5) * 43_200_000)
        }
        let today = try #require(tape.own.localDate(at: tape.moment))
        return (
            tape.state.sessionReports(at: tape.moment), outlines,
            tape.state.calendar(today: today), tape
        )
    }

    @Test("are those that whoever looks at each walk finds", arguments: 1...20)
    func bruteForce(seed: UInt64) throws {
        let (walks, outlines, calendar, _) = try log(seed: seed)
        let own = walks.filter { !$0.keeping.isHidden && $0.provenance == .walked }
        let records = Records(walks, outlines, calendar).records()
        func value(_ kind: Records.Kind) -> UInt64? { records.first { $0.kind == kind }?.value }
        func most(_ values: [UInt64?]) -> UInt64? {
            values.compactMap(\.self).filter { $0 > 0 }.max()
        }
        #expect(value(.longestDistance) == most(own.map(\.distanceMillimetres)))
        #expect(value(.longestTime) == most(own.map(\.activeMilliseconds)))
        #expect(value(.mostSteps) == calendar.counted.map(\.steps).max())
        for (kind, isRun) in [
            (Records.Kind.fastestKilometreWalking, false), (.fastestKilometreRunning, true),
        ] {
            let times = own.filter { ($0.keeping.sport.known == .run) == isRun }
                .compactMap { outlines[$0.position]?.fastest.first?.activeMilliseconds }
            #expect(value(kind) == times.min())
        }
        let mondays = own.map { $0.date.monday }
        let weeks = mondays.map { monday in
            own.filter { $0.date.monday == monday }.reduce(0) { $0 + ($1.distanceMillimetres ?? 0) }
        }
        #expect(value(.furthestWeek) == most(weeks))
        for record in records {
            #expect(record.walk.map { walk in own.contains { $0.position == walk } } ?? true)
        }
    }

    @Test("the fastest kilometre is that which whoever tries each metre finds", arguments: 1...10)
    func fastest(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var growth = Growth.distance
        var (elapsed, active, amount): (UInt64, UInt64, UInt64) = (0, 0, 0)
        growth.turn(elapsed: 0, active: 0)
        for _ in 0..<40 {
            let step = 1_000 + random.below(90_000)
            (elapsed, active) = (elapsed + step, active + step)
            amount += random.below(200_000)
            growth.note(amount, elapsed: elapsed, active: active)
            if random.below(9) == 0 { growth.turn(elapsed: elapsed, active: active) }
        }
        let found = growth.fastest(1_000_000)
        var best: UInt64?
        for start in stride(from: UInt64(0), through: amount.minus(1_000_000), by: 1_000) {
            guard let from = growth.reading(atAmount: start, isLast: true),
                let until = growth.reading(atAmount: start + 1_000_000)
            else { continue }
            best = min(best ?? .max, until.activeMilliseconds.minus(from.activeMilliseconds))
        }
        guard amount >= 1_000_000 else { return #expect(found == nil) }
        let (start, end) = try #require(found)
        let time = end.activeMilliseconds - start.activeMilliseconds
        #expect(end.amount - start.amount == 1_000_000)
        // Between two metres lies a moment that is faster by less than a metre's time.
        #expect(time <= best ?? 0 && (best ?? 0) - time < 5_000)
        #expect(end.elapsedMilliseconds > start.elapsedMilliseconds)
    }

    @Test("of a year are those of its days")
    func year() throws {
        let (walks, outlines, calendar, _) = try log(seed: 3)
        let records = Records(walks, outlines, calendar)
        let dates = try #require(walks.first).date.advanced(by: 5)...calendar.today
        for record in records.records(in: dates) {
            #expect(dates.contains(record.dates.lowerBound))
        }
        let none = try #require(CivilDate.month(1, of: 1999))
        #expect(records.records(in: none).isEmpty)
    }

    @Test("outlines are kept as they are, and are missing of walks that came since")
    func kept() throws {
        let (walks, outlines, _, tape) = try log(seed: 5)
        let traces = walks.compactMap { outlines[$0.position]?.trace }
        #expect(traces.allSatisfy { $0.count <= 44 && $0.allSatisfy { $0 == 0 || $0 >= 20 } })
        let again = try WalkOutlines(bytes: outlines.bytes())
        #expect(again.bytes() == outlines.bytes())
        #expect(again.missing(of: walks).isEmpty)
        #expect(WalkOutlines().missing(of: walks).count == walks.count)
        var other = tape
        try other.command(.start())
        #expect(again.missing(of: other.state.sessionReports(at: other.moment)).isEmpty)
        #expect(throws: DamagedState.self) {
            try WalkOutlines(bytes: Array(outlines.bytes().dropLast()))
        }
    }
}
