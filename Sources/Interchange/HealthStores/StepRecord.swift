/// A step record in 16 bytes, in order of start, source, length, count and zone.
struct StepRecord: Comparable {
    /// Start in milliseconds above the number of the source, 8 bits, above the upper 14 bits of the
    /// length in milliseconds.
    private let startSourceAndLength: UInt64
    /// The lower 13 bits of the length above the count in thousandths, 30 bits, above the zone, 12
    /// bits.
    private let lengthCountAndZone: UInt64

    /// Packs a record that ``StepRecords`` has found to be within its ranges.
    init(
        source: Int, from start: Int64, until end: Int64, thousandths: Int64, offsetMinutes: Int64?
    ) {
        let length = UInt64(end - start)
        startSourceAndLength = UInt64(start) << 22 | UInt64(source) << 14 | length >> 13
        let zone = offsetMinutes.map { UInt64($0 + Self.zoneBias) } ?? 0
        lengthCountAndZone = (length & 0x1FFF) << 42 | UInt64(thousandths) << 12 | zone
    }

    /// Makes every offset greater than 0, which stands for none.
    private static let zoneBias: Int64 = 1_441

    var source: Int { Int(startSourceAndLength >> 14 & 0xFF) }
    var start: Int64 { Int64(startSourceAndLength >> 22) }
    var length: Int64 { Int64((startSourceAndLength & 0x3FFF) << 13 | lengthCountAndZone >> 42) }
    /// Thousandths of a step.
    var thousandths: Int64 { Int64(lengthCountAndZone >> 12 & 0x3FFF_FFFF) }
    /// Minutes east of UTC; nil if the record does not say.
    var offsetMinutes: Int64? {
        let zone = Int64(lengthCountAndZone & 0xFFF)
        return zone == 0 ? nil : zone - Self.zoneBias
    }

    /// Whether both are of one source, start and end.
    func isSamePeriod(as other: StepRecord) -> Bool {
        startSourceAndLength == other.startSourceAndLength && length == other.length
    }

    static func < (left: StepRecord, right: StepRecord) -> Bool {
        (left.startSourceAndLength, left.lengthCountAndZone)
            < (right.startSourceAndLength, right.lengthCountAndZone)
    }
}

/// Steps of a time; a piece of that time has its share of them.
struct TimedSteps {
    var start: Int64
    var end: Int64
    /// Until when they count, which is before `end` where only their minute is known.
    var validUntil: Int64
    var thousandths: Int64
    var offsetMinutes: Int64?
}
