/// Where the time of a session went; the parts sum to the elapsed time exactly.
package struct Accounting: StatePart, Hashable, Sendable {
    /// Values came, with contact.
    package internal(set) var freshMilliseconds: UInt64 = 0
    /// The link was lost a moment ago, within the grace.
    package internal(set) var heldMilliseconds: UInt64 = 0
    /// The link stood, but no value came for longer than the device takes
    /// to send one.
    package internal(set) var silentMilliseconds: UInt64 = 0
    /// Values came, but the last one said no contact, or BPM 0.
    package internal(set) var noContactMilliseconds: UInt64 = 0
    /// No link, and the grace over; also before the first connection.
    package internal(set) var disconnectedMilliseconds: UInt64 = 0
    /// The session was paused.
    package internal(set) var pausedMilliseconds: UInt64 = 0

    /// The sum of all parts.
    package var elapsedMilliseconds: UInt64 {
        freshMilliseconds + heldMilliseconds + silentMilliseconds + noContactMilliseconds
            + disconnectedMilliseconds + pausedMilliseconds
    }

    /// Elapsed time without pauses.
    package var activeMilliseconds: UInt64 { elapsedMilliseconds - pausedMilliseconds }

    /// Attributes an interval of a running session, in which the link did not change.
    ///
    /// Fold times are at most 2^53, so that no sum here can overflow.
    /// - Returns: How much of it was fresh.
    @inline(__always)
    mutating func run(
        from start: UInt64, to end: UInt64, _ link: LinkTimes, _ rules: Rules
    ) -> UInt64 {
        guard link.isUp else {
            let heldUntil = link.lostAt.map { $0.plus(rules.graceMilliseconds) } ?? start
            let held = min(heldUntil, end).minus(start)
            heldMilliseconds += held
            disconnectedMilliseconds += end - start - held
            return 0
        }
        let freshUntil =
            link.lastValueAt.map { $0.plus(link.cadence.silenceMilliseconds(rules)) } ?? start
        var spoken = min(freshUntil, end).minus(start)
        if spoken < end - start, spoken > 0, link.isOfFile, let last = link.lastValueAt {
            spoken = max(spoken, min(last.plus(Cadence.fileMilliseconds), end).minus(start))
        }
        silentMilliseconds += end - start - spoken
        if link.isWithoutPulse {
            noContactMilliseconds += spoken
            return 0
        }
        freshMilliseconds += spoken
        return spoken
    }

    /// Adds what was attributed between two moments.
    mutating func add(_ later: Accounting, since earlier: Accounting) {
        freshMilliseconds += later.freshMilliseconds.minus(earlier.freshMilliseconds)
        heldMilliseconds += later.heldMilliseconds.minus(earlier.heldMilliseconds)
        silentMilliseconds += later.silentMilliseconds.minus(earlier.silentMilliseconds)
        noContactMilliseconds += later.noContactMilliseconds.minus(earlier.noContactMilliseconds)
    }

    /// Takes some of it as if no link had stood.
    mutating func disconnect(_ part: Accounting) {
        let active = activeMilliseconds
        freshMilliseconds = freshMilliseconds.minus(part.freshMilliseconds)
        heldMilliseconds = heldMilliseconds.minus(part.heldMilliseconds)
        silentMilliseconds = silentMilliseconds.minus(part.silentMilliseconds)
        noContactMilliseconds = noContactMilliseconds.minus(part.noContactMilliseconds)
        disconnectedMilliseconds += active.minus(activeMilliseconds)
    }

    mutating func code(_ coder: inout StateCoder<some Direction>) throws(DamagedState) {
        try coder(&freshMilliseconds, &heldMilliseconds, &silentMilliseconds)
        try coder(&noContactMilliseconds, &disconnectedMilliseconds, &pausedMilliseconds)
    }
}
