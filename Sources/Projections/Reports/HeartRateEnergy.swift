package import Events

/// Energy by the heart rate, of a walk with a pedometer or without: a figure of its own.
enum HeartRateEnergy {
    /// The energy while a heart rate was known, in thousandths of a kilocalorie.
    ///
    /// Source: Keytel et al. 2005, Journal of Sports Sciences 23(3), 289 to 297, the model without
    /// a measure of fitness. Kilojoules a minute are -55.0969 + 0.6309 BPM + 0.1988 kg + 0.2017
    /// years for men, and -20.4022 + 0.4472 BPM - 0.1263 kg + 0.074 years for women. It is linear,
    /// so the sums of the mean over time are enough. It was made of people who exercised: at rest
    /// it says too little, and never less than 0.
    ///
    /// - Parameters:
    ///   - totals: The heart rate.
    ///   - walker: Who walked.
    ///   - weightGrams: What they weighed.
    ///   - year: When.
    /// - Returns: The energy; nil if something that the formula asks for is not known.
    static func calories(
        _ totals: HeartRateTotals, _ walker: Walker, weightGrams: UInt64?, in year: Int64
    ) -> UInt64? {
        guard let sex = walker.sex?.known, let age = walker.age(in: year), let weightGrams,
            totals.weightedMilliseconds > 0
        else { return nil }
        // Times 10,000; the weight in grams, so by another 1,000.
        let (constant, perBPM, perKilogram, perYear): (Int128, Int128, Int128, Int128) =
            switch sex {
            case .male: (-550_969, 6_309, 1_988, 2_017)
            case .female: (-204_022, 4_472, -1_263, 740)
            }
        let fixed = (constant + perYear * Int128(age)) * 1_000 + perKilogram * Int128(weightGrams)
        let sum =
            perBPM * 1_000 * Int128(totals.weightedSum)
            + fixed * Int128(totals.weightedMilliseconds)
        // Kilojoules a minute times 10^7 times milliseconds; 4.184 J are a calorie.
        let divisor: Int128 = 60_000 * 10 * 4_184
        return UInt64(clamping: max(0, (sum + divisor / 2) / divisor))
    }
}

extension Walker {
    /// The maximum heart rate of an age: 208 less 0.7 a year, rounded half up, in BPM.
    ///
    /// Source: Tanaka et al. 2001, Journal of the American College of Cardiology 37(1), 153 to 156.
    /// It is off by 10 BPM or more for one walker in three.
    ///
    /// - Parameter year: When.
    /// - Returns: The maximum; nil if nobody knows the age.
    package func expectedMaximumBPM(in year: Int64) -> UInt64? {
        age(in: year).map { (2_080 - 7 * $0 + 5) / 10 }
    }
}
