import TestSupport
import Testing

@testable import Projections

/// What another rule makes of a log that was recorded under the recorder's own.
@Suite("What-if rules")
struct WhatIfRulesTests {
    private func folded(_ tape: Tape, _ settings: String...) throws -> LogState {
        try folded(tape, settings)
    }

    private func folded(_ tape: Tape, _ settings: [String]) throws -> LogState {
        LogState(folding: tape.recorded, rules: try Rules(settings: settings))
    }

    private func walk() throws -> Tape {
        var tape = try Tape.walkingLinked()
        for (bpm, contact) in [(100, 3), (0, 3), (90, 2), (0, 2), (110, 3)] as [(UInt16, UInt8)] {
            tape.heart(bpm, contact: contact, rr: [800], lasting: 1_000)
        }
        return tape
    }

    /// The rules, and what is counted: samples, sum, excluded for zero and for no contact.
    static let acceptance: [(settings: [String], counts: [UInt64])] = [
        ([], [2, 210, 1, 2]), (["countZero=true"], [3, 210, 0, 2]),
        (["countNoContact=true"], [3, 300, 2, 0]),
        (["countZero=true", "countNoContact=true"], [5, 300, 0, 0]),
    ]

    @Test("S3: what counts is what the rule lets count", arguments: acceptance)
    func counts(_ vector: (settings: [String], counts: [UInt64])) throws {
        let tape = try walk()
        let state = try folded(tape, vector.settings)
        let report = try #require(state.sessionReports(at: tape.moment).last)
        let heart = report.heartRate
        #expect(
            [heart.samples, heart.sum, heart.excluded.zero, heart.excluded.noContact]
                == vector.counts)
        // A reading that counts has intervals that count.
        #expect(report.rr.count == heart.samples)
        // Where contact is not heeded, the second of 90 BPM is fresh; those of 0 BPM never are.
        let isIgnored = vector.settings.contains("countNoContact=true")
        #expect(report.accounting.noContactMilliseconds == (isIgnored ? 2_000 : 3_000))
    }

    @Test("S13: intervals pass within the bounds and near the one before")
    func artefacts() throws {
        var tape = try Tape.walking()
        // 300 ms are 307.2 ticks, 2,000 ms are 2,048.
        for rr in [[308, 307], [2_048, 2_049], [800, 960, 961, 1_200]] as [[UInt16]] {
            tape.heart(70, rr: rr)
            tape.heart(70, lasting: 1_000)
        }
        func count(_ settings: String...) throws -> UInt64 {
            try folded(tape, settings).sessionReports(at: tape.moment)[0].filteredRR.count
        }
        #expect(try count() == 5, "308, 2,048, 800, 960, 961")
        #expect(try count("rrPercent=20", "rrFromMilliseconds=300", "rrToMilliseconds=2000") == 5)
        #expect(try count("rrFromMilliseconds=299") == 6)
        #expect(try count("rrToMilliseconds=2001") == 6)
        #expect(try count("rrPercent=25") == 6, "1,200 as well")
        #expect(try count("rrPercent=0") == 3, "those that have none before them")
        #expect(try count("rrFromMilliseconds=2000", "rrToMilliseconds=300") == 0)
    }

    @Test("S13: the standard bounds written out are the standard rule")
    func standard() {
        var rule = ArtefactRule()
        rule.countTicks()
        #expect(rule == ArtefactRule())
    }

    @Test(
        "a state under each of them is a snapshot of its own", arguments: 0..<24)
    func snapshots(seed: Int) throws {
        let settings = [
            "countNoContact=true", "countZero=true", "rrPercent=7", "rrToMilliseconds=900",
            "countSimulated=true", "countUnrecorded=true", "countStandstill=true",
            "countNothingOverMidnight=true",
        ]
        let rules = try Rules(setting: settings[seed % settings.count])
        let tape = try RandomWalk.tape(seed: seed, steps: 120)
        let state = LogState(folding: tape.recorded, rules: rules)
        let restored = try LogState(canonicalBytes: state.canonicalBytes().span)
        #expect(restored == state)
        #expect(restored.rules == rules)
        #expect(rules.canonicalBytes() != Rules().canonicalBytes())
    }

    @Test("that are all the recorder's own have one form: none that says more follow")
    func oneForm() {
        var bytes = LogState().canonicalBytes()
        let length = Rules().canonicalBytes().count
        bytes[length - 1] = 3
        // Neither flag, the standard bounds (300, 2,000, 20), nothing made up, nothing implausible,
        // nothing unrecorded, no standstill, no margin of its own, the way as it is measured, and
        // nothing lost over midnight.
        let later: [UInt8] = [
            0, 0, 0xAC, 0x02, 0xD0, 0x0F, 20, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 0,
        ]
        bytes.insert(contentsOf: later, at: length)
        #expect(throws: DamagedState.self) { try LogState(canonicalBytes: bytes.span) }
        bytes[length] = 1
        #expect(throws: Never.self) { try LogState(canonicalBytes: bytes.span) }
    }
}
