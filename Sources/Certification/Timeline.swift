import Events

/// One line of time, from the stamps alone.
struct Timeline {
    /// The time of the last event; only differences mean something.
    private(set) var milliseconds: UInt64 = 0
    private var last: (boot: UInt32, milliseconds: UInt64)?
    private var wallAhead: Int64?

    /// Goes on by the boot clock; over a new boot by the wall clock, if both ends trust it.
    mutating func advance(to header: EventHeader) {
        let stamp = header.stamp
        let isTrusted = header.flags.contains(.wallTrusted)
        if let last, last.boot == stamp.bootNumber {
            if stamp.bootMilliseconds > last.milliseconds {
                pass(stamp.bootMilliseconds - last.milliseconds)
                self.last = (stamp.bootNumber, stamp.bootMilliseconds)
            }
        } else {
            if last == nil { pass(stamp.bootMilliseconds) }
            if let last, let wallAhead, isTrusted {
                let gap = stamp.wallMilliseconds - Int64(last.milliseconds) - wallAhead
                if gap > 0 { pass(UInt64(gap)) }
            }
            last = (stamp.bootNumber, stamp.bootMilliseconds)
            wallAhead = nil
        }
        if isTrusted { wallAhead = stamp.wallMilliseconds - Int64(stamp.bootMilliseconds) }
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

    private mutating func pass(_ time: UInt64) {
        milliseconds = min(
            milliseconds + min(time, FieldRange.unsigned.upperBound),
            FieldRange.unsigned.upperBound)
    }
}
