import Certification
import Events
import Projections
import Testing

/// T5: which date counts where nobody vouches for the clock.
@Suite("Days under an untrusted clock")
struct UntrustedClockTests {
    static let year2100: Int64 = 4_102_444_800_000

    /// Sets the clock, and has two readings of 10 steps taken.
    private func walk(
        _ tape: inout Tape, at wall: Int64, isTrusted: Bool, _ count: inout UInt64
    ) {
        tape.wallMilliseconds = wall
        tape.flags = isTrusted ? [.wallTrusted] : []
        for _ in 0..<2 {
            tape.wait(2_000)
            count += 10
            tape.count(count)
        }
    }

    private func dates(_ tape: Tape) -> [String] { tape.own.steps.days.map(\.date.description) }

    /// The certifier, by code of its own, must agree after every event.
    private func certify(_ tape: Tape) throws {
        var state = LogState()
        var certifier = StepsCertifier()
        for recorded in tape.recorded {
            let payload = try recorded.event.encodedPayload()
            state.evolve(recorded.header, payload.span)
            try certifier.take(recorded.header, payload.span) { state.own.steps[$0]?.displayed }
        }
        _ = try certifier.finish { state.own.steps[$0]?.displayed }
        // Where nobody knows for how long a pedometer was silent.
        #expect(tape.state.findings.kept.allSatisfy { $0.code == .stepsSetAside })
    }

    @Test("a clock that was never set names no day; a session counts all the same")
    func neverSet() throws {
        var tape = Tape()
        var count: UInt64 = 100
        walk(&tape, at: 5_000, isTrusted: false, &count)
        try tape.command(.start())
        walk(&tape, at: 9_000, isTrusted: false, &count)
        #expect(dates(tape).isEmpty)
        #expect(tape.session.steps == 20)
        #expect(tape.own.localDate(at: tape.moment) == nil)
        walk(&tape, at: Tape.start, isTrusted: true, &count)
        #expect(dates(tape) == ["2026-03-01"])
        // The reading before its first one was of the day as well, by the boot clock.
        #expect(tape.today == 20)
        #expect(tape.session.steps == 40)
        try certify(tape)
    }

    @Test("what a clock of 2100 opened gives way to a trusted one", arguments: [true, false])
    func farFuture(isTrusted: Bool) throws {
        var tape = Tape()
        var count: UInt64 = 0
        walk(&tape, at: Self.year2100, isTrusted: false, &count)
        #expect(dates(tape) == ["2100-01-01"])
        #expect(tape.today == 10)
        walk(&tape, at: Tape.start, isTrusted: isTrusted, &count)
        #expect(tape.own.steps.current?.date.description == "2026-03-01")
        #expect(tape.today == 20)
        #expect(tape.own.steps[CivilDate("2100-01-01")!]?.displayed == 10)
        // A date by a trusted clock stands; one that nobody vouches for may be wrong again.
        walk(&tape, at: Tape.start - 3 * 86_400_000, isTrusted: false, &count)
        let date = isTrusted ? "2026-03-01" : "2026-02-26"
        #expect(tape.own.steps.current?.date.description == date)
        try certify(tape)
    }

    @Test("what a trusted clock of 2100 opened stands until a person trusts another one")
    func trustedOnce() throws {
        var tape = Tape()
        var count: UInt64 = 0
        walk(&tape, at: Self.year2100, isTrusted: true, &count)
        walk(&tape, at: Tape.start, isTrusted: true, &count)
        #expect(dates(tape) == ["2100-01-01"])
        let ahead = try #require(tape.own.dayAhead(at: tape.moment))
        #expect(ahead.day.description == "2100-01-01" && ahead.clock.description == "2026-03-01")
        let told = try tape.command(.refresh(.clockTrusted))
        #expect(told.count == 1 && tape.today == 0)
        #expect(tape.own.dayAhead(at: tape.moment) == nil)
        walk(&tape, at: Tape.start + 60_000, isTrusted: true, &count)
        #expect(tape.own.steps.current?.date.description == "2026-03-01")
        #expect(tape.today == 20)
        walk(&tape, at: Tape.start + 86_400_000, isTrusted: true, &count)
        #expect(dates(tape) == ["2026-03-01", "2026-03-02", "2100-01-01"])
        #expect(tape.own.steps[CivilDate("2100-01-01")!]?.displayed == 30)
        // Where the clock's date is no earlier, it is what any person asks.
        let again = try tape.command(.refresh(.clockTrusted))
        guard case .reconciliationTriggered(let event) = again.last else { throw Missing() }
        #expect(event.trigger.known == .manual)
        try certify(tape)
    }

