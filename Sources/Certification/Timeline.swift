import Events

/// A moment of a ``Timeline``.
struct Instant: Carried {
    var milliseconds: UInt64 = 0
    /// How many silences of unknown length lie before it.
    var silences = 0
    /// The wall clock where it can be trusted.
    var wallMilliseconds: Int64?

    /// The longest that can have passed since an earlier one: a day where nobody knows.
    func longest(since earlier: Instant) -> UInt64 {
        let known = milliseconds - min(milliseconds, earlier.milliseconds)
        return silences > earlier.silences ? max(known, 86_400_000) : known
    }

    /// The same, or what the wall clock says of it if that is shorter.
    func shorter(since earlier: Instant) -> UInt64 {
        let longest = longest(since: earlier)
        guard let wallMilliseconds, let before = earlier.wallMilliseconds else { return longest }
        return wallMilliseconds > before ? min(longest, UInt64(wallMilliseconds - before)) : 0
    }

    mutating func carry(_ carrier: inout Carrier) {
        carrier(&milliseconds, &silences, &wallMilliseconds)
    }
}

/// One line of time, from the stamps alone.
struct Timeline: Carried {
    /// The time of the last event; only differences mean something.
    private(set) var milliseconds: UInt64 = 0
    private var silences = 0
    private var last: Boot?
    private var wallAhead: Int64?

    /// How far the clock of a boot was.
    private struct Boot: Carried {
        var number: UInt32 = 0
        var milliseconds: UInt64 = 0

        mutating func carry(_ carrier: inout Carrier) { carrier(&number, &milliseconds) }
    }

    /// Goes on by the boot clock; over a new boot by the wall clock, if both ends trust it.
    mutating func advance(to header: EventHeader) {
        let stamp = header.stamp
        let isTrusted = header.flags.contains(.wallTrusted)
        if let last, last.number == stamp.bootNumber {
            if stamp.bootMilliseconds > last.milliseconds {
                pass(stamp.bootMilliseconds - last.milliseconds)
                self.last?.milliseconds = stamp.bootMilliseconds
            }
        } else {
            if last == nil { pass(stamp.bootMilliseconds) }
            if let last {
                let gap = wallAhead.map { stamp.wallMilliseconds - Int64(last.milliseconds) - $0 }
                if let gap, gap > 0, isTrusted { pass(UInt64(gap)) } else { silences += 1 }
            }
            last = Boot(number: stamp.bootNumber, milliseconds: stamp.bootMilliseconds)
            wallAhead = nil
        }
        if isTrusted { wallAhead = stamp.wallMilliseconds - Int64(stamp.bootMilliseconds) }
    }

    /// The time of the last event, with what is not known of it.
    var instant: Instant {
        Instant(
            milliseconds: milliseconds, silences: silences,
            wallMilliseconds: wallAhead.flatMap { ahead in
                last.map { Int64($0.milliseconds) + ahead }
            })
    }

    /// Whether a trusted wall clock was seen in this boot.
    var isSure: Bool { wallAhead != nil }

    /// The wall clock of the last event, or nil if it was never set: from a trusted clock of this
    /// boot if there is one, else as it stands if that is 2024 or later.
    func wall(of header: EventHeader) -> Int64? {
        let stamp = header.stamp
        if header.flags.contains(.wallTrusted) { return stamp.wallMilliseconds }
        if let wallAhead { return Int64(stamp.bootMilliseconds) + wallAhead }
        let isSet = stamp.wallMilliseconds >= Self.year2024
        return isSet ? stamp.wallMilliseconds : nil
    }

    /// 2024-01-01T00:00:00Z: 54 years, 13 of them leap years.
    private static let year2024: Int64 = (54 * 365 + 13) * 86_400_000

    mutating func carry(_ carrier: inout Carrier) {
        carrier(&milliseconds, &silences, &last, &wallAhead)
    }

    private mutating func pass(_ time: UInt64) {
        milliseconds = min(
            milliseconds + min(time, FieldRange.unsigned.upperBound),
            FieldRange.unsigned.upperBound)
    }
}
