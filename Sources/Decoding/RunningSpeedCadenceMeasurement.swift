/// One notification of a foot pod: the RSC Measurement characteristic, 0x2A53.
///
/// Bluetooth RSCS 1.0, 3.1. The layout is:
///
/// | bytes | field | present |
/// |---|---|---|
/// | 1 | flags | always |
/// | 2 | speed, 1/256 m/s | always |
/// | 1 | cadence, per minute | always |
/// | 2 | stride length, cm | if flags bit 0 is set |
/// | 4 | total distance, 1/10 m | if flags bit 1 is set |
///
/// It is a rate, not a count: steps are its integral over time, and that is the fold's work.
@frozen
public struct RunningSpeedCadenceMeasurement: Hashable, Sendable, BitwiseCopyable {
    /// The first byte, with its reserved bits 3 to 7, which are ignored.
    public let flags: UInt8

    /// The speed, 0...65,535 in 1/256 m/s.
    public let speed256thsMetresPerSecond: UInt16

    /// The cadence, 0...255 per minute.
    ///
    /// The service describes it as hits of *the foot with the sensor*, half of the steps, but
    /// devices differ. The number is kept as sent.
    public let cadencePerMinute: UInt8

    /// The distance between two hits of the same foot, 0...65,535 cm, or `nil` if not in this
    /// value.
    public let strideLengthCentimetres: UInt16?

    /// The distance since the last reset of the pod, in 1/10 m, or `nil` if not in this value.
    ///
    /// It is cumulative, 0...4,294,967,295, and may restart or wrap.
    public let totalDistanceDecimetres: UInt32?

    /// A finding: how many bytes at the end belong to no field that the flags announce.
    public let trailingByteCount: Int

    /// Decodes one notification value.
    ///
    /// - Parameter value: The characteristic value, exactly as the pod sent it.
    /// - Throws: ``MalformedMeasurement`` if `value` ends before a field its flags announce.
    @inlinable
    public init(decoding value: Span<UInt8>) throws(MalformedMeasurement) {
        var offset = 0
        flags = try value.uint8(.flags, at: &offset)
        speed256thsMetresPerSecond = try value.uint16(.speed, at: &offset)
        cadencePerMinute = try value.uint8(.cadence, at: &offset)

        if flags & 0b0000_0001 == 0 {
            strideLengthCentimetres = nil
        } else {
            strideLengthCentimetres = try value.uint16(.strideLength, at: &offset)
        }

        if flags & 0b0000_0010 == 0 {
            totalDistanceDecimetres = nil
        } else {
            totalDistanceDecimetres = try value.uint32(.totalDistance, at: &offset)
        }

        trailingByteCount = value.count - offset
    }

    /// Whether the wearer runs, from flags bit 2.
    ///
    /// A pod that cannot tell leaves the bit clear, so `false` means walking or not known.
    @inlinable
    public var isRunning: Bool { flags & 0b0000_0100 != 0 }
}
