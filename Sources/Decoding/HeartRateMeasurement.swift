/// One notification of the Heart Rate Measurement characteristic, 0x2A37.
///
/// Bluetooth HRS 1.0, 3.1. The layout is:
///
/// | bytes | field | present |
/// |---|---|---|
/// | 1 | flags | always |
/// | 1 or 2 | heart rate, beats per minute | always; two bytes if flags bit 0 is set |
/// | 2 | energy expended, kilojoules | if flags bit 3 is set |
/// | 2 each | RR intervals, 1/1024 s, oldest first | if flags bit 4 is set |
///
/// Decoding copies nothing and allocates nothing. The RR intervals stay where they are: the
/// measurement knows how many there are and reads each from the value on request, with
/// ``rrInterval1024ths(at:in:)``.
@frozen
public struct HeartRateMeasurement: Hashable, Sendable, BitwiseCopyable {
    /// The first byte, with its reserved bits 5 to 7, which are ignored.
    public let flags: UInt8

    /// Beats per minute, 0...65,535.
    ///
    /// Nothing is excluded here: straps send 0 when they have no reading, and the fold decides
    /// which values count.
    public let heartRateBPM: UInt16

    /// Energy since the last reset of the strap, 0...65,535 kJ, or `nil` if not in this value.
    ///
    /// Straps send it now and then, not with each beat. A strap that reaches 65,535 stays there.
    public let energyExpendedKilojoules: UInt16?

    /// How many whole RR intervals this value holds.
    ///
    /// 0 is valid also when the flags announce RR intervals: a strap between two beats.
    public let rrIntervalCount: Int

    /// A finding: how many bytes at the end belong to no field.
    ///
    /// 0 for a well-formed value. With flags bit 4 set it is at most 1, half an RR interval; with
    /// the bit clear it counts everything after the last announced field.
    public let trailingByteCount: Int

    /// Where the first RR interval starts, 2...5.
    @usableFromInline
    let rrOffset: Int

    /// Decodes one notification value.
    ///
    /// - Parameter value: The characteristic value, exactly as the strap sent it.
    /// - Throws: ``MalformedMeasurement`` if `value` ends before a field its flags announce.
    @inlinable
    @inline(__always)
    public init(decoding value: Span<UInt8>) throws(MalformedMeasurement) {
        // A fold over a whole log spends most of its time here, hence the forced inlining: a loop
        // in another module took 1.1 times as long as one written by hand; with a call, 1.3 times.
        var offset = 0
        flags = try value.uint8(.flags, at: &offset)

        if flags & 0b0000_0001 == 0 {
            heartRateBPM = UInt16(try value.uint8(.heartRate, at: &offset))
        } else {
            heartRateBPM = try value.uint16(.heartRate, at: &offset)
        }

        if flags & 0b0000_1000 == 0 {
            energyExpendedKilojoules = nil
        } else {
            energyExpendedKilojoules = try value.uint16(.energyExpended, at: &offset)
        }

        // Not negative, for the offset was not moved beyond the end.
        let remaining = value.count &- offset
        rrOffset = offset
        rrIntervalCount = flags & 0b0001_0000 == 0 ? 0 : remaining &>> 1
        trailingByteCount = remaining &- 2 &* rrIntervalCount
    }

    /// The RR interval at `index`, in ticks of 1/1024 s.
    ///
    /// - Precondition: `index` is in `0..<rrIntervalCount`, and `value` is the one decoded. Another
    ///   value gives another value's numbers, or stops the program if it is too short.
    /// - Parameters:
    ///   - index: 0 for the oldest interval of this notification.
    ///   - value: The characteristic value that this measurement was decoded from.
    /// - Returns: The interval, 0...65,535 ticks.
    @inlinable
    public func rrInterval1024ths(at index: Int, in value: Span<UInt8>) -> UInt16 {
        precondition(
            index >= 0 && index < rrIntervalCount, "RR interval index outside 0..<rrIntervalCount")
        // Twice an index into a value does not overflow.
        return value.uint16(at: rrOffset &+ 2 &* index)
    }

    /// All RR intervals, oldest first, in ticks of 1/1024 s.
    ///
    /// For output and tests. It allocates; a fold asks for one interval after the other.
    ///
    /// - Precondition: `value` is the one that this measurement was decoded from.
    /// - Parameter value: The characteristic value that this measurement was decoded from.
    /// - Returns: ``rrIntervalCount`` intervals, each 0...65,535 ticks.
    public func rrIntervals1024ths(in value: Span<UInt8>) -> [UInt16] {
        // A loop, because a closure cannot capture a span.
        var intervals: [UInt16] = []
        intervals.reserveCapacity(rrIntervalCount)
        for index in 0..<rrIntervalCount {
            intervals.append(rrInterval1024ths(at: index, in: value))
        }
        return intervals
    }
}

// MARK: - Contact

extension HeartRateMeasurement {
    /// What a strap says about touching skin.
    ///
    /// The raw values are part of the program's output and do not change.
    @frozen
    public enum Contact: String, CaseIterable, Sendable, BitwiseCopyable {
        /// The strap cannot tell, or does not in this connection.
        case unsupported

        /// The strap can tell, and there is no contact or a poor one.
        case notDetected

        /// The strap can tell, and there is contact.
        case detected
    }

    /// Whether the strap touches skin.
    ///
    /// Bits 1 and 2 of the flags are one number (HRS 1.0, 3.1.1.1.2): 0 and 1 are not supported,
    /// 2 is not detected, 3 is detected. So the higher bit says whether the lower one means
    /// anything.
    @inlinable
    public var contact: Contact {
        guard flags & 0b0000_0100 != 0 else { return .unsupported }
        return flags & 0b0000_0010 == 0 ? .notDetected : .detected
    }
}
