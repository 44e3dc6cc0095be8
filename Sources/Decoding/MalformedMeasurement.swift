/// The bytes of a characteristic do not form the measurement they claim to be.
///
/// A value for programs to match (``code``, ``field``, ``offset``) and a sentence for people
/// (``description``). It carries no bytes: whoever decodes has them, and they stay in the log.
@frozen
public struct MalformedMeasurement: Error, Hashable, BitwiseCopyable {
    /// What is wrong.
    public let code: Code

    /// The field that could not be read.
    public let field: Field

    /// The byte at which reading stopped, counted from 0.
    ///
    /// For ``Code/truncated`` it is the length of the value: the first byte that is missing.
    /// For the other codes it is the first byte that is wrong.
    public let offset: Int

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: What is wrong.
    ///   - field: The field that could not be read.
    ///   - offset: The byte at which reading stopped, counted from 0.
    @inlinable
    public init(code: Code, field: Field, offset: Int) {
        (self.code, self.field, self.offset) = (code, field, offset)
    }
}

extension MalformedMeasurement {
    /// The ways in which a value can be malformed.
    ///
    /// The raw values are part of the program's output and do not change.
    @frozen
    public enum Code: String, CaseIterable, Sendable, BitwiseCopyable {
        /// The value ends before the field does.
        case truncated

        /// The field holds a number that its specification excludes.
        case outOfRange

        /// The field is text, but not UTF-8.
        case invalidUTF8

        /// The value is longer than an attribute can be.
        case tooLong
    }

    /// The fields that can be malformed.
    ///
    /// RR intervals are not among them: they fill whatever is left of a value, so that none can be
    /// missing, and half an interval is counted by ``HeartRateMeasurement/trailingByteCount``. The
    /// raw values are part of the program's output and do not change.
    @frozen
    public enum Field: String, CaseIterable, Sendable, BitwiseCopyable {
        /// The first byte of a measurement; it announces the fields that follow.
        case flags

        /// Beats per minute, of ``HeartRateMeasurement``.
        case heartRate

        /// Kilojoules, of ``HeartRateMeasurement``.
        case energyExpended

        /// The number of a body site, of ``BodySensorLocation``.
        case bodySensorLocation

        /// Percent, of ``BatteryLevel``.
        case batteryLevel

        /// Text, of ``ManufacturerName``.
        case manufacturerName

        /// Metres per second, of ``RunningSpeedCadenceMeasurement``.
        case speed

        /// Steps per minute, of ``RunningSpeedCadenceMeasurement``.
        case cadence

        /// Centimetres, of ``RunningSpeedCadenceMeasurement``.
        case strideLength

        /// Decimetres, of ``RunningSpeedCadenceMeasurement``.
        case totalDistance

        /// Steps of the day, of ``InfiniTimeStepCount``.
        case stepCount
    }
}

extension MalformedMeasurement: CustomStringConvertible {
    /// What happened and what to do, in one line without a final full stop.
    public var description: String {
        switch code {
        case .truncated:
            """
            the value ends at byte \(offset), before the field \(field.rawValue) is complete; \
            if every value of this device ends early, check that the bytes are from this \
            characteristic, then report them with the device's model
            """
        case .outOfRange:
            """
            the field \(field.rawValue) at byte \(offset) holds a number that its specification \
            excludes; check that the bytes are from this characteristic, then report them with \
            the device's model
            """
        case .invalidUTF8:
            """
            the field \(field.rawValue) is not UTF-8 from byte \(offset) on; the device keeps \
            its text in another encoding, and only its bytes can be shown
            """
        case .tooLong:
            """
            the field \(field.rawValue) goes on at byte \(offset), where the longest attribute \
            ends; no device can have sent it in one value, so look for a fault in the capture
            """
        }
    }
}
