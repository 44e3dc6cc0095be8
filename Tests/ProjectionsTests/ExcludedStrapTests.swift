import Events
import Projections
import Testing

/// A stranger's strap that was heard in a session, and is left out of it.
@Suite("Straps that are left out of a session")
struct ExcludedStrapTests {
    /// Sixty values of the walker's strap, one a second; where `isMixed`, also three of a
    /// stranger's after every twentieth.
    private func walk(isMixed: Bool, ends: Bool = false) throws -> Tape {
        var tape = try Tape.walking()
        for second: UInt16 in 0..<60 {
            tape.heart(100 + second % 7, rr: [600 + second % 5])
            tape.wait(1_000)
            guard second % 20 == 19 else { continue }
            for value: UInt16 in 0..<3 {
                if isMixed { tape.heart(190 + value, rr: [320], device: otherStrap) }
                tape.wait(1_000)
            }
        }
        tape.heart(100, rr: [600])
        if ends { try tape.command(.end()) }
        return tape
    }

    @Test("S3: leaves no trace of a stranger's values in the figures", arguments: [false, true])
    func leftOut(ends: Bool) throws {
        var tape = try walk(isMixed: true, ends: ends)
        let mixed = tape.session
        #expect(mixed.heartRate.maximum?.bpm == 192 && mixed.heartRate.samples == 70)
        #expect(mixed.straps.map(\.samples) == [61, 9])
        let events = try tape.command(.exclude(otherStrap, session: 0, true))
        #expect(
            events == [
                .deviceExcluded(DeviceExcluded(session: 0, device: otherStrap, excluded: true))
            ])
        #expect(try tape.command(.exclude(otherStrap, session: 0, true)).isEmpty)
        let own = tape.session
        let alone = try walk(isMixed: false, ends: ends).session
        #expect(own.heartRate.samples == 61 && own.heartRate.sum == alone.heartRate.sum)
        #expect(own.heartRate.maximum?.bpm == 106 && own.heartRate.supportedMaximum?.bpm == 106)
        #expect(own.heartRate.minimum == alone.heartRate.minimum)
        #expect(own.rr == alone.rr && own.filteredRR == alone.filteredRR)
        #expect(own.straps.map(\.isExcluded) == [false, true])
        // Its time is as if no link had stood: three times from its first value to the next own.
        #expect(own.accounting.disconnectedMilliseconds == 9_000)
        #expect(own.accounting.freshMilliseconds == own.heartRate.weightedMilliseconds)
        #expect(own.elapsedMilliseconds == mixed.elapsedMilliseconds)
        try tape.command(.exclude(otherStrap, session: 0, false))
        #expect(tape.session == mixed)
    }

    @Test("leaves the only strap out as well, and both")
    func all() throws {
        var tape = try walk(isMixed: false)
        try tape.command(.exclude(strap, session: 0, true))
        #expect(tape.session.heartRate.samples == 0 && tape.session.heartRate.maximum == nil)
        #expect(tape.session.accounting.freshMilliseconds == 0)
        #expect(tape.session.rr.count == 0 && tape.session.straps.map(\.samples) == [61])
        // What comes of it later is left out as well, and of another strap counts.
        for second: UInt16 in 0..<20 {
            tape.heart(second < 10 ? 150 : 120, device: second < 10 ? strap : otherStrap)
            tape.wait(1_000)
        }
        #expect(tape.session.heartRate.samples == 10)
        #expect(tape.session.heartRate.maximum?.bpm == 120)
        try tape.command(.exclude(otherStrap, session: 0, true))
        #expect(tape.session.heartRate.samples == 0)
        #expect(tape.session.straps.map(\.isExcluded) == [true, true])
    }

    @Test("is refused of a strap that was not heard, and of no such session")
    func refused() throws {
        var tape = try walk(isMixed: false)
        let others: [(DeviceID, Position)] = [(otherStrap, 0), (strap, 1), (strap, 4_000)]
        for (device, session) in others {
            #expect(throws: Refusal(.notHeard)) {
                try tape.command(.exclude(device, session: session, true))
            }
            let before = tape.session
            tape.append(
                .deviceExcluded(DeviceExcluded(session: session, device: device, excluded: true)))
            #expect(tape.session == before)
        }
        #expect(tape.state.findings.total == 3)
        #expect(tape.state.findings.kept.allSatisfy { $0.code == .sessionOutOfPlace })
    }

    @Test("tells sixteen straps apart, and counts those beyond also while one is left out")
    func many() throws {
        var tape = try Tape.walking()
        for number: UInt64 in 0..<40 {
            tape.heart(100, device: DeviceID(address: number, space: .random), lasting: 1_000)
        }
        #expect(tape.session.heartRate.samples == 40 && tape.session.straps.count == 16)
        try tape.command(.exclude(DeviceID(address: 3, space: .random), session: 0, true))
        #expect(tape.session.heartRate.samples == 39 && tape.session.straps.count == 16)
        let beyond = Command.exclude(DeviceID(address: 20, space: .random), session: 0, true)
        #expect(throws: Refusal(.notHeard)) { try tape.command(beyond) }
        let bytes = tape.state.canonicalBytes()
        #expect(try LogState(canonicalBytes: bytes.span) == tape.state)
    }

    @Test("divides the copies of each strap's values by itself")
    func copies() throws {
        func walk(_ factor: Int) throws -> SessionReport {
            var tape = try Tape.walking()
            for second: UInt16 in 0..<40 {
                for (device, rate) in [(strap, 100 as UInt16), (otherStrap, 180)] {
                    for _ in 0..<(device == strap ? factor : 1) {
                        tape.heart(rate + second, rr: [600 + second], device: device, lasting: 3)
                    }
                }
                tape.wait(1_000)
            }
            try tape.command(.end())
            try tape.command(.exclude(otherStrap, session: 0, true))
            return tape.session
        }
        let (once, twice) = (try walk(1), try walk(2))
        #expect(once.heartRate.samples == 40 && twice.heartRate.samples == 40)
        #expect(twice.heartRate.sum == once.heartRate.sum && twice.rr == once.rr)
        #expect(twice.heartRate.excluded.copies == 40)
    }

    @Test("is not in the samples of a chart, and its time is as if no link had stood")
    func series() throws {
        var tape = try walk(isMixed: true)
        try tape.command(.exclude(otherStrap, session: 0, true))
        var series = try tape.series()
        #expect(series.samples.count == 61 && series.samples.allSatisfy { $0.bpm < 110 })
        #expect(series.intervals.allSatisfy { $0.kind == .disconnected })
        #expect(series.intervals.map(\.startMilliseconds) == [20_000, 43_000, 66_000])
        #expect(series.intervals.map(\.endMilliseconds) == [23_000, 46_000, 69_000])
        series.excludedStraps = []
        #expect(series.intervals.isEmpty)
    }
}
