package import Events

extension Event {
    /// A value that a device sent.
    ///
    /// - Parameters:
    ///   - device: Which one.
    ///   - value: The value's bytes.
    ///   - characteristic: Whose value.
    /// - Returns: The event.
    package static func notified(
        _ device: DeviceID, _ value: [UInt8],
        of characteristic: CharacteristicCode = .heartRateMeasurement
    ) -> Event {
        .characteristicNotified(
            CharacteristicNotified(device: device, characteristic: characteristic, value: value))
    }

    /// What a counter of steps shows.
    ///
    /// - Parameters:
    ///   - device: Which one.
    ///   - count: Its steps.
    ///   - distance: Its distance, in millimetres.
    /// - Returns: The event.
    package static func counted(
        _ device: DeviceID, _ count: UInt64, distance: UInt64? = nil
    ) -> Event {
        .pedometerRead(
            PedometerRead(
                device: device, reading: .counter(count), distanceMillimetres: distance))
    }
}

extension Stamp {
    /// Both clocks in milliseconds, in the first boot unless another one is said.
    package init(boot: UInt64, wall: Int64, number: UInt32 = 0) {
        self.init(bootMilliseconds: boot, wallMilliseconds: wall, bootNumber: number)
    }
}

extension EventHeader {
    /// The envelope of an event of the log itself, in version 1, unless something else is said.
    package init(
        _ kind: EventKind, _ stamp: Stamp, at position: Position = 0, flags: EventFlags = [],
        source: UInt32 = 0, version: UInt16 = 1
    ) {
        self.init(
            position: position, source: source, stamp: stamp, flags: flags, kind: kind,
            version: version)
    }
}

extension PositionFixed {
    /// A fix in 10⁻⁷ degrees, with lengths and speeds in millimetres, and its UTC milliseconds.
    package init(
        north: Int64, east: Int64, height: Int64? = nil, within error: UInt64? = nil,
        speed: UInt64? = nil, satellites: UInt64? = nil, at time: Int64? = nil
    ) {
        self.init(
            latitudeE7: north, longitudeE7: east, altitudeMillimetres: height,
            accuracyMillimetres: error, speedMillimetresPerSecond: speed, satellites: satellites,
            fixedAtMilliseconds: time)
    }
}
