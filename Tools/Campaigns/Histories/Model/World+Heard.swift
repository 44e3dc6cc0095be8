import Events

/// What readings show of the walk, by the steps themselves.
extension World {
    /// What the chosen pedometer's readings show, each step once.
    struct Heard {
        /// What the next reading of the chosen pedometer is worth to the day.
        enum Worth {
            /// What it shows more than the one before.
            case everything
            /// On a new day: the same, but that some of it may be of the day before.
            case overMidnight
            /// After a choice.
            case nothing
        }

        /// What each pedometer showed last, and when; no time if no recorder that runs heard it.
        var last: [(count: Int64?, at: Int64?)]
        /// When each was read last, by whichever recorder.
        var readAt: [Int: Int64] = [:]
        var worth = Worth.everything
        /// Steps of today.
        var today: UInt64 = 0
        /// Those of them that are set aside; nil if the zone changed before they were read.
        var held: UInt64? = 0
        /// Those that count and were walked the day before.
        var strayed: UInt64 = 0
        /// Whether a date heard more than it counts, with what was walked the day before.
        var isBeyond = false
        /// The most of one reading today.
        var widest: UInt64 = 0
        /// Whether a session's next reading only begins what counts.
        var isAwaited = false
        /// Since when a session runs, though the walker may stand still.
        var walkedSince: Int64?
        /// When the last pause began.
        var pausedAt: Int64 = .min

        mutating func beginDay() {
            (today, widest, held, strayed) = (0, 0, 0, 0)
            if worth != .nothing { worth = .overMidnight }
        }
    }

    /// Whether a session counts: not in a pause, unless that began by itself and the rules say so.
    private var isWalking: Bool {
        session.isOpen && (!session.isPaused || standsStill && countsStandstill)
    }

    /// A pedometer is read.
    mutating func hear(_ index: Int, _ count: Int64) {
        let last = heard.last[index].count ?? count
        let isNew = count < last
        let steps = UInt64(max(0, isNew ? count : count - last))
        let before = heard.readAt[index] ?? now
        heard.last[index] = (count, now)
        heard.readAt[index] = now
        guard index == chosen else { return }
        heard.widest = max(heard.widest, steps)
        if heard.worth != .nothing { heard.today += steps }
        if heard.today > 200_000 { heard.isBeyond = true }
        if heard.worth == .overMidnight, !isNew { hold(steps, after: before) }
        heard.worth = .everything
        guard isWalking else { return }
        if !heard.isAwaited { truth.sessions[truth.sessions.count - 1].heard += steps }
        heard.isAwaited = false
    }

    /// What was gained in a silence over midnight counts as far as anybody can have walked since.
    private mutating func hold(_ steps: UInt64, after before: Int64) {
        let midnight = Int64(today.daysSinceEpoch) * 86_400_000 - offsetMinutes * 60_000
        guard before < midnight else { return }
        let walks =
            now - before < 600_000 || heard.walkedSince.map { before + 5_000 >= $0 } ?? false
        let most = walks ? min(200_000, UInt64(now - midnight) * 5 / 1_000 + 10) : 0
        heard.held = heard.held.map { $0 + steps - min(steps, most) }
        let walked = last.own - midnights[midnights.count - 1].own
        heard.strayed += min(steps, most) - min(steps, most, walked)
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
