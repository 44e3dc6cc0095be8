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
