public import Events

/// What events may newly claim, as far as the state before them tells: a goal that is reached, a
/// turn-around, a strap whose values come several times.
///
/// A claim is what the fold of the events newly notes; so whoever folds them compares.
public struct PossibleClaims: Sendable {
    /// The open session, if its goal can still be reached, and whether its turn can be.
    private let session: (position: Position, canTurn: Bool)?
    /// The strap whose value is the first event, and how often each of its values comes.
    private let delivery: (device: DeviceID, factor: UInt64)?

    /// Looks at the state before events.
    ///
    /// - Parameters:
    ///   - events: What was decided.
    ///   - state: The state after the last event of the log.
    public init(of events: [Event], in state: LogState) {
        if let open = state.live.sessions.open, open.goal.kind != .none,
            open.goalReachedPosition == nil, !events.isEmpty
        {
            session = (open.position, open.turnAroundPosition == nil)
        } else {
            session = nil
        }
        if case .characteristicNotified(let value)? = events.first,
            value.characteristic == .heartRateMeasurement,
            let before = state.live.devices[value.device]?.link.delivery, before.isWatched
        {
            delivery = (value.device, before.factor)
        } else {
            delivery = nil
        }
    }

    /// Whether anything may be claimed.
    public var areAny: Bool { session != nil || delivery != nil }

    /// The claims that the events have given rise to.
    ///
    /// - Parameter after: The state after the events.
    /// - Returns: At most three events, to be appended after them.
    public func made(in after: LogState) -> [Event] {
        var claims: [Event] = []
        if let before = session, let session = after.live.sessions[before.position] {
            if before.canTurn, session.turnAroundPosition != nil {
                claims.append(.turnAroundReached(TurnAroundReached(goal: session.goal)))
            }
            if session.goalReachedPosition != nil {
                claims.append(.goalReached(GoalReached(goal: session.goal)))
            }
        }
        if let delivery, let factor = after.live.devices[delivery.device]?.link.delivery.factor,
            factor != delivery.factor
        {
            claims.append(
                .deliveryMultiplied(
                    DeliveryMultiplied(
                        device: delivery.device, characteristic: .heartRateMeasurement,
                        factor: factor)))
        }
        return claims
    }
}
