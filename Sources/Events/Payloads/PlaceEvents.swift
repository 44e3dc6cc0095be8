/// A position was determined.
@frozen
public struct PositionFixed: EventPayload {
    /// Degrees north times 10^7.
    public var latitudeE7: Int64
    /// Degrees east times 10^7.
    public var longitudeE7: Int64
    /// Height above the ellipsoid or the sea, as the source gives it.
    public var altitudeMillimetres: Int64?
    /// Horizontal accuracy.
    public var accuracyMillimetres: UInt64?
    /// Speed over ground.
    public var speedMillimetresPerSecond: UInt64?
    /// Satellites used.
    public var satellites: UInt64?
    /// UTC of the fix in milliseconds since 1970.
    public var fixedAtMilliseconds: Int64?

    /// Makes the payload; without an argument a blank one.
    @inlinable
    public init(
        latitudeE7: Int64 = 0, longitudeE7: Int64 = 0, altitudeMillimetres: Int64? = nil,
        accuracyMillimetres: UInt64? = nil, speedMillimetresPerSecond: UInt64? = nil,
        satellites: UInt64? = nil, fixedAtMilliseconds: Int64? = nil
    ) {
        (self.latitudeE7, self.longitudeE7) = (latitudeE7, longitudeE7)
        self.altitudeMillimetres = altitudeMillimetres
        self.accuracyMillimetres = accuracyMillimetres
        (self.speedMillimetresPerSecond, self.satellites) = (speedMillimetresPerSecond, satellites)
        self.fixedAtMilliseconds = fixedAtMilliseconds
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    @inlinable
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try code(
            &coder, latitudes: -900_000_000...900_000_000,
            longitudes: -1_800_000_000...1_800_000_000)
    }

    /// The layout, with the coordinates that are taken.
    @inlinable
    mutating func code(
        _ coder: inout some LayoutCoder, latitudes: ClosedRange<Int64>,
        longitudes: ClosedRange<Int64>
    ) throws(FieldError) {
        try coder.signed("latitudeE7", &latitudeE7, in: latitudes)
        try coder.signed("longitudeE7", &longitudeE7, in: longitudes)
        try coder.optionalSigned("altitudeMillimetres", &altitudeMillimetres)
        try coder.optionalUnsigned("accuracyMillimetres", &accuracyMillimetres)
        try coder.optionalUnsigned("speedMillimetresPerSecond", &speedMillimetresPerSecond)
        try coder.optionalUnsigned("satellites", &satellites)
        try coder.optionalSigned("fixedAtMilliseconds", &fixedAtMilliseconds)
    }
}

extension PositionFixed: FieldsInPlace {
    /// As a dense body has them: coordinates that are nowhere on Earth are told there as well.
    @inlinable
    mutating func code(_ coder: inout some LayoutCoder<Range<Int>>) throws(FieldError) {
        try code(&coder, latitudes: FieldRange.signed, longitudes: FieldRange.signed)
    }
}

extension PositionFixed {
    /// Whether a payload can hold these numbers.
    @inlinable var isWithinLimits: Bool {
        let limit = UInt64(BlockCursor.numberLimit)
        return accuracyMillimetres ?? 0 < limit && speedMillimetresPerSecond ?? 0 < limit
            && satellites ?? 0 < limit
    }
}

extension EventView {
    /// The fields of a position; nil for every other kind and version, and for a payload that
    /// cannot be decoded.
    ///
    /// Its coordinates may be nowhere on Earth.
    @inlinable public var fix: PositionFixed? {
        if place.record.form == .fix {
            return place.record.fix.isWithinLimits ? place.record.fix : nil
        }
        return header.kind == .positionFixed ? fields(PositionFixed()) : nil
    }
}

/// How far off the heights of the fixes are that come from now on, as their source says: it is told
/// again once it has changed by a quarter.
public struct HeightErrorTold: EventPayload {
    /// The error of a height.
    public var errorMillimetres: UInt64

    /// Makes the payload; without an argument a blank one.
    public init(errorMillimetres: UInt64 = 0) { self.errorMillimetres = errorMillimetres }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.unsigned("errorMillimetres", &errorMillimetres, in: FieldRange.unsigned)
    }
}

extension EventKind {
    /// The number of ``PositionFixed``.
    @inlinable public static var positionFixed: EventKind { EventKind(rawValue: 0xA1) }
    /// The number of ``HeightErrorTold``.
    @inlinable public static var heightErrorTold: EventKind { EventKind(rawValue: 0xA2) }
}
