/// A strap sent a value.
@frozen
public struct CharacteristicNotified: EventPayload {
    /// The kind's number.
    public static var kind: EventKind { .characteristicNotified }
    /// The strap.
    public var device: DeviceID
    /// The characteristic.
    public var characteristic: CharacteristicCode
    /// The value's bytes, exactly as they came.
    public var value: [UInt8]

    /// Makes the payload; without an argument a blank one.
    @inlinable
    public init(
        device: DeviceID = DeviceID(address: 0, space: .public),
        characteristic: CharacteristicCode = .heartRateMeasurement, value: [UInt8] = []
    ) {
        self.device = device
        self.characteristic = characteristic
        self.value = value
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    @inlinable
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.device("device", &device)
        try coder.heartCharacteristic(&characteristic)
        try coder.bytes("value", &value, limit: EventLimit.valueBytes)
    }
}

/// A value was read from a strap.
public struct CharacteristicRead: EventPayload {
    /// The kind's number.
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

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.device("device", &device)
        try coder.heartCharacteristic(&characteristic)
        try coder.bytes("value", &value, limit: EventLimit.valueBytes)
    }
}

/// A strap sent a value longer than ATT allows; its beginning is kept.
public struct ValueCut: EventPayload {
    /// The kind's number.
    public static var kind: EventKind { .valueCut }
    /// The strap.
    public var device: DeviceID
    /// The characteristic.
    public var characteristic: CharacteristicCode
    /// How many bytes came.
    public var fullLength: UInt64
    /// The first 512 of them.
    public var value: [UInt8]

    /// Makes the payload; without an argument a blank one.
    public init(
        device: DeviceID = DeviceID(address: 0, space: .public),
        characteristic: CharacteristicCode = .heartRateMeasurement, fullLength: UInt64 = 0,
        value: [UInt8] = []
    ) {
        self.device = device
        self.characteristic = characteristic
        self.fullLength = fullLength
        self.value = value
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.device("device", &device)
        try coder.heartCharacteristic(&characteristic)
        try coder.unsigned("fullLength", &fullLength, in: FieldRange.unsigned)
        try coder.bytes("value", &value, limit: EventLimit.valueBytes)
    }
}

extension FieldCoder {
    /// A characteristic of the heart lane: never one that counts steps.
    @inlinable
    mutating func heartCharacteristic(
        _ value: inout CharacteristicCode
    ) throws(FieldError) {
        try code("characteristic", &value)
        guard value.rawValue <= CharacteristicCode.batteryLevel.rawValue else {
            throw FieldError(.outOfRange, field: "characteristic")
        }
    }
}
