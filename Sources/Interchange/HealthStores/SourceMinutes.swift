/// A step record in 16 bytes, in order of start, source, length, count and zone.
struct StepRecord: Comparable {
    /// Start in milliseconds above the number of the source, 8 bits.
    private let startAndSource: UInt64
    /// Length in milliseconds above the count, 20 bits, above the zone, 12 bits.
    private let lengthStepsAndZone: UInt64

    /// Packs a record that ``StepRecords`` has found to be within its ranges.
    init(
        source: Int, from start: Int64, until end: Int64, steps: Int64, offsetMinutes: Int64?
    ) {
        startAndSource = UInt64(start) << 8 | UInt64(source)
        let zone = offsetMinutes.map { UInt64($0 + Self.zoneBias) } ?? 0
        lengthStepsAndZone = UInt64(end - start) << 32 | UInt64(steps) << 12 | zone
    }

    /// Makes every offset greater than 0, which stands for none.
    private static let zoneBias: Int64 = 1_441

    var source: Int { Int(startAndSource & 0xFF) }
    var start: Int64 { Int64(startAndSource >> 8) }
    var length: Int64 { Int64(lengthStepsAndZone >> 32) }
    var steps: Int64 { Int64(lengthStepsAndZone >> 12 & 0xF_FFFF) }
    /// Minutes east of UTC; nil if the record does not tell.
    var offsetMinutes: Int64? {
        let zone = Int64(lengthStepsAndZone & 0xFFF)
        return zone == 0 ? nil : zone - Self.zoneBias
    }

    /// Whether both are of one source, start and end.
    func isSamePeriod(as other: StepRecord) -> Bool {
        startAndSource == other.startAndSource && length == other.length
    }

    static func < (left: StepRecord, right: StepRecord) -> Bool {
        (left.startAndSource, left.lengthStepsAndZone)
            < (right.startAndSource, right.lengthStepsAndZone)
    }
}

/// The minutes that a record may still touch, each with the steps of every source.
///
/// Records come in order of their start, so a minute before the start of a record is settled. It is
/// handed on with what its greatest source counted, and its place in the ring is used again: the
/// memory is that of the longest record, whatever the number of days.
struct SourceMinutes {
    /// A settled minute.
    struct Minute {
        /// Minutes since 1970, in UTC.
        var number: Int64
        /// What the greatest source counted.
        var steps: UInt64
        /// The latest end of the records in it, in UTC milliseconds.
        var end: Int64
        /// Minutes east of UTC as the last record in it that tells them; nil if none does.
        var offsetMinutes: Int64?
    }

    /// The length of a minute.
    static let milliseconds: Int64 = 60_000
    /// The minutes of the longest record, which may begin and end within one.
    private static let ringCount = StepRecords.longestMilliseconds / milliseconds + 1

    private let sourceCount: Int
    private let body: (Minute) -> Void
    private var steps: [UInt64]
    private var ends: [Int64]
    private var offsets: [Int64?]
    /// The minutes that are not settled: from the first that a coming record may touch.
    private var open: Range<Int64> = 0..<0

    /// Makes the ring.
    ///
    /// - Parameters:
    ///   - sourceCount: How many sources there are.
    ///   - body: Given each minute that was touched, once, in order.
    init(sourceCount: Int, _ body: @escaping (Minute) -> Void) {
        self.sourceCount = sourceCount
        self.body = body
        steps = Array(repeating: 0, count: Int(Self.ringCount) * sourceCount)
        ends = Array(repeating: 0, count: Int(Self.ringCount))
        offsets = Array(repeating: nil, count: Int(Self.ringCount))
    }

    /// Spreads a record over its minutes; none before it may have begun later.
    mutating func add(_ record: StepRecord) {
        let end = record.start + record.length
        let first = record.start / Self.milliseconds
        // The end is no part of a record, but one without length is in a minute all the same.
        let last = max(record.start, end - 1) / Self.milliseconds
        settle(before: first)
        open = first..<max(open.upperBound, last + 1)
        var given: Int64 = 0
        for minute in first...last {
            let pieceEnd = min(end, (minute + 1) * Self.milliseconds)
            // Whole steps up to the end of each minute: the parts sum to the count.
            let due =
                minute == last
                ? record.steps : record.steps * (pieceEnd - record.start) / record.length
            let place = Int(minute % Self.ringCount)
            steps[place * sourceCount + record.source] += UInt64(due - given)
            ends[place] = max(ends[place], pieceEnd)
            offsets[place] = record.offsetMinutes ?? offsets[place]
            given = due
        }
    }

    /// Hands on what is left.
    mutating func finish() {
        settle(before: open.upperBound)
    }

    private mutating func settle(before end: Int64) {
        for minute in open.prefix(while: { $0 < end }) {
            let place = Int(minute % Self.ringCount)
            guard ends[place] > 0 else { continue }
            let row = place * sourceCount..<(place + 1) * sourceCount
            body(
                Minute(
                    number: minute, steps: steps[row].max() ?? 0, end: ends[place],
                    offsetMinutes: offsets[place]))
            for index in row { steps[index] = 0 }
            ends[place] = 0
            offsets[place] = nil
        }
    }
}
