import Events
import Projections
import Testing

/// Straps that deny contact although beats come, and the walker's choice for them.
@Suite("Contact that is never set")
struct ContactTests {
    /// A session of a paired strap whose values deny contact.
    private func dryWalk(_ values: Int, bpm: UInt16 = 80, rr: [UInt16] = [750]) throws -> Tape {
        var tape = Tape()
        try tape.command(.pair(strap, name: "Dry", roles: .heart))
        try tape.command(.start())
        for _ in 0..<values { deny(&tape, bpm, rr: rr) }
        return tape
    }

    private func deny(
        _ tape: inout Tape, _ bpm: UInt16 = 80, rr: [UInt16] = [750], of device: DeviceID = strap
    ) {
        tape.heart(bpm, contact: 2, rr: rr, device: device, lasting: 1_000)
    }

    @Test("S3: such a strap is named after ten values with beats")
    func named() throws {
        #expect(try dryWalk(9).session.contactlessStrap == nil)
        let named = try #require(try dryWalk(10).session.contactlessStrap)
        #expect(named.device == strap && named.name == "Dry")
        // Beats are intervals, or a heart rate that somebody can have.
        #expect(try dryWalk(10, rr: []).session.contactlessStrap != nil)
        #expect(try dryWalk(10, bpm: 0).session.contactlessStrap != nil)
        for bpm in [0, 19, 301, .max] as [UInt16] {
            #expect(try dryWalk(30, bpm: bpm, rr: []).session.contactlessStrap == nil)
        }
    }

    @Test("a strap that is in contact once is not named, sooner or later")
    func gained() throws {
        var tape = try dryWalk(9)
        tape.heart(80)
        for _ in 0..<20 { deny(&tape) }
        #expect(tape.session.contactlessStrap == nil)
        var late = try dryWalk(12)
        #expect(late.session.contactlessStrap != nil)
        late.heart(80)
        #expect(late.session.contactlessStrap == nil)
    }

    @Test("S3: contact is a thing of the link: what an earlier one told is nothing of the next")
    func eachLink() throws {
        var tape = try dryWalk(0)
        for links in 1...2 {
            for _ in 0..<30 { tape.heart(80, after: 1_000) }
            for _ in 0..<20 { deny(&tape) }
            #expect(tape.session.contactlessStrap == nil, "it was in contact on link \(links)")
            tape.linkLost()
            tape.linkUp()
        }
        for _ in 0..<9 { deny(&tape) }
        #expect(tape.session.contactlessStrap == nil)
        deny(&tape)
        #expect(tape.session.contactlessStrap?.device == strap)
        // A link that is lost meanwhile does not begin the count anew.
        tape.linkLost()
        tape.linkUp()
        #expect(tape.session.contactlessStrap != nil)
    }

    @Test("of two straps the one is named that never had contact")
    func two() throws {
        var tape = try dryWalk(0)
        try tape.command(.pair(otherStrap, name: "Good", roles: .heart))
        for _ in 0..<10 {
            deny(&tape)
            tape.heart(90, device: otherStrap)
        }
        #expect(tape.session.contactlessStrap?.device == strap)
        #expect(tape.own.contactlessStrap(otherStrap) == nil)
        try tape.command(.ignoreContact(strap, true))
        deny(&tape, of: otherStrap)
        // The choice is one strap's.
        #expect(tape.session.heartRate.excluded.noContact == 11)
        #expect(tape.session.contactlessStrap == nil)
    }

    @Test("S3: contact that is ignored lets values count from then on, until it is heeded again")
    func ignored() throws {
        var tape = try dryWalk(10)
        #expect(tape.session.heartRate.samples == 0)
        #expect(ConnectionView(tape.state, at: tape.moment).isWithoutContact)
        let events = try tape.command(.ignoreContact(strap, true))
        #expect(events == [.contactChosen(ContactChosen(device: strap, ignored: true))])
        #expect(try tape.command(.ignoreContact(strap, true)).isEmpty)
        for _ in 0..<5 { deny(&tape) }
        let view = ConnectionView(tape.state, at: tape.moment)
        #expect(!view.isWithoutContact && view.heartRateBPM == 80)
        #expect(tape.state.deviceReports().map(\.isContactIgnored) == [true])
        deny(&tape, 0, rr: [])
        try tape.command(.ignoreContact(strap, false))
        for _ in 0..<3 { deny(&tape) }
        let report = tape.session
        #expect(report.heartRate.samples == 5 && report.rr.count == 5)
        #expect(report.heartRate.excluded.noContact == 13 && report.heartRate.excluded.zero == 1)
        // Ten seconds before, one of 0 BPM, and three after.
        #expect(report.accounting.freshMilliseconds == 5_000)
        #expect(report.accounting.noContactMilliseconds == 14_000)
        #expect(report.heartRate.weightedMilliseconds == 5_000)
    }

    @Test("the rule countNoContact counts what the choice would have, and more with it")
    func whatIf() throws {
        var tape = Tape(rules: Rules(\.countNoContact, true))
        try tape.command(.pair(strap, name: nil, roles: .heart))
        try tape.command(.start())
        for _ in 0..<12 { deny(&tape) }
        #expect(tape.session.heartRate.samples == 12)
        #expect(tape.session.accounting.freshMilliseconds == 12_000)
        try tape.command(.ignoreContact(strap, true))
        deny(&tape)
        try tape.command(.ignoreContact(strap, false))
        deny(&tape)
        #expect(tape.session.heartRate.samples == 14)
    }

    @Test("only a paired device can be chosen for")
    func refused() throws {
        var tape = Tape()
        tape.heart(80)
        for isIgnored in [true, false] {
            #expect(tape.refusal(of: .ignoreContact(strap, isIgnored)) == .notPaired)
        }
    }
}
