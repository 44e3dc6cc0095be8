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

    private mutating func pass(_ time: UInt64) {
        milliseconds = min(
            milliseconds + min(time, FieldRange.unsigned.upperBound),
            FieldRange.unsigned.upperBound)
    }
}
