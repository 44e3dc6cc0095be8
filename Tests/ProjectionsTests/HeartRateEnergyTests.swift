import Events
import Projections
import Testing

/// Energy by the heart rate, and what an age says of the maximum.
@Suite("Estimates from who walks")
struct HeartRateEnergyTests {
    /// Ten minutes at one heart rate.
    private func walk(_ bpm: UInt16, _ walker: Walker, kilograms: UInt64?) throws -> SessionReport {
        var tape = Tape()
        try tape.command(
            .setWalker(
                Profile(weightGrams: kilograms.map { $0 * 1_000 }), walker, Preferences()))
        try tape.command(.start())
        for _ in 0..<600 {
            tape.heart(bpm, lasting: 1_000)
        }
        return tape.session
    }

    /// Kilojoules a minute of the formula's table, by a calculator, over 4.184, times ten minutes.
    @Test(
        "follow the model of Keytel 2005",
        arguments: [
            // -55.0969 + 0.6309 · 120 + 0.1988 · 75 + 0.2017 · 46 = 44.7993 kJ
            (Sex.male, 120, 75, 1_980, 107_073),
            // -20.4022 + 0.4472 · 120 - 0.1263 · 60 + 0.074 · 36 = 28.3478 kJ
            (.female, 120, 60, 1_990, 67_753),
            // Below 0: a heart at rest.
            (.male, 40, 50, 2_006, 0),
        ] as [(Sex, UInt16, UInt64, UInt64, UInt64)])
    func keytel(
        sex: Sex, bpm: UInt16, kilograms: UInt64, born: UInt64, calories: UInt64
    ) throws {
        let report = try walk(bpm, Walker(birthYear: born, sex: sex), kilograms: kilograms)
        let found = try #require(report.heartRateEnergyCalories)
        #expect(found.absoluteDifference(to: calories) <= 2, "\(found)")
        #expect(report.knownEnergyCalories == nil, "That of steps is another figure.")
    }

    @Test("need a weight, an age and a sex, and are of the walker at the start")
    func missing() throws {
        let whole = Walker(birthYear: 1_980, sex: .female)
        #expect(try walk(120, whole, kilograms: nil).heartRateEnergyCalories == nil)
        #expect(try walk(120, Walker(sex: .male), kilograms: 70).heartRateEnergyCalories == nil)
        #expect(
            try walk(120, Walker(birthYear: 1_980), kilograms: 70).heartRateEnergyCalories == nil)
        #expect(
            try walk(120, Walker(birthYear: 2_050, sex: .male), kilograms: 70)
                .heartRateEnergyCalories == nil)
        var tape = try Tape.walking()
        #expect(try tape.command(.setWalker(Profile(), whole, Preferences())).count == 1)
        #expect(try tape.command(.setWalker(Profile(), whole, Preferences())).isEmpty)
        tape.heart(120)
        tape.wait(1_000)
        #expect(tape.session.heartRateEnergyCalories == nil)
        let bytes = tape.state.canonicalBytes()
        #expect(try LogState(canonicalBytes: bytes.span) == tape.state)
    }

    @Test("expect the maximum of Tanaka 2001")
    func tanaka() {
        for (born, maximum) in [(2_006, 194), (1_980, 176), (1_981, 177), (1_946, 152)]
            as [(UInt64, UInt64)]
        {
            #expect(Walker(birthYear: born).expectedMaximumBPM(in: 2_026) == maximum)
        }
        #expect(Walker().expectedMaximumBPM(in: 2_026) == nil)
    }
}

extension UInt64 {
    fileprivate func absoluteDifference(to other: UInt64) -> UInt64 {
        self > other ? self - other : other - self
    }
}
