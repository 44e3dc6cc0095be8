// Entries as nearly all are, in loops that guess little: time and sums of two bytes at most. An
// entry of another form ends them, and is taken, or not, as any other is.

extension LaneAhead {
    /// Takes heart-rate values of 8 bits of BPM and at most three RR intervals, once one was taken.
    @inline(__always)
    mutating func takeShortHearts(_ runs: inout BlockRuns, _ place: inout HeartPlace) {
        guard count > 0, isFarFromLimits else { return }
        // Copies, so that they stay in registers.
        var offset = source.offset
        var boot = state.bootMilliseconds
        var last = UInt64(bitPattern: state.first)
        var (mark, interval) = (place.mark, place.interval)
        let difference = state.wallMinusBoot
        let spacing = Int64(clamping: place.spacing)
        var index = count
        let limit = min(limit, BlockRuns.capacity)
        // Two bytes of time, the control byte, BPM, and eight bytes of which six may be used.
        let end = source.end &- 12
        while index < limit, offset <= end {
            let (time, start) = ShortTime.take(source.word(at: offset))
            let control = UInt8(truncatingIfNeeded: start)
            guard time.isShort, control & 0xE4 == 0 else { break }
            let numbers = ShortNumbers(
                source.word(at: offset &+ time.length &+ 2), count: Int(control & 3))
            // What is beyond the count is 0, and changes nothing.
            let first = last &+ UInt64(bitPattern: unzigzag(numbers.first))
            let second = first &+ UInt64(bitPattern: unzigzag(numbers.second))
            let third = second &+ UInt64(bitPattern: unzigzag(numbers.third))
            guard !numbers.isLong, (first | second | third) & ~0xFFFF == 0 else { break }
            var heart = DenseHeart()
            heart.control = control
            heart.heartRateBPM = UInt16(truncatingIfNeeded: start &>> 8) & 0xFF
            heart.intervalCount = control & 3
            let next = heart.mark(UInt16(truncatingIfNeeded: first))
            // What comes soon and begins with the same bytes may be a copy.
            guard time.milliseconds > (next == mark ? spacing : 0) else { break }
            mark = next
            boot &+= UInt64(bitPattern: time.milliseconds)
            runs.intervals.set(
                at: interval, UInt16(truncatingIfNeeded: first),
                UInt16(truncatingIfNeeded: second), UInt16(truncatingIfNeeded: third))
            runs.keep(
                heart, PlainEntry(boot, Int64(bitPattern: boot) &+ difference), at: index,
                interval)
            interval &+= Int(heart.intervalCount)
            offset &+= time.length &+ 2 &+ numbers.length
            last = third
            index &+= 1
        }
        state.first = Int64(bitPattern: last)
        place.take(mark, at: boot, interval)
        keep(upTo: offset, boot, index)
    }

    /// Whether no clock passes the limits of numbers by the short times of a whole read-ahead: less
    /// than 2^13 ms each.
    private var isFarFromLimits: Bool {
        let farthest = Int64(BlockRuns.capacity) &<< 13
        let boot = Int64(bitPattern: state.bootMilliseconds)
        return boot < BlockCursor.numberLimit &- farthest
            && LaneAhead.isNumber(boot &+ state.wallMinusBoot)
            && LaneAhead.isNumber(boot &+ state.wallMinusBoot &+ farthest)
    }

    /// Takes counts, with a distance or without.
    @inline(__always)
    mutating func takeShortCounts(_ runs: inout BlockRuns) {
        var offset = source.offset
        var boot = state.bootMilliseconds
        var (steps, distance) = (state.first, state.second)
        let difference = state.wallMinusBoot
        var index = count
        let start = runs.start(BlockCursor.stepsLane)
        // Two bytes of time, the control byte, and eight bytes of which four may be used.
        let end = source.end &- 11
        while index < limit, offset <= end {
            let (time, head) = ShortTime.take(source.word(at: offset))
            let next = UInt64(bitPattern: Int64(bitPattern: boot) &+ time.milliseconds)
            let control = UInt8(truncatingIfNeeded: head)
            let wall = Int64(bitPattern: next) &+ difference
            guard time.isShort, control & 0xF7 == 0, next < UInt64(BlockCursor.numberLimit),
                LaneAhead.isNumber(wall)
            else { break }
            let numbers = ShortNumbers(
                source.word(at: offset &+ time.length &+ 1), count: control == 0 ? 1 : 2)
            let sum = steps &+ unzigzag(numbers.first)
            let length = distance &+ unzigzag(numbers.second)
            guard !numbers.isLong,
                UInt64(bitPattern: sum) < UInt64(BlockCursor.numberLimit),
                UInt64(bitPattern: length) < UInt64(BlockCursor.numberLimit)
            else { break }
            var count = DenseCount()
            count.count = UInt64(bitPattern: sum)
            count.hasDistance = control != 0
            count.distanceMillimetres = control == 0 ? 0 : UInt64(bitPattern: length)
            runs.counts[index] = count
            runs.entries[start &+ index] = PlainEntry(next, wall)
            offset &+= time.length &+ 1 &+ numbers.length
            boot = next
            (steps, distance) = (sum, length)
            index &+= 1
        }
        (state.first, state.second) = (steps, distance)
        keep(upTo: offset, boot, index)
    }

