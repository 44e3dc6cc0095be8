import Certification
import Events
import Projections
import Testing

@Suite("The certificate of the fold")
struct CertificationPropertyTests {
    @Test("does not hold for the rule that carries overlap, which T2 does not say")
    func carryOverlap() throws {
        var rules = Rules()
        rules.carryOverlap = true
        var tape = Tape(rules: rules)
        tape.count(0)
        tape.count(30, after: 1_000)
        try tape.command(
            .healthTotal(1_000, validUntilMilliseconds: tape.wallMilliseconds - 500))
        #expect(tape.today == 1_030)
        var certifier = StepsCertifier()
        for recorded in tape.recorded { try recorded.withView { certifier.take($0) } }
        let date = try #require(tape.live.steps.current?.date)
        #expect(certifier.certificate(of: date)?.displayed == 1_000)
    }
}
