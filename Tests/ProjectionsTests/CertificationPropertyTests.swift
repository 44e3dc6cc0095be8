import Certification
import Events
import Projections
import TestSelection
import TestSupport
import Testing

/// The two calculations of a day's count, on the same random histories.
@Suite("The certificate of the fold")
struct CertificationPropertyTests {
    /// Folds and certifies; `tamper` changes what the fold displays.
    private func certify(
        _ tape: Tape, tamper: (Position, UInt64) -> UInt64 = { $1 }
    ) throws -> [Certificate] {
        var state = LogState()
        var certifier = StepsCertifier()
        for recorded in tape.recorded {
            let payload = try recorded.event.encodedPayload()
            state.evolve(recorded.header, payload.span)
            let position = recorded.header.position
            try certifier.take(recorded.header, payload.span) {
                state.live.steps[$0].map { tamper(position, $0.displayed) }
            }
        }
        return try certifier.finish { state.live.steps[$0]?.displayed }
    }

    @Test("holds at every position of random histories", arguments: sample(0..<120, 20))
    func agrees(seed: Int) throws {
        let tape = try RandomWalk.tape(seed: seed, steps: 200)
        let certificates = try certify(tape)
        let reports = tape.state.dayReports()
        #expect(certificates.map(\.date) == reports.map(\.date), "seed \(seed)")
        #expect(certificates.map(\.displayed) == reports.map(\.displayed), "seed \(seed)")
        #expect(certificates.map(\.walked) == reports.map(\.pedometerSteps), "seed \(seed)")
        for certificate in certificates where certificate.lateTotal == nil {
            #expect(certificate.walked + certificate.lead == certificate.displayed)
        }
    }

    @Test("breaks on any single wrong count after an event of steps", arguments: 0..<8)
    func breaks(seed: Int) throws {
        let tape = try RandomWalk.tape(seed: seed, steps: 60)
        var random = SeededGenerator(seed: UInt64(seed))
        let steps = tape.recorded.filter { $0.event.kind.lane == .steps && $0.header.source == 0 }
        for recorded in steps.dropFirst(2) {
            let position = recorded.header.position
            let more = 1 + random.below(50)
            #expect(throws: CounterExample.self, "seed \(seed), position \(position)") {
                _ = try certify(tape) { $0 == position ? $1 + more : $1 }
            }
        }
    }

    @Test("does not hold for the rule that carries overlap, which T2 does not say")
    func carryOverlap() throws {
        var rules = Rules()
        rules.carryOverlap = true
        var tape = Tape(rules: rules)
        tape.count(0)
        tape.wait(1_000)
        tape.count(30)
        try tape.command(
            .healthTotal(1_000, validUntilMilliseconds: tape.wallMilliseconds - 500))
        #expect(tape.today == 1_030)
        #expect(try certify(tape).map(\.displayed) == [1_000])
    }
}
