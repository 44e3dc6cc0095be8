public import Events
internal import Text

/// The units in which a walker reads figures; what is stored is metric, in whole numbers.
///
/// An international mile has 1,609.344 m, a foot 304.8 mm, a pound 453.59237 g (NIST SP 811, B.8).
public struct Units: Hashable, Sendable {
    /// Kilometres, metres and kilograms.
    public static let metric = Units(Preferences())

    private let length: LengthUnit
    private let mass: MassUnit

    /// The units of what somebody wants; a unit that this version does not know is metric.
    public init(_ preferences: Preferences) {
        length = preferences.lengthUnit.known ?? .kilometres
        mass = preferences.massUnit.known ?? .kilograms
    }

    /// What long distances are counted in, after a number: `km`.
    public var distanceName: String { length == .kilometres ? "km" : "miles" }
    /// The one thing of it: `kilometre`.
    public var distanceNoun: String { length == .kilometres ? "kilometre" : "mile" }
    /// What heights are counted in, after a number: `m`.
    public var climbName: String { length == .kilometres ? "m" : "ft" }
    /// What a pace is a time for: `/km`.
    public var paceName: String { length == .kilometres ? "/km" : "/mile" }
    /// One of what long distances are counted in, in millimetres.
    public var distanceMillimetres: UInt64 { length == .kilometres ? 1_000_000 : 1_609_344 }

    /// What people are weighed in, in words: `kilograms`.
    public var weightName: String { mass == .kilograms ? "kilograms" : "pounds" }

    /// A distance with two decimals, rounded half up, without its unit: `4.62`.
    public func distanceNumber(_ millimetres: UInt64) -> String {
        let hundredths = UInt64(
            clamping: Self.rounded(millimetres, by: 100, over: distanceMillimetres))
        let decimals = hundredths % 100
        return "\(hundredths / 100).\(decimals < 10 ? "0" : "")\(decimals)"
    }

    /// A distance with two decimals, rounded half up: `4.62 km`, `2.87 miles`.
    public func distance(_ millimetres: UInt64) -> String {
        "\(distanceNumber(millimetres)) \(distanceName)"
    }

    /// The time of one kilometre or mile, in milliseconds; nil where nobody moved.
    public func paceMilliseconds(_ millimetres: UInt64?, _ milliseconds: UInt64) -> UInt64? {
        guard let millimetres, millimetres > 0, milliseconds > 0 else { return nil }
        let time = UInt128(milliseconds) * UInt128(distanceMillimetres) / UInt128(millimetres)
        return UInt64(clamping: time)
    }

    /// Time for one kilometre or mile: `13:34 /km`; nil where nobody moved.
    public func pace(_ millimetres: UInt64?, _ milliseconds: UInt64) -> String? {
        paceMilliseconds(millimetres, milliseconds).map { "\(TimeText.duration($0)) \(paceName)" }
    }

    /// A height or a short way, rounded half up, without its unit: `1,204`.
    public func climbNumber(_ millimetres: UInt64) -> String {
        guard length == .miles else { return wholeMetres(millimetres) }
        return grouped(UInt64(clamping: Self.rounded(millimetres, by: 10, over: 3_048)))
    }

    /// A height or a short way, rounded half up: `43 m`, `141 ft`.
    public func climb(_ millimetres: UInt64) -> String {
        "\(climbNumber(millimetres)) \(climbName)"
    }

    /// A person's height: `180 cm`, `5 ft 11 in`.
    public func stature(_ millimetres: UInt64) -> String {
        guard length == .miles else { return "\(decimal(hundredths: millimetres * 10)) cm" }
        let inches = UInt64(clamping: Self.rounded(millimetres, by: 10, over: 254))
        return "\(inches / 12) ft \(inches % 12) in"
    }

    /// A person's weight: `75 kg`, `165.3 lb`.
    public func weight(_ grams: UInt64) -> String {
        guard mass == .pounds else { return "\(decimal(hundredths: (grams + 5) / 10)) kg" }
        let tenths = UInt64(clamping: Self.rounded(grams, by: 1_000_000, over: 45_359_237))
        return "\(decimal(hundredths: tenths * 10)) lb"
    }

    private static func rounded(
        _ value: UInt64, by factor: UInt64, over divisor: UInt64
    ) -> UInt128 {
        (UInt128(value) * UInt128(factor) * 2 + UInt128(divisor)) / (2 * UInt128(divisor))
    }
}
