package import Events
package import Projections
internal import Text

/// The units in which a walker reads figures; what is stored is metric, in whole numbers.
///
/// An international mile has 1,609.344 m, a foot 304.8 mm, a pound 453.59237 g (NIST SP 811, B.8).
package struct Units: Hashable, Sendable {
    /// Kilometres, metres and kilograms.
    package static let metric = Units(Preferences())

    /// What a long distance may be followed by where it is typed, and what one of it is.
    static let distances: [String: UInt64] = [
        "km": 1_000_000, "kilometres": 1_000_000, "mi": 1_609_344, "mile": 1_609_344,
        "miles": 1_609_344, "m": 1_000,
    ]

    /// Whether lengths are in miles and feet.
    let isInMiles: Bool
    /// Whether weights are in pounds.
    let isInPounds: Bool

    /// The units of what somebody wants; a unit that this version does not know is metric.
    package init(_ preferences: Preferences) {
        self.init(
            isInMiles: preferences.lengthUnit.known == .miles,
            isInPounds: preferences.massUnit.known == .pounds)
    }

    /// Units of lengths and of weights.
    package init(isInMiles: Bool, isInPounds: Bool = false) {
        (self.isInMiles, self.isInPounds) = (isInMiles, isInPounds)
    }

    /// What long distances are counted in, after a number: `km`.
    package var distanceName: String { isInMiles ? "miles" : "km" }
    /// The one thing of it: `kilometre`.
    package var distanceNoun: String { isInMiles ? "mile" : "kilometre" }
    /// What heights are counted in, after a number: `m`.
    package var climbName: String { isInMiles ? "ft" : "m" }
    /// What a pace is a time for: `/km`.
    package var paceName: String { isInMiles ? "/mile" : "/km" }
    /// One of what long distances are counted in, in millimetres.
    package var distanceMillimetres: UInt64 { isInMiles ? 1_609_344 : 1_000_000 }
    /// Five of what heights are counted in, in millimetres: of feet that is a whole number.
    var fiveOfClimbMillimetres: Int64 { isInMiles ? 1_524 : 5_000 }

    /// What people are weighed in, in words: `kilograms`.
    package var weightName: String { isInPounds ? "pounds" : "kilograms" }

    /// A distance with two decimals, rounded half up, without its unit: `4.62`.
    package func distanceNumber(_ millimetres: UInt64) -> String {
        let hundredths = UInt64(
            clamping: Self.rounded(millimetres, by: 100, over: distanceMillimetres))
        let decimals = hundredths % 100
        return "\(grouped(hundredths / 100)).\(decimals < 10 ? "0" : "")\(decimals)"
    }

    /// A distance with two decimals, rounded half up: `4.62 km`, `2.87 miles`.
    package func distance(_ millimetres: UInt64) -> String {
        "\(distanceNumber(millimetres)) \(distanceName)"
    }

    /// A distance without zeros at its end: `5 km`, `2.5 miles`.
    func shortDistance(_ millimetres: UInt64) -> String {
        "\(decimal(hundredths: distanceMillionths(millimetres) / 10_000)) \(distanceName)"
    }

    /// Millionths of a kilometre or mile, for axes: of kilometres millimetres.
    func distanceMillionths(_ millimetres: UInt64) -> UInt64 {
        UInt64(clamping: Self.rounded(millimetres, by: 1_000_000, over: distanceMillimetres))
    }

    /// The time of one kilometre or mile, in milliseconds; nil where nobody moved.
    package func paceMilliseconds(_ millimetres: UInt64?, _ milliseconds: UInt64) -> UInt64? {
        guard let millimetres, millimetres > 0, milliseconds > 0 else { return nil }
        let time = UInt128(milliseconds) * UInt128(distanceMillimetres) / UInt128(millimetres)
        return UInt64(clamping: time)
    }

    /// Time for one kilometre or mile: `13:34 /km`; nil where nobody moved.
    package func pace(_ millimetres: UInt64?, _ milliseconds: UInt64) -> String? {
        paceMilliseconds(millimetres, milliseconds).map { "\(TimeText.duration($0)) \(paceName)" }
    }

    /// The time of one kilometre or mile, where a kilometre takes so long.
    func pace(ofKilometre milliseconds: Int64) -> Int64 {
        let time = UInt128(milliseconds.magnitude) * UInt128(distanceMillimetres) / 1_000_000
        return Int64(clamping: time) * milliseconds.signum()
    }

    /// A height or a short way, rounded half up, without its unit: `1,204`.
    package func climbNumber(_ millimetres: UInt64) -> String {
        guard isInMiles else { return wholeMetres(millimetres) }
        return grouped(UInt64(clamping: Self.rounded(millimetres, by: 10, over: 3_048)))
    }

    /// A height or a short way, rounded half up: `43 m`, `141 ft`.
    package func climb(_ millimetres: UInt64) -> String {
        "\(climbNumber(millimetres)) \(climbName)"
    }

    /// A height above or below something, rounded half up, without its unit: `−12`.
    func heightNumber(_ millimetres: Int64) -> String {
        let number = climbNumber(millimetres.magnitude)
        return (millimetres < 0 && number != "0" ? "−" : "") + number
    }

    /// A person's height: `180 cm`, `5 ft 11 in`.
    package func stature(_ millimetres: UInt64) -> String {
        guard isInMiles else { return "\(decimal(hundredths: millimetres * 10)) cm" }
        let inches = UInt64(clamping: Self.rounded(millimetres, by: 10, over: 254))
        return "\(inches / 12) ft \(inches % 12) in"
    }

    /// A person's stride: `74.7 cm`, `29.4 in`.
    func stride(_ millimetres: UInt64) -> String {
        guard isInMiles else { return "\(decimal(hundredths: millimetres * 10)) cm" }
        let tenths = UInt64(clamping: Self.rounded(millimetres, by: 100, over: 254))
        return "\(decimal(hundredths: tenths * 10)) in"
    }

    /// A person's weight: `75 kg`, `165.3 lb`.
    package func weight(_ grams: UInt64) -> String {
        guard isInPounds else { return "\(decimal(hundredths: (grams + 5) / 10)) kg" }
        let tenths = UInt64(clamping: Self.rounded(grams, by: 1_000_000, over: 45_359_237))
        return "\(decimal(hundredths: tenths * 10)) lb"
    }

    private static func rounded(
        _ value: UInt64, by factor: UInt64, over divisor: UInt64
    ) -> UInt128 {
        (UInt128(value) * UInt128(factor) * 2 + UInt128(divisor)) / (2 * UInt128(divisor))
    }
}

extension LogState {
    /// The units in which its walker reads figures.
    package var units: Units { Units(own.recorder.preferences) }
}
