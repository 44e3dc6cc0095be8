/// The connection to one device, and what is worth knowing of its past.
///
/// Times are fold times.
package struct LinkHistory: StatePart, Hashable, Sendable {
    /// Whether the connection is up: a link up or a value proves it.
    package internal(set) var isUp = false
    /// When it was lost last, or nil if it never was.
    package internal(set) var lostAt: UInt64?
    /// When it came up last.
    package internal(set) var upSince: UInt64?
    /// When the last heart-rate value came that could be decoded, copies not counted.
    package internal(set) var lastValueAt: UInt64?
    /// The heart rate of that value; 0 if it has none.
    package internal(set) var lastBPM: UInt16 = 0
    /// Whether that value says that the strap touches no skin, and is heeded.
    package internal(set) var lastWithoutContact = false
    /// The last heart rate: it is shown past a 0 in passing.
    package internal(set) var pulseBPM: UInt16 = 0
    /// When that value came; nil before the first.
    package internal(set) var pulseAt: UInt64?
    /// How often values come.
    package internal(set) var cadence = Cadence()
    /// Heart-rate values that were decoded, with copies.
    package internal(set) var values: UInt64 = 0
    /// Values that could not be decoded.
    package internal(set) var undecodable: UInt64 = 0
    /// Losses that this program did not ask for.
    package internal(set) var drops: UInt64 = 0
    /// The longest time from a loss to the next connection.
    package internal(set) var longestGapMilliseconds: UInt64 = 0
    /// How long the last connecting took, if known.
    package internal(set) var connectMilliseconds: UInt64?
    /// Attempts to connect that failed.
    package internal(set) var failedAttempts: UInt64 = 0
    /// How often each heart-rate value comes.
    package internal(set) var delivery = Delivery()

    /// Whether the last value gave no heart rate: no contact, or no BPM.
    package var isWithoutPulse: Bool { lastWithoutContact || lastBPM == 0 }

    /// The connection is up from `now` on.
    @inline(__always)
    mutating func markUp(at now: UInt64) {
        if !isUp { connectAnew(now) }
    }

    private mutating func connectAnew(_ now: UInt64) {
        if let lostAt {
            longestGapMilliseconds = max(longestGapMilliseconds, now.minus(lostAt))
        }
        isUp = true
        upSince = now
    }

    /// The connection was lost at `now`.
    mutating func lose(at now: UInt64, wasRequested: Bool) {
        if isUp, !wasRequested { drops.add(1) }
        end(at: now)
    }

    /// The connection ended at `now`, if it stood.
    mutating func end(at now: UInt64) {
        guard isUp else { return }
        isUp = false
        lostAt = now
        delivery.cut()
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&isUp, &lostAt, &upSince, &lastValueAt, &lastBPM, &lastWithoutContact)
        try coder(&values, &undecodable, &drops, &longestGapMilliseconds, &connectMilliseconds)
        try coder(&failedAttempts, &delivery, &pulseBPM, &pulseAt, &cadence)
    }
}

/// What of a connection tells a session's time: five fields of ``LinkHistory``, cheap to pass on.
struct LinkTimes {
    let isUp: Bool
    let isWithoutPulse: Bool
    let lostAt: UInt64?
    let lastValueAt: UInt64?
    let cadence: Cadence
    let isOfFile: Bool

    /// A connection that never stood.
    init() {
        self.init(LinkHistory(), isOfFile: false)
    }

    @inline(__always)
    init(_ link: LinkHistory, isOfFile: Bool) {
        (isUp, isWithoutPulse, lostAt) = (link.isUp, link.isWithoutPulse, link.lostAt)
        (lastValueAt, cadence, self.isOfFile) = (link.lastValueAt, link.cadence, isOfFile)
    }
}
