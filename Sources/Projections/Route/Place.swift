package import Events

/// A place on Earth, in whole numbers: the same distances on every machine.
struct Place: StatePart, Hashable, Sendable {
    /// Degrees north times 10^7, to 90 degrees.
    var latitudeE7: Int64 = 0
    /// Degrees east times 10^7, to 180 degrees.
    var longitudeE7: Int64 = 0

    private static let greatestLatitudeE7: UInt64 = 900_000_000
    private static let greatestLongitudeE7: UInt64 = 1_800_000_000

    /// 0° north, 0° east, in the Gulf of Guinea: what receivers give that know no place.
    static let nowhere = Place()

    init() {}

    /// Where a fix was; nil if that is nowhere on Earth.
    init?(_ fix: PositionFixed) {
        guard fix.latitudeE7.magnitude <= Self.greatestLatitudeE7,
            fix.longitudeE7.magnitude <= Self.greatestLongitudeE7
        else { return nil }
        latitudeE7 = fix.latitudeE7
        longitudeE7 = fix.longitudeE7
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&latitudeE7, &longitudeE7)
        try coder.require(
            latitudeE7.magnitude <= Self.greatestLatitudeE7
                && longitudeE7.magnitude <= Self.greatestLongitudeE7)
    }
}

extension PositionFixed {
    /// Whether its error is given, and too great for a route.
    package var isInexact: Bool { accuracyMillimetres ?? 0 > Route.greatestErrorMillimetres }

    /// Whether two fixes are further apart than a length in millimetres; not if one of them is no
    /// place on Earth, or what receivers give that know no place.
    package func isFurther(than length: UInt64, from other: PositionFixed) -> Bool {
        guard let here = Place(self), let there = Place(other), here != .nowhere,
            there != .nowhere
        else { return false }
        guard let square = here.squaredMillimetres(to: there) else { return true }
        return square > length.times(length)
    }
}

extension Place {
    /// Beyond this many degrees times 10^7 in either direction no distance is given: 10 degrees.
    private static let farE7: UInt64 = 100_000_000

    /// The length of 10^-7 degrees of a great circle in nanometres, on a sphere of 6,371,008.8 m:
    /// the mean radius of the Earth (IUGG, GRS 80).
    ///
    /// The ellipsoid differs from it by at most 0.6 %.
    private static let nanometresPerE7: UInt64 = 11_119_508

    /// The square of the distance to another place in square millimetres.
    ///
    /// On the plane that touches the sphere at the middle latitude: over a kilometre that is exact
    /// to some millionths, nearer to a pole than 1 degree to less.
    ///
    /// - Parameter other: The other place.
    /// - Returns: The square; nil if they are more than 10 degrees apart in either direction, where
    ///   nobody walked between two fixes.
    func squaredMillimetres(to other: Place) -> UInt64? {
        let north = (other.latitudeE7 - latitudeE7).magnitude
        var east = (other.longitudeE7 - longitudeE7).magnitude
        if east > 1_800_000_000 { east = 3_600_000_000 - east }
        guard north <= Self.farE7, east <= Self.farE7 else { return nil }
        let cosine = Self.cosine((latitudeE7 + other.latitudeE7) / 2)
        let northward = (north * Self.nanometresPerE7 + 500_000) / 1_000_000
        // In micrometres up to here, so that the cosine finds digits to round.
        let eastward = (((east * Self.nanometresPerE7 / 1_000 * cosine) >> 20) + 500) / 1_000
        return northward * northward + eastward * eastward
    }

    /// How far east and north another place is in millimetres, up to ``farE7`` of each, on the
    /// plane that touches the sphere in the middle.
    func millimetres(to other: Place) -> (east: Int64, north: Int64) {
        let far = Int64(Self.farE7)
        var east = other.longitudeE7 - longitudeE7
        if east.magnitude > 1_800_000_000 { east += east > 0 ? -3_600_000_000 : 3_600_000_000 }
        east = min(max(east, -far), far) * Int64(Self.nanometresPerE7) / 1_000
        let north = min(max(other.latitudeE7 - latitudeE7, -far), far)
        let cosine = Int64(Self.cosine((latitudeE7 + other.latitudeE7) / 2))
        return (
            ((east * cosine) >> 20) / 1_000, north * Int64(Self.nanometresPerE7) / 1_000_000
        )
    }

    /// How far east and north another place is, in decimetres, on the plane that touches the sphere
    /// here; nil if it is more than 10 degrees away in either direction.
    func decimetres(to other: Place) -> (Int64, Int64)? {
        let north = other.latitudeE7 - latitudeE7
        var east = other.longitudeE7 - longitudeE7
        if east > 1_800_000_000 { east -= 3_600_000_000 }
        if east < -1_800_000_000 { east += 3_600_000_000 }
        guard max(north.magnitude, east.magnitude) <= Self.farE7 else { return nil }
        let micrometres = Int64(Self.nanometresPerE7 / 1_000)
        let eastward = (east * micrometres / 1_000 * Int64(Self.cosine(latitudeE7))) >> 20
        return (eastward / 100, north * micrometres / 100_000)
    }

    /// The cosine of a latitude, times 2^20.
    ///
    /// The first six terms of the series; it is off by less than 2^-20 between the poles.
    static func cosine(_ latitudeE7: Int64) -> UInt64 {
        // Radians times 2^30: a degree is 18,740,330 of them.
        let angle = Int64(latitudeE7.magnitude) * 18_740_330 / 10_000_000
        let square = (angle * angle) >> 30
        var sum: Int64 = 1 << 30
        // Written out, so that each divisor is known: a division takes as long as all the rest.
        sum = (1 << 30) - ((square * sum) >> 30) / 132
        sum = (1 << 30) - ((square * sum) >> 30) / 90
        sum = (1 << 30) - ((square * sum) >> 30) / 56
        sum = (1 << 30) - ((square * sum) >> 30) / 30
        sum = (1 << 30) - ((square * sum) >> 30) / 12
        sum = (1 << 30) - ((square * sum) >> 30) / 2
        return UInt64(max(0, sum >> 10))
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// The square root, rounded to the nearest whole number.
    var squareRoot: Self {
        let root = floorOfSquareRoot
        return self - root * root > root ? root + 1 : root
    }

    /// The square root, rounded down.
    var floorOfSquareRoot: Self {
        guard self > 1 else { return self }
        // Newton's steps fall from above onto the root, rounded down.
        let bits = (bitWidth - leadingZeroBitCount + 1) / 2
        // The first step from a power of two is not a division.
        var root = (1 << bits + self >> bits) / 2
        while case let next = (root + self / root) / 2, next < root { root = next }
        return root
    }
}
