public import Events

/// What events may newly claim, as far as the state before them says: a goal that is reached, a
/// turn-around, a strap whose values come several times.
///
/// The fold notes that a goal was reached, or how often values come; a claim is the event that says
/// so. It is found by comparing the state before the events with the state after them.
public struct PossibleClaims: Sendable {
    /// The open session's goal, if it can still be reached.
    private let goal: GoalProgress?
    /// The strap whose value is the first event, and how often each of its values comes.
    private let delivery: (device: DeviceID, factor: UInt64)?

    /// Looks at the state before events.
    ///
    /// - Parameters:
    ///   - first: The first event that was decided.
    ///   - state: The state after the last event of the log.
    public init(after first: Event, in state: LogState) {
        goal = GoalProgress(ofOpenSessionIn: state)
        if case .characteristicNotified(let value) = first,
            value.characteristic == .heartRateMeasurement,
            let factor = state.live.devices.watchedFactor(of: value.device)
        {
            delivery = (value.device, factor)
        } else {
            delivery = nil
        }
    }

    /// Whether anything may be claimed.
    public var areAny: Bool { goal != nil || delivery != nil }

    /// The claims that the events have given rise to.
    ///
    /// - Parameter after: The state after the events.
    /// - Returns: At most three events, to be appended after them.
    public func made(in after: LogState) -> [Event] {
        var claims: [Event] = []
        if let goal, let now = GoalProgress(of: goal.session, in: after) {
            if now.hasTurned, !goal.hasTurned {
                claims.append(.turnAroundReached(TurnAroundReached(goal: goal.goal)))
            }
            if now.isReached { claims.append(.goalReached(GoalReached(goal: goal.goal))) }
        }
        if let delivery, let factor = after.live.devices.factor(of: delivery.device),
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

/// How far the goal of a session is, as claims have it.
///
/// It is read field by field: a whole session is a kilobyte.
private struct GoalProgress {
    /// The event that began the session.
    let session: Position
    /// What the walker aims at.
    let goal: Goal
    /// Whether half of it was reached, where the walker wants to turn there.
    let hasTurned: Bool
    /// Whether it was reached.
    let isReached: Bool

    /// That of the open session; nil if there is none, or if its goal can no longer be reached.
    init?(ofOpenSessionIn state: LogState) {
        guard !state.live.sessions.slot.isEmpty,
            state.live.sessions.slot.value.goal.kind != .none,
            state.live.sessions.slot.value.goalReachedPosition == nil
        else { return nil }
        self.init(state.live.sessions.slot.value)
    }

    /// That of the session that an event began, open or ended; nil if there is no such session.
    init?(of position: Position, in state: LogState) {
        if !state.live.sessions.slot.isEmpty,
            state.live.sessions.slot.value.position == position
        {
            self.init(state.live.sessions.slot.value)
        } else {
            guard let session = state.live.sessions[position] else { return nil }
            self.init(session)
        }
    }

    @inline(__always)
    private init(_ session: borrowing Session) {
        self.session = session.position
        goal = session.goal
        hasTurned = session.turnAroundPosition != nil
        isReached = session.goalReachedPosition != nil
    }
}
