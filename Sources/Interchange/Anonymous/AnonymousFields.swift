internal import Events
internal import Projections

/// Reads a payload's fields, and gives stand-ins for those that show whose they are.
///
/// A text that is not known to be harmless goes, so that a field which a later version adds gives
/// nothing away; numbers, codes and measured bytes stay.
struct AnonymousFields: FieldCoder, Sendable {
    /// Reads the fields as they are.
    var source: PayloadReader
    /// By how much more the wall clock of this event is moved than that of the event before.
    var stepMilliseconds: Int64 = 0

    private let days: Int64
    private var standIns = StandIns()
    /// The first position's longitude, which becomes 0, and altitude, which becomes 4 km.
    ///
    /// What no receiver found, 0/0 and heights where nobody stands, is neither.
    private var longitudeE7: Int64?
    private var altitudeMillimetres: Int64?
    /// Where walks end up between the lowest and the highest place on Earth.
    private static let firstAltitudeMillimetres: Int64 = 4_000_000
    /// The latitude of the position that is read.
    private var latitudeE7: Int64 = 0

    /// Makes a reader.
    ///
    /// - Parameter days: By how many days dates and times are moved.
    init(days: Int64) {
        let nothing: [UInt8] = []
        source = PayloadReader(nothing.span)
        self.days = days
    }

    /// By how much times are moved.
    var shiftMilliseconds: Int64 { days * 86_400_000 }

    // MARK: - What is replaced

    mutating func device(_ name: StaticString, _ value: inout DeviceID) throws(FieldError) {
        try source.device(name, &value)
        value = standIns.device(value)
    }

    mutating func text(
        _ name: StaticString, _ value: inout String, limit: Int
    ) throws(FieldError) {
        try source.text(name, &value, limit: limit)
        value = standIns.text(value, in: "\(name)")
    }

    mutating func fixedBytes(
        _ name: StaticString, _ value: inout [UInt8], count: Int
    ) throws(FieldError) {
        try source.fixedBytes(name, &value, count: count)
        value = standIns.identity(value)
    }

    mutating func date(_ name: StaticString, _ value: inout CivilDate) throws(FieldError) {
        try source.date(name, &value)
        let moved = (value.daysSinceEpoch + days).clamped(to: CivilDate.validDays)
        value = CivilDate(daysSinceEpoch: moved) ?? .epoch
    }

    mutating func signed(
        _ name: StaticString, _ value: inout Int64, in range: ClosedRange<Int64>
    ) throws(FieldError) {
        try source.signed(name, &value, in: range)
        let name = "\(name)"
        if name.hasSuffix("AtMilliseconds") || name.hasSuffix("UntilMilliseconds") {
            value += shiftMilliseconds
        } else if name == "stepMilliseconds" {
            // Otherwise the way from a clock that was never set to a date would tell the date.
            value += stepMilliseconds
        } else if name == "latitudeE7" {
            latitudeE7 = value
        } else if name == "longitudeE7", latitudeE7 != 0 || value != 0 {
            value = turned(value)
        } else if name == "altitudeMillimetres" {
            value = moved(altitude: value)
        }
        value = value.clamped(to: range)
    }

    /// Moves a height with the first one; of one where nobody stands nothing but that is left.
    private mutating func moved(altitude value: Int64) -> Int64 {
        guard Plausibility.altitudeMillimetres.contains(value) else { return -9_999_000 }
        altitudeMillimetres = altitudeMillimetres ?? value
        return value - (altitudeMillimetres ?? 0) + Self.firstAltitudeMillimetres
    }

    /// Turns a longitude with the track's first one to 0.
    private mutating func turned(_ value: Int64) -> Int64 {
        let halfTurn: Int64 = 1_800_000_000
        longitudeE7 = longitudeE7 ?? value
        let turned = value - (longitudeE7 ?? 0)
        if turned > halfTurn { return turned - 2 * halfTurn }
        return turned < -halfTurn ? turned + 2 * halfTurn : turned
    }

    // MARK: - What stays

    mutating func unsigned(
        _ name: StaticString, _ value: inout UInt64, in range: ClosedRange<UInt64>
    ) throws(FieldError) {
        try source.unsigned(name, &value, in: range)
    }

    mutating func byte(
        _ name: StaticString, _ value: inout UInt8, in range: ClosedRange<UInt8>
    ) throws(FieldError) {
        try source.byte(name, &value, in: range)
    }

    mutating func bytes(
        _ name: StaticString, _ value: inout [UInt8], limit: Int
    ) throws(FieldError) {
        try source.bytes(name, &value, limit: limit)
    }
}