    private struct Missing: Error {}

    @Test("a date that counts again goes on with what it showed")
    func goesOn() throws {
        var tape = Tape()
        var count: UInt64 = 0
        walk(&tape, at: Tape.start, isTrusted: true, &count)
        try tape.command(.healthTotal(5_000))
        walk(&tape, at: Tape.start + 9_000, isTrusted: true, &count)
        let shown = tape.today
        #expect(shown >= 5_000)
        // A boot with a dead clock: 2100, until the network tells the time.
        tape.reboot(4_000)
        walk(&tape, at: Self.year2100, isTrusted: false, &count)
        #expect(tape.own.steps.current?.date.description == "2100-01-01")
        walk(&tape, at: Tape.start + 60_000, isTrusted: true, &count)
        #expect(tape.own.steps.current?.date.description == "2026-03-01")
        #expect(tape.today == shown + 20)
        try certify(tape)
        let explanation = try tape.explanation(of: CivilDate("2026-03-01")!)
        #expect(explanation.displayed == shown + 20)
        #expect(explanation.baseline.isBegunAnew)
    }

    @Test("an untrusted clock that goes back moves the date by two days or more, and by no fewer")
    func smallSteps() throws {
        var tape = Tape()
        var count: UInt64 = 0
        walk(&tape, at: Tape.start, isTrusted: false, &count)
        walk(&tape, at: Tape.start - 20 * 3_600_000, isTrusted: false, &count)
        #expect(dates(tape) == ["2026-03-01"])
        walk(&tape, at: Tape.start + 20 * 3_600_000, isTrusted: false, &count)
        #expect(dates(tape) == ["2026-03-01", "2026-03-02"])
        walk(&tape, at: Tape.start - 24 * 3_600_000, isTrusted: false, &count)
        #expect(dates(tape) == ["2026-02-28", "2026-03-01", "2026-03-02"])
        try certify(tape)
    }

    @Test("midnight passes under an untrusted clock too")
    func midnight() throws {
        var tape = Tape()
        tape.flags = []
        tape.count(0)
        tape.wait(15 * 3_600_000)
        try tape.command(.rollOver)
        #expect(tape.own.steps.current?.date.description == "2026-03-02")
    }

    @Test("a day that counts again takes no step from a counter that began anew")
    func countsAgain() throws {
        var tape = Tape()
        var count: UInt64 = 100
        walk(&tape, at: Tape.start, isTrusted: true, &count)
        tape.count(5_110)
        #expect(tape.today == 5_000)
        // The watch begins anew twice, and in between a boot's clock is wrong.
        tape.reboot(4_000)
        count = 390
        walk(&tape, at: Self.year2100, isTrusted: false, &count)
        count = 290
        walk(&tape, at: Tape.start + 3_600_000, isTrusted: true, &count)
        #expect(tape.own.steps.current?.date.description == "2026-03-01")
        #expect(tape.today == 5_310)
        try certify(tape)
    }

    @Test("a day that counts again takes the total that nobody had reconciled")
    func unreconciledTotal() throws {
        var tape = Tape()
        var count: UInt64 = 0
        walk(&tape, at: Tape.start, isTrusted: true, &count)
        let today = try #require(tape.own.steps.current?.date)
        tape.append(.healthTotalObserved(HealthTotalObserved(date: today, total: 423)), source: 2)
        tape.reboot(4_000)
        walk(&tape, at: Self.year2100, isTrusted: false, &count)
        walk(&tape, at: Tape.start + 3_600_000, isTrusted: true, &count)
        #expect(tape.own.steps.current?.date == today)
        #expect(tape.today >= 423)
        try certify(tape)
    }
}
