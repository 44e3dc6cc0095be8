/// What legs can do: how much a number from outside may be in the time that it covers.
public enum Plausibility {
    /// The most steps of a minute: sprinters make 4.5 to 5 a second (World Athletics, biomechanical
    /// report for the 100 m of London 2017).
    public static let stepsPerMinute: UInt64 = 5 * 60
    /// The most steps of a day: what runners of 24 hours make, some 320 km of 1.6 m.
    public static let stepsPerDay: UInt64 = 200_000
}
