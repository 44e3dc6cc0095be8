/// A strap sent a value.
@frozen
public struct CharacteristicNotified: EventPayload {
    /// The strap.
    public var device: DeviceID
    /// The characteristic.
    public var characteristic: CharacteristicCode
    /// The value's bytes, exactly as they came.
    public var value: [UInt8]

    /// Makes the payload; without an argument a blank one.
    @inlinable
    public init(
        device: DeviceID = .blank, characteristic: CharacteristicCode = .heartRateMeasurement,
        value: [UInt8] = []
    ) {
        (self.device, self.characteristic, self.value) = (device, characteristic, value)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    @inlinable
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.heartValue(&device, &characteristic, &value)
    }
}

/// A value was read from a strap.
public typealias CharacteristicRead = CharacteristicNotified

/// A strap sent a value longer than ATT allows; its beginning is kept.
public struct ValueCut: EventPayload {
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
        device: DeviceID = .blank, characteristic: CharacteristicCode = .heartRateMeasurement,
        fullLength: UInt64 = 0, value: [UInt8] = []
    ) {
        (self.device, self.characteristic, self.fullLength) = (device, characteristic, fullLength)
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

/// The fields of a `characteristicNotified` or `characteristicRead` where they stand: see
/// ``EventView/heartFields``.
@frozen
public struct HeartFields: FieldsInPlace, Sendable {
    /// The strap.
    public var device: DeviceID
    /// The characteristic.
    public var characteristic: CharacteristicCode
    /// The place in the payload of the value's bytes, exactly as they came.
    public var value: Range<Int>

    /// Where a value begins whose length takes one byte, up to 127 bytes; of a pedometer as well.
    @inlinable public static var shortValueOffset: Int { 9 }

    @inlinable
    init(
        device: DeviceID = .blank, characteristic: CharacteristicCode = .heartRateMeasurement,
        value: Range<Int> = 0..<0
    ) {
        (self.device, self.characteristic, self.value) = (device, characteristic, value)
    }

    @inlinable
    @inline(__always)
    mutating func code(_ coder: inout some LayoutCoder<Range<Int>>) throws(FieldError) {
        try coder.heartValue(&device, &characteristic, &value)
    }
}

extension EventView {
    /// The fields of a strap's value, notified or read; nil for every other kind and version, and
    /// for a payload that cannot be decoded.
    @inlinable
    @inline(__always)
    public var heartFields: HeartFields? {
        if place.record.form == .heart { return place.record.heart }
        guard header.kind == .characteristicNotified || header.kind == .characteristicRead else {
            return nil
        }
        return shortMeasurement ?? otherHeartFields
    }

    /// The same by the layout; apart, for it takes much code.
    @usableFromInline
    @inline(never)
    var otherHeartFields: HeartFields? { fields(HeartFields()) }

    /// The fields of a measurement of at most 127 bytes, or nil where the layout has to decide.
    ///
    /// Nearly every event is one, and this takes a third of the steps that the layout takes: folds
    /// are a little faster for it, and bulk appends several percent.
    @inlinable
    @inline(__always)
    var shortMeasurement: HeartFields? {
        let start = HeartFields.shortValueOffset
        let payload = place.record.bytes
        guard header.version == 1, payload.count >= start else { return nil }
        let head = payload.firstWord
        let length = payload[start &- 1]
        guard head &>> 56 == UInt64(CharacteristicCode.heartRateMeasurement.rawValue),
            length < 0x80, Int(length) == payload.count &- start,
            let device = DeviceID(word: head & 0xFF_FFFF_FFFF_FFFF)
        else { return nil }
        return HeartFields(device: device, value: start..<payload.count)
    }
}

extension LayoutCoder {
    /// A strap's value.
    @inlinable
    @inline(__always)
    mutating func heartValue(
        _ device: inout DeviceID, _ characteristic: inout CharacteristicCode,
        _ value: inout Bytes
    ) throws(FieldError) {
        try self.device("device", &device)
        try heartCharacteristic(&characteristic)
        try bytes("value", &value, limit: EventLimit.valueBytes)
    }

    /// A characteristic of the heart lane: never one that counts steps.
    @inlinable
    @inline(__always)
    mutating func heartCharacteristic(
        _ value: inout CharacteristicCode
    ) throws(FieldError) {
        try code("characteristic", &value)
        guard value.rawValue <= CharacteristicCode.batteryLevel.rawValue else {
            throw FieldError(.outOfRange, field: "characteristic")
        }
    }
}

extension EventKind {
    /// The number of ``CharacteristicNotified``.
    @inlinable public static var characteristicNotified: EventKind { EventKind(rawValue: 0x41) }
    /// The number of ``CharacteristicRead``.
    @inlinable public static var characteristicRead: EventKind { EventKind(rawValue: 0x42) }
    /// The number of ``ValueCut``.
    @inlinable public static var valueCut: EventKind { EventKind(rawValue: 0x43) }
}
