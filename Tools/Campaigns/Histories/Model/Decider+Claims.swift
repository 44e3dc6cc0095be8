public import Events
public import Projections

extension Decider {
    /// Decides a command, with the claims that its events give rise to, once each, at the end.
    ///
    /// For whoever does not fold what is decided; the recorder folds it anyway.
    ///
    /// - Parameters:
    ///   - command: What is asked for.
    ///   - state: The state after the last event of the log.
    ///   - moment: When it is asked.
    /// - Returns: The events; none if there is nothing to say.
    /// - Throws: ``Refusal`` if the command makes no sense in this state.
    public static func decide(
        _ command: Command, _ state: LogState, at moment: Moment
    ) throws(Refusal) -> [Event] {
        let events = try events(for: command, state, at: moment)
        do throws(FieldError) {
            for event in events { _ = try event.encodedPayload() }
            guard let first = events.first else { return events }
            let claims = PossibleClaims(after: first, in: state)
            guard claims.areAny else { return events }
            var after = state
            for event in events {
                let header = EventHeader(
                    position: after.head.map { $0 + 1 } ?? 0, source: 0, stamp: moment.stamp,
                    flags: moment.flags, kind: event.kind, version: event.version)
                try after.evolve(RecordedEvent(header: header, event: event))
            }
            return events + claims.made(in: after)
        } catch {
            throw Refusal(.fieldOutOfRange, field: error.field)
        }
    }
}
