package import Clocks
package import Events
package import Projections

/// What a log starts over with, after the events that it was restored or recovered with.
package enum NewOrigin {
    /// The events: `originBegan`, and what the machine has to say before anything else is appended.
    ///
    /// What was going on when the last event was recorded has ended: the machine's boot is a new
    /// one, unless the log tells that it is the same. An open session stays open, and a recorder
    /// that did not stop is found dead by whoever appends next.
    ///
    /// - Parameters:
    ///   - cause: Why there is a new origin.
    ///   - checkpoint: The last checkpoint known of the origin before; at most 1,024 bytes.
    ///   - state: The state after the last event of the log.
    ///   - machine: This machine.
    ///   - arrival: Now.
    /// - Returns: The events, in order, to be appended together.
    /// - Throws: `FieldError` if the checkpoint is too long, or the log has no room for another
    ///   boot.
    package static func events(
        _ cause: OriginCause, checkpoint: String? = nil, after state: LogState, on machine: Machine,
        at arrival: Arrival
    ) throws(FieldError) -> EventBatch {
        let machine = state.named(machine, at: arrival)
        let (recorder, lastNumber) = (state.own.recorder, state.own.clock.bootNumber)
        // The event that told of the last boot may be among those that were lost.
        let isSameBoot =
            recorder.bootNumber != nil && recorder.bootID == machine.bootID
            && recorder.bootNumber == lastNumber
        let highest = [recorder.bootNumber, lastNumber].compactMap(\.self).max()
        let next = highest.map { $0 == .max ? $0 : $0 + 1 } ?? 0
        let moment = arrival.moment(bootNumber: isSameBoot ? highest ?? 0 : next)
        let zone = machine.zone(arrival.wallMilliseconds)
        var events: [Event] = [.originBegan(OriginBegan(cause: cause, checkpoint: checkpoint))]
        if isSameBoot {
            do throws(Refusal) {
                events += try Decider.events(for: .readClocks, state, at: moment)
            } catch {
                preconditionFailure("The clocks cannot be read.")
            }
        } else {
            let began = BootBegan(
                bootID: machine.bootID, zoneOffsetMinutes: zone.offsetMinutes, zoneName: zone.name)
            events.append(.bootBegan(began))
        }
        var batch = EventBatch()
        for event in events {
            try batch.append(event, stamp: moment.stamp, flags: moment.flags)
        }
        return batch
    }
}
