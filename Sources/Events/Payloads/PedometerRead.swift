/// A pedometer gave its count, or a foot pod its rate.
@frozen
public struct PedometerRead: EventPayload {
    /// What the device gave.
    @frozen
    public enum Reading: Hashable, Sendable {
        /// A cumulative count of steps, 0 to 2^53 - 1.
        case counter(UInt64)
        /// A characteristic's value, exactly as it came.
        case characteristic(CharacteristicCode, [UInt8])
    }

    /// The pedometer.
    public var device: DeviceID
    /// What it gave.
    public var reading: Reading
    /// Cumulative distance, if the device gives one with the count.
    public var distanceMillimetres: UInt64?

    /// Makes the payload; without an argument a blank one.
    @inlinable
    public init(
        device: DeviceID = .blank, reading: Reading = .counter(0),
        distanceMillimetres: UInt64? = nil
    ) {
        (self.device, self.reading) = (device, reading)
        self.distanceMillimetres = distanceMillimetres
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    @inlinable
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        var form = PedometerForm.counter
        var count: UInt64 = 0
        var value: [UInt8] = []
        switch reading {
        case .counter(let given): count = given
        case .characteristic(let code, let given):
            guard let known = PedometerForm(rawValue: code.rawValue) else {
                throw FieldError(.outOfRange, field: "form")
            }
            (form, value) = (known, given)
        }
        try coder.pedometerRead(&device, &form, &count, &value, &distanceMillimetres)
        let code = CharacteristicCode(rawValue: form.rawValue)
        reading = code.map { .characteristic($0, value) } ?? .counter(count)
    }
}

/// The fields of a `pedometerRead` where they stand: see ``EventView/pedometerFields``.
@frozen
public struct PedometerFields: FieldsInPlace, Sendable {
    /// The pedometer.
    public var device: DeviceID
    /// In what form it gave its reading.
    public var form: PedometerForm
    /// The cumulative count of steps, 0 to 2^53 - 1; of a characteristic 0.
    public var count: UInt64
    /// The place in the payload of the characteristic's value; of a counter empty.
    public var value: Range<Int>
    /// Cumulative distance, if the device gives one with the count.
    public var distanceMillimetres: UInt64?

    @inlinable
    init(
        device: DeviceID = .blank, form: PedometerForm = .counter, count: UInt64 = 0,
        value: Range<Int> = 0..<0, distanceMillimetres: UInt64? = nil
    ) {
        (self.device, self.form, self.count, self.value) = (device, form, count, value)
        self.distanceMillimetres = distanceMillimetres
    }

    @inlinable
    @inline(__always)
    mutating func code(_ coder: inout some LayoutCoder<Range<Int>>) throws(FieldError) {
        try coder.pedometerRead(&device, &form, &count, &value, &distanceMillimetres)
    }
}

extension EventView {
    /// The fields of a pedometer's reading; nil for every other kind and version, and for a payload
    /// that cannot be decoded.
    @inlinable
    @inline(__always)
    public var pedometerFields: PedometerFields? {
        if place.record.form == .reading { return place.record.reading }
        return header.kind == .pedometerRead ? fields(PedometerFields()) : nil
    }
}

extension LayoutCoder {
    /// A pedometer's reading: a counter has a count, a characteristic a value.
    @inlinable
    @inline(__always)
    mutating func pedometerRead(
        _ device: inout DeviceID, _ form: inout PedometerForm, _ count: inout UInt64,
        _ value: inout Bytes, _ distanceMillimetres: inout UInt64?
    ) throws(FieldError) {
        try self.device("device", &device)
        try code("form", &form)
        switch form {
        case .counter: try unsigned("count", &count, in: FieldRange.unsigned)
        case .runningSpeedCadenceMeasurement, .infiniTimeStepCount:
            try bytes("value", &value, limit: EventLimit.valueBytes)
        }
        try optionalUnsigned("distanceMillimetres", &distanceMillimetres)
    }
}

/// A pedometer sent a value longer than ATT allows; its beginning is kept.
public struct PedometerValueCut: EventPayload {
    /// The pedometer.
    public var device: DeviceID
    /// The characteristic.
    public var characteristic: CharacteristicCode
    /// How many bytes came.
    public var fullLength: UInt64
    /// The first 512 of them.
    public var value: [UInt8]

    /// Makes the payload; without an argument a blank one.
    public init(
        device: DeviceID = .blank,
        characteristic: CharacteristicCode = .runningSpeedCadenceMeasurement,
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
        try coder.code("form", &characteristic)
        guard characteristic.rawValue >= PedometerForm.runningSpeedCadenceMeasurement.rawValue
        else { throw FieldError(.outOfRange, field: "form") }
        try coder.unsigned("fullLength", &fullLength, in: FieldRange.unsigned)
        try coder.bytes("value", &value, limit: EventLimit.valueBytes)
    }
}

/// Another pedometer counts from now on; the only fact that folds of steps need of devices.
public struct PedometerChosen: EventPayload {
    /// The pedometer, or nil if none counts.
    public var device: DeviceID?
    /// Steps for one count of a foot pod's cadence: 1 or 2.
    public var stepsPerCadenceCount: UInt8

    /// Makes the payload; without an argument a blank one.
    public init(device: DeviceID? = nil, stepsPerCadenceCount: UInt8 = 1) {
        (self.device, self.stepsPerCadenceCount) = (device, stepsPerCadenceCount)
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.optionalDevice("device", &device)
        try coder.byte("stepsPerCadenceCount", &stepsPerCadenceCount, in: 1...2)
    }
}

/// The form of a pedometer's reading: 0, or the number of a characteristic.
@frozen
public enum PedometerForm: UInt8, CodedName {
    /// A cumulative count of steps.
    case counter = 0
    /// 0x2A53, Bluetooth RSCS 1.0, 3.1.
    case runningSpeedCadenceMeasurement = 5
    /// InfiniTime's step count.
    case infiniTimeStepCount = 6

    /// The names in the JSON form, in the order of the cases.
    public static let names = ["counter", "runningSpeedCadenceMeasurement", "infiniTimeStepCount"]
}

extension EventKind {
    /// The number of ``PedometerRead``.
    @inlinable public static var pedometerRead: EventKind { EventKind(rawValue: 0x61) }
    /// The number of ``PedometerChosen``.
    @inlinable public static var pedometerChosen: EventKind { EventKind(rawValue: 0x66) }
    /// The number of ``PedometerValueCut``.
    @inlinable public static var pedometerValueCut: EventKind { EventKind(rawValue: 0x67) }
}
