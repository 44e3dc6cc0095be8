/// What readings show of the walk, by the steps themselves.
extension World {
    /// What the chosen pedometer's readings show, each step once.
    struct Heard {
        /// What the next reading of the chosen pedometer is worth to the day.
        enum Worth {
            /// What it shows more than the one before.
            case everything
            /// On a new day: what it shows if its counter began anew.
            case onlyNewCounter
            /// After a choice.
            case nothing
        }

        /// What each pedometer showed last, and when; no time if no recorder that runs heard it.
        var last: [(count: Int64?, at: Int64?)]
        var worth = Worth.everything
        /// Steps of today.
        var today: UInt64 = 0
        /// The most of one reading today.
        var widest: UInt64 = 0
        /// Whether a session's next reading only begins what counts.
        var isAwaited = false
        /// When the last pause began.
        var pausedAt: Int64 = .min
    }

    /// Whether a session counts: not in a pause, unless that began by itself and the rules say so.
    private var isWalking: Bool {
        session.isOpen && (!session.isPaused || standsStill && countsStandstill)
    }

    /// A pedometer is read.
    mutating func hear(_ index: Int, _ count: Int64) {
        let before = heard.last[index].count ?? count
        let isNew = count < before
        let steps = UInt64(max(0, isNew ? count : count - before))
        heard.last[index] = (count, now)
        guard index == chosen else { return }
        heard.widest = max(heard.widest, steps)
        if heard.worth == .everything || heard.worth == .onlyNewCounter && isNew {
            heard.today += steps
        }
        heard.worth = .everything
        guard isWalking else { return }
        if !heard.isAwaited { truth.sessions[truth.sessions.count - 1].heard += steps }
        heard.isAwaited = false
    }

    /// A session begins, or goes on: what follows a reading a moment ago counts, unless that was
    /// before a pause.
    mutating func beginCounting() {
        let since = max(now - 5_000, heard.pausedAt + 1)
        heard.isAwaited = heard.last[chosen].at.map { $0 < since } ?? true
    }

    /// A recorder starts or stops.
    mutating func forgetTimes() {
        for index in heard.last.indices { heard.last[index].at = nil }
    }
}
