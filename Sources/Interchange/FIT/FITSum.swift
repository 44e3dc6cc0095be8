/// A session or a lap as its message tells it (FIT Profile, 18 and 19).
struct FITSum {
    /// In milliseconds by the device's clock.
    var start: Int64
    /// With its pauses, and without them; nil if it does not say.
    let elapsed: Int64?
    let active: Int64?
    let sport: Int64
    /// On foot.
    private let steps: UInt64?
    private let distanceMillimetres: UInt64?

    var isOnFoot: Bool { FITActivity.sportsOnFoot.contains(sport) }

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
        sport = message.number(isLap ? 25 : 5) ?? -1
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
