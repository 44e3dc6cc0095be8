package import Events

extension PositionFixed {
    /// A fix of coordinates as text has them, rounded to 10^-7 degrees, about a centimetre; nil if
    /// that is nowhere on Earth.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north.
    ///   - longitude: Degrees east.
    package init?(degreesNorth latitude: DecimalText, degreesEast longitude: DecimalText) {
        guard let north = latitude.whole(timesTenTo: 7), north.magnitude <= 900_000_000,
            let east = longitude.whole(timesTenTo: 7), east.magnitude <= 1_800_000_000
        else { return nil }
        self.init(latitudeE7: north, longitudeE7: east)
    }
}

extension DecimalText {
    /// An error in metres as millimetres, at most the length of the equator.
    ///
    /// One that cannot be counted must not look like none. Nil if it is 0: no receiver is exact.
    package var errorMillimetres: UInt64? {
        let equator: Int64 = 40_075_017_000
        let error = min(whole(timesTenTo: 3) ?? equator, equator)
        return error > 0 && !isNegative ? UInt64(error) : nil
    }

    /// A speed as millimetres a second; nil below 0, and beyond 1 km/s, where no receiver may work.
    ///
    /// - Parameter metresPerHour: Its unit: 3,600 for m/s.
    /// - Returns: The speed, rounded.
    package func millimetresPerSecond(metresPerHour: Int64 = 3_600) -> UInt64? {
        guard let thousandths = whole(timesTenTo: 3), (0...10_000_000).contains(thousandths)
        else { return nil }
        let speed = (thousandths * metresPerHour + 1_800) / 3_600
        return speed <= 1_000_000 ? UInt64(speed) : nil
    }

    /// A height in metres as millimetres; nil beyond 100 km either way, where nobody walks.
    package var altitudeMillimetres: Int64? {
        whole(timesTenTo: 3).flatMap { $0.magnitude <= 100_000_000 ? $0 : nil }
    }
}
