internal import Events

/// A session or a lap as its message tells it (FIT Profile, 18 and 19).
struct FITSum {
    /// In milliseconds by the device's clock.
    var start: Int64
    /// With its pauses, and without them; nil if it does not say.
    let elapsed: Int64?
    let active: Int64?
    /// What it was; nil if that is unknown, and whether it only led to the next.
    let sport: Sport?
    let isTransition: Bool
    /// What ended a lap; nil for the end of the walk.
    let cause: LapCause?
    /// When it ended, in milliseconds since the walk began; nil but for ours.
    let exactElapsed: Int64?
    /// On foot.
    private let steps: UInt64?
    private let distanceMillimetres: UInt64?

    /// Takes a message; nil if it does not say when it was.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - exactStart: When it began to the millisecond; nil if no other message says.
    ///   - isOurs: Whether this program has written it: then its distance is made anew, of what it
    ///     was made of.
    init?(_ message: FITMessage, from exactStart: Int64?, isOurs: Bool) {
        guard let start = exactStart ?? FITTime.milliseconds(message.number(2)) else { return nil }
        self.start = start
        let isLap = message.definition.message == FITMessageNumber.lap
        (elapsed, active) = (message.number(7), message.number(8))
        let sport = message.number(isLap ? 25 : 5) ?? -1
        let known = Sport(fit: sport, message.number(isLap ? 39 : 6))
        self.sport = isOurs ? known ?? .other : known
        isTransition = sport == 3
        let trigger = message.number(24)
        if isOurs {
            let number = message.number(.cause).map { UInt8(clamping: $0) }
            cause = number.map { LapCause(rawValue: $0) ?? .unnamed }
            exactElapsed = message.number(.elapsed)
        } else {
            (cause, exactElapsed) = (trigger == 7 ? nil : LapCause(fit: trigger ?? -1), nil)
        }
        steps = message.amount(.steps) ?? message.amount(10).map { $0 * 2 }
        distanceMillimetres = isOurs ? nil : message.amount(9).map { $0 * 10 }
    }

    /// As a part of a walk.
    func sum(later shift: Int64, isOnFoot: Bool) -> WalkDraft.Sum {
        WalkDraft.Sum(
            start: start + shift, end: start + shift + max(0, elapsed ?? active ?? 0),
            active: active, steps: isOnFoot ? steps : nil,
            distanceMillimetres: distanceMillimetres)
    }
}
