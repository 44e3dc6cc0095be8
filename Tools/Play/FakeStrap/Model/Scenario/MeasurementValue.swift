/// Values as straps send them.
enum MeasurementValue {
    /// A heart rate (Bluetooth HRS 1.0, 3.1.1).
    ///
    /// - Parameters:
    ///   - bpm: Beats per minute, at most 255 unless the form is wide.
    ///   - rrMilliseconds: The intervals between beats, in ms; none for none.
    ///   - hasContact: Whether the skin is felt; nil if the strap cannot tell.
    ///   - energyKilojoules: The energy since the last reset; nil for none.
    ///   - isWide: Whether the rate takes two bytes; nil if it does where it has to.
    /// - Returns: The value.
    static func heartRate(
        bpm: UInt16, rrMilliseconds: [Double] = [], hasContact: Bool? = nil,
        energyKilojoules: UInt16? = nil, isWide: Bool? = nil
    ) -> [UInt8] {
        let isWide = isWide ?? (bpm > 255)
        var flags: UInt8 = isWide ? 0x01 : 0
        if let hasContact { flags |= hasContact ? 0x06 : 0x04 }
        if energyKilojoules != nil { flags |= 0x08 }
        if !rrMilliseconds.isEmpty { flags |= 0x10 }
        var value = [flags] + (isWide ? bytes(bpm) : [UInt8(truncatingIfNeeded: bpm)])
        if let energyKilojoules { value += bytes(energyKilojoules) }
        for interval in rrMilliseconds { value += bytes(UInt16(clamped: interval * 1.024)) }
        return value
    }

    /// A running speed and cadence (Bluetooth RSCS 1.0, 3.1.1).
    ///
    /// - Parameters:
    ///   - speed: Metres per second.
    ///   - cadence: Steps per minute.
    ///   - stride: Metres; nil for none.
    ///   - distance: Metres since the last reset; nil for none.
    ///   - isRunning: Whether it is running and not walking.
    /// - Returns: The value.
    static func running(
        speed: Double, cadence: Double, stride: Double? = nil, distance: Double? = nil,
        isRunning: Bool = true
    ) -> [UInt8] {
        var flags: UInt8 = isRunning ? 0x04 : 0
        if stride != nil { flags |= 0x01 }
        if distance != nil { flags |= 0x02 }
        var value = [flags] + bytes(UInt16(clamped: speed * 256)) + [UInt8(clamped: cadence)]
        if let stride { value += bytes(UInt16(clamped: stride * 100)) }
        if let distance { value += bytes(UInt32(clamped: distance * 10)) }
        return value
    }

    /// An integer, its lowest byte first.
    private static func bytes<Integer: FixedWidthInteger>(_ integer: Integer) -> [UInt8] {
        (0..<Integer.bitWidth / 8).map { UInt8(truncatingIfNeeded: integer >> ($0 * 8)) }
    }
}

extension FixedWidthInteger {
    /// The nearest integer that there is.
    fileprivate init(clamped number: Double) {
        let rounded = number.rounded()
        self = rounded <= Double(Self.min) ? .min : Self(exactly: rounded) ?? .max
    }
}
