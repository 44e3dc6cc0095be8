import Events

/// Where the day begins in a pedometer's silence.
struct Midnight: Carried {
    /// UTC in milliseconds since 1970.
    private var milliseconds: Int64 = 0
    /// Whether a session is open, and since when it runs, as far as the walker said.
    private var isOpen = false
    private var walkingSince: UInt64?

    /// A day begins.
    mutating func begin(_ date: CivilDate, _ offsetMinutes: Int64) {
        milliseconds = Int64(date.daysSinceEpoch) * 86_400_000 - offsetMinutes * 60_000
    }

    /// Somebody walks, or no longer does; to stand still is no pause.
    mutating func hear(_ event: Event, at now: Instant) {
        switch event {
        case .sessionStarted, .sessionResumed:
            if case .sessionStarted = event { isOpen = true }
            if isOpen, walkingSince == nil { walkingSince = now.milliseconds }
        case .sessionPaused: walkingSince = nil
        case .sessionEnded: (isOpen, walkingSince) = (false, nil)
        default: break
        }
    }

    /// The most that a sight of an odometer can have gained on the day, if somebody walks.
    ///
    /// In a session that runs since five seconds after the last sight at most, or where that is
    /// less than ten minutes ago. Any number if it was on the day too.
    func made(by now: Instant, _ wall: Int64?, after last: Instant?) -> Int128 {
        guard let last else { return 0 }
        let silence = now.longest(since: last)
        let day = UInt64(max(0, (wall ?? milliseconds) - milliseconds))
        if silence <= day { return .max }
        let isWalking = walkingSince.map { last.milliseconds + 5_000 >= $0 } ?? false
        return isWalking || silence < 600_000 ? Odometer.legs(day) : 0
    }

    mutating func carry(_ carrier: inout Carrier) { carrier(&milliseconds, &isOpen, &walkingSince) }
}
