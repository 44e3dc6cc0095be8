/// What legs, hearts and hills can do: how much a number from outside may be in the time that it
/// covers.
///
/// What is beyond is kept in the log as it came, is a finding, and counts nothing; a walker can
/// take it in by an event. The rule `countImplausible` counts everything, as versions up to 8 did.
package enum Plausibility {
    /// The most steps of a second: sprinters make 4.5 to 5 (World Athletics, biomechanical report
    /// for the 100 m of London 2017).
    package static let stepsPerSecond: UInt64 = 5
    /// Steps that a reading may show beyond that: what its device gathers before it reports.
    package static let stepsMargin: UInt64 = 10
    /// The most steps of a minute of a record: ``stepsPerSecond`` all along.
    package static let stepsPerMinute: UInt64 = stepsPerSecond * 60
    /// What a foot pod sends instead of a cadence: all bits are set.
    package static let noCadence: UInt8 = 255
    /// The most steps of a day: what runners of 24 hours make, some 320 km of 1.6 m.
    package static let stepsPerDay: UInt64 = 200_000
    /// A day in milliseconds.
    package static let dayMilliseconds: UInt64 = 86_400_000
    /// The farthest that somebody comes in a second in millimetres: 15 m/s, downhill on wheels.
    package static let millimetresPerSecond: UInt64 = 15_000
    /// The lengths in micrometres that a device may tell of a step: 0.2 to 2.5 m.
    package static let stepMicrometres: ClosedRange<UInt64> = 200_000...2_500_000
    /// Distance that a reading may show beyond that: two seconds, for readings come late.
    package static let marginMillimetres: UInt64 = 2 * millimetresPerSecond
    /// Heights in millimetres where somebody can stand: the shore of the Dead Sea is at -430 m,
    /// Mount Everest at 8,849 m.
    package static let altitudeMillimetres: ClosedRange<Int64> = -500_000...9_000_000
    /// The most that somebody climbs or descends in a second in millimetres: 5 m/s.
    package static let climbMillimetresPerSecond: UInt64 = 5_000
    /// A climb that a fix may show beyond that: two seconds, for heights waver.
    package static let climbMarginMillimetres: UInt64 = 2 * climbMillimetresPerSecond
    /// By how much a fix's own time may be before the session or after the machine's clock: 5 min.
    ///
    /// What is beyond is of a receiver that does not know the time, or one of two clocks is wrong.
    package static let clockDifferenceMilliseconds: Int64 = 300_000
    /// For how long a pedometer may be silent before fixes give the distance: 10 s.
    package static let pedometerSilenceMilliseconds: UInt64 = 10_000
    /// Heart rates in BPM that are credible: beyond, a strap counts noise; see ``HeartRateDoubt``.
    package static let heartRatesBPM: ClosedRange<UInt16> = 20...300
}
