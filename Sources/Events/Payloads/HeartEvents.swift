/// A strap sent a value.
public struct CharacteristicNotified: EventPayload {
    public static var kind: EventKind { .characteristicNotified }
    /// The strap.
    public var device: DeviceID
    /// The characteristic.
    public var characteristic: CharacteristicCode
    /// The value's bytes, exactly as they came.
    public var value: [UInt8]

    /// Makes the payload; without an argument a blank one.
    public init(
        device: DeviceID = DeviceID(address: 0, space: .public),
        characteristic: CharacteristicCode = .heartRateMeasurement, value: [UInt8] = []
    ) {
        self.device = device
        self.characteristic = characteristic
        self.value = value
    }

    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.device("device", &device)
        try coder.code("characteristic", &characteristic)
        try coder.bytes("value", &value, limit: EventLimit.valueBytes)
    }
}

/// A value was read from a strap.
public struct CharacteristicRead: EventPayload {
    public static var kind: EventKind { .characteristicRead }
    /// The strap.
    public var device: DeviceID
    /// The characteristic.
    public var characteristic: CharacteristicCode
    /// The value's bytes, exactly as they came.
    public var value: [UInt8]

    /// Makes the payload; without an argument a blank one.
    public init(
        device: DeviceID = DeviceID(address: 0, space: .public),
        characteristic: CharacteristicCode = .bodySensorLocation, value: [UInt8] = []
    ) {
        self.device = device
        self.characteristic = characteristic
        self.value = value
    }

    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.device("device", &device)
        try coder.code("characteristic", &characteristic)
        try coder.bytes("value", &value, limit: EventLimit.valueBytes)
    }
}
