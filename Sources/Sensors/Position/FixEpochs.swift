internal import Events

/// Makes one fix of the reports that gpsd gives of each epoch: the fullest, the last of equals.
///
/// An epoch is known to be over when the next one begins; its last report is waited for no longer
/// than ``patienceMilliseconds``.
struct FixEpochs {
    /// How long a fix waits for a fuller report of the same time: 500 ms.
    static let patienceMilliseconds: UInt64 = 500
    /// Reports that are older than the last fix by less than this are late; by more, the
    /// receiver's clock was set back.
    private static let lateMilliseconds: Int64 = 10_000

    private struct Epoch {
        var fix: PositionFixed
        /// When its first report came.
        let since: UInt64
    }

    private var waiting: Epoch?
    /// The time of the fix that was given last.
    private var lastTime: Int64?
    /// Whether the receiver tells times: then what has none belongs to an epoch that has one.
    private var tellsTimes = false

    /// When the fix that waits is due; nil if none waits.
    var dueMilliseconds: UInt64? { waiting.map { $0.since + Self.patienceMilliseconds } }

    /// Takes a report.
    ///
    /// - Returns: The fix of the epoch before, if this one begins another.
    mutating func take(_ fix: PositionFixed, at now: UInt64) -> PositionFixed? {
        if let time = fix.fixedAtMilliseconds {
            tellsTimes = true
            let newest = waiting?.fix.fixedAtMilliseconds ?? lastTime
            if let newest, time < newest, newest - time < Self.lateMilliseconds { return nil }
            if waiting == nil, time == lastTime { return nil }
        } else if tellsTimes {
            return nil
        }
        let before = waiting
        // One without a time may be of any epoch.
        guard let before,
            [nil, fix.fixedAtMilliseconds].contains(before.fix.fixedAtMilliseconds)
        else {
            waiting = Epoch(fix: fix, since: now)
            return given(before)
        }
        if fix.fullness >= before.fix.fullness {
            waiting = Epoch(fix: fix, since: before.since)
        }
        return nil
    }

    /// The fix that waits, if it is due.
    mutating func due(at now: UInt64) -> PositionFixed? {
        guard let due = dueMilliseconds, now >= due else { return nil }
        return finish()
    }

    /// The fix that waits: no more reports come.
    mutating func finish() -> PositionFixed? {
        given(waiting.take())
    }

    private mutating func given(_ epoch: Epoch?) -> PositionFixed? {
        lastTime = epoch?.fix.fixedAtMilliseconds ?? lastTime
        return epoch?.fix
    }
}

extension PositionFixed {
    /// How much a report says besides the coordinates; the time above all.
    fileprivate var fullness: Int {
        (fixedAtMilliseconds == nil ? 0 : 4) + (altitudeMillimetres == nil ? 0 : 1)
            + (accuracyMillimetres == nil ? 0 : 1) + (speedMillimetresPerSecond == nil ? 0 : 1)
    }
}