    /// The entries before one are read for good.
    @inline(__always)
    private mutating func keep(upTo offset: Int, _ bootMilliseconds: UInt64, _ index: Int) {
        source.offset = offset
        state.bootMilliseconds = bootMilliseconds
        kept = Mark(offset, state)
        count = index
    }
}

/// Where the next heart-rate value that is read ahead belongs.
struct HeartPlace {
    let spacing: UInt64
    /// The boot clock from which on it is plain: it is later than the value before.
    var earliest: UInt64 = 0
    /// The boot clock up to which it may be a copy of that one, and what it then has in common with
    /// it.
    var lastCopy: UInt64 = 0
    var mark = UInt64.max
    /// Where its RR intervals begin.
    var interval = 0

    init(spacing: UInt64) {
        self.spacing = spacing
    }

    /// Takes note of the last value, and of where the intervals of the next one begin.
    @inline(__always)
    mutating func take(_ mark: UInt64, at boot: UInt64, _ interval: Int) {
        self.mark = mark
        self.interval = interval
        earliest = boot &+ 1
        lastCopy = boot &+ spacing
    }
}

extension DenseHeart {
    /// What copies of a value have in common: the flags, BPM and the first interval, if any.
    @inline(__always)
    func mark(_ firstInterval: UInt16) -> UInt64 {
        let first = intervalCount > 0 ? firstInterval : 0
        return UInt64(control) | UInt64(heartRateBPM) &<< 8 | UInt64(first) &<< 24
    }
}

extension BlockRuns {
    /// Keeps a heart-rate value whose intervals stand in their place.
    @inline(__always)
    mutating func keep(
        _ value: DenseHeart, _ entry: PlainEntry, at index: Int, _ interval: Int
    ) {
        var heart = value
        heart.firstInterval = UInt16(truncatingIfNeeded: interval)
        hearts[index] = heart
        entries[index] = entry
        heartTimes[index] = Int32(truncatingIfNeeded: entry.bootMilliseconds)
        heartRates[index] = Int32(heart.heartRateBPM)
        let isUsual =
            !heart.isWithoutContact && heart.heartRateBPM &- 20 < 235 && heart.intervalCount > 0
        oddHearts[oddCount] = UInt16(truncatingIfNeeded: index)
        oddCount &+= isUsual ? 0 : 1
    }
}

/// The time of an entry in one byte or two, which says nothing else of the envelope.
struct ShortTime {
    /// Whether it is that.
    let isShort: Bool
    /// What it adds to the boot clock.
    let milliseconds: Int64
    /// How many bytes it takes.
    let length: Int

    /// Takes the time from the first of eight bytes.
    ///
    /// - Returns: The time, and the bytes after it.
    @inline(__always)
    static func take(_ word: UInt64) -> (ShortTime, UInt64) {
        // One lane's entries take one byte or take two: that is predictable.
        guard word & 0x80 != 0 else {
            return (
                ShortTime(
                    isShort: word & 1 == 0, milliseconds: unzigzag((word & 0x7F) &>> 1), length: 1),
                word &>> 8
            )
        }
        let number = word & 0x7F | (word & 0x7F00) &>> 1
        return (
            ShortTime(
                isShort: word & 0x8001 == 0 && number > 0x7F,
                milliseconds: unzigzag(number &>> 1), length: 2),
            word &>> 16
        )
    }
}

/// Up to three numbers of one byte or two, which stand within eight bytes.
///
/// All are taken, whatever the count is, without a branch: the count of RR intervals and the length
/// of each are unpredictable. Those beyond the count are 0.
struct ShortNumbers {
    let first: UInt64
    let second: UInt64
    let third: UInt64
    /// How many bytes they take.
    let length: Int
    /// Whether one of them takes more than two bytes, or one more than it has to: then nothing here
    /// means anything.
    let isLong: Bool

    /// Takes the numbers from the first of eight bytes; the count is 0 to 3.
    @inline(__always)
    init(_ word: UInt64, count: Int) {
        // The high bit of each byte that ends a number.
        let high: UInt64 = 0x8080_8080_8080_8080
        let ends = ~word & high
        let afterFirst = ends & (ends &- 1)
        let afterSecond = afterFirst & (afterFirst &- 1)
        let last = count > 2 ? afterSecond : count > 1 ? afterFirst : ends
        // All bits up to the end of the last number; none without one.
        let used = count > 0 ? last ^ (last &- 1) : 0
        let bytes = word & used
        length = (64 &- used.leadingZeroBitCount) &>> 3
        // No continuing byte follows another, and the one after it is not 0.
        let follow = (bytes & high) &<< 8
        let isZero = ~((bytes & ~high) &+ ~high)
        isLong = follow & (bytes | isZero) != 0 || last == 0
        first = ShortNumbers.number(bytes)
        // Where a number of two bytes at most ends; beyond the last one nothing is left.
        let second = bytes &>> (bytes & 0x80 == 0 ? 8 : 16)
        self.second = ShortNumbers.number(second)
        third = ShortNumbers.number(second &>> (second & 0x80 == 0 ? 8 : 16))
    }

    /// The number that begins here.
    @inline(__always)
    private static func number(_ bytes: UInt64) -> UInt64 {
        let goesOn = 0 &- (bytes &>> 7 & 1)
        return bytes & 0x7F | ((bytes &>> 1) & 0x3F80 & goesOn)
    }
}
