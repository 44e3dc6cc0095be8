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
    /// A height in metres as millimetres; nil beyond 100 km either way, where nobody walks.
    package var altitudeMillimetres: Int64? {
        whole(timesTenTo: 3).flatMap { $0.magnitude <= 100_000_000 ? $0 : nil }
    }
}
