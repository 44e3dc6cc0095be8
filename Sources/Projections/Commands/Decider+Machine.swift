import Events

/// What the machine says of itself: its boot, its clocks, its zone.
extension Decider {
    /// A wall clock that goes this much further than the boot clock, or less far, was set.
    private static let clockStepMilliseconds: UInt64 = 2_000

    /// Whether the machine has nothing to say before an event of a moment: no event comes of
    /// ``Command/beginBoot(bootID:zoneOffsetMinutes:zoneName:)``, ``Command/readClocks`` and
    /// ``Command/setZone(offsetMinutes:name:)``, one after the other.
    ///
    /// So it is with nearly every event, and this is less to do than the three.
    ///
    /// - Parameters:
    ///   - bootID: The kernel's identity of the boot, 16 bytes.
    ///   - zoneOffsetMinutes: Minutes east of UTC.
    ///   - state: The state after the last event of the log.
    ///   - moment: When the event arrived.
    /// - Returns: Whether all is as the log says already.
    package static func isSettled(
        bootID: [UInt8], zoneOffsetMinutes: Int64, _ state: LogState, at moment: Moment
    ) -> Bool {
        !isNewBoot(bootID, state) && clockStep(state, at: moment) == nil
            && !isNewZone(zoneOffsetMinutes, state)
    }

    static func isNewBoot(_ bootID: [UInt8], _ state: LogState) -> Bool {
        state.own.recorder.bootID != bootID
    }

    static func isNewZone(_ offsetMinutes: Int64, _ state: LogState) -> Bool {
        state.own.recorder.zoneOffsetMinutes != offsetMinutes
    }

    static func clockEvents(_ state: LogState, at moment: Moment) -> [Event] {
        clockStep(state, at: moment).map { [.clockStepped(ClockStepped(stepMilliseconds: $0))] }
            ?? []
    }

    /// By how much the wall clock was set since the last event; nil if it was not.
    private static func clockStep(_ state: LogState, at moment: Moment) -> Int64? {
        guard let step = state.own.clock.wallStep(to: moment.stamp),
            step.magnitude > clockStepMilliseconds
        else { return nil }
        return step
    }
}
