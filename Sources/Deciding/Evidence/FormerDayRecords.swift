internal import Events
internal import Projections
internal import TamperEvidence

/// Makes the records of days as earlier versions wrote them, to judge those that a log holds.
///
/// They are no longer written: what was simulated counted, a day had the zone of the event
/// that ended it, and a record told the hash of the day before. A fold over the whole log. A day is
/// over with the event that opens another date; a date that counts again later has a record for
/// each time.
struct FormerDayRecords {
    /// The day that counts now.
    private struct OpenDay {
        let firstIndex: UInt64
        var canonicalBytes: [UInt8] = []
    }

    /// The state after the last event.
    private var state = LogState(rules: Self.rules)
    private var open: OpenDay?
    private var previousSHA256 = [UInt8](repeating: 0, count: 32)

    private static var rules: Rules {
        var rules = Rules.believing
        rules.countSimulated = true
        rules.countNothingOverMidnight = true
        return rules
    }

    /// Takes one event in.
    ///
    /// - Parameter event: The event.
    /// - Returns: The record of the day that this event ends; nil if it ends none.
    mutating func evolve(_ event: borrowing EventView) -> DayClosed? {
        let index = state.stepsIndex
        let effects = state.evolve(event)
        guard event.header.kind.lane == .steps else { return nil }
        var closed: DayClosed?
        if effects.begun != nil {
            closed = effects.ended.flatMap { record(of: $0, until: index) }
            open = OpenDay(firstIndex: index)
        }
        event.withPayload {
            open?.canonicalBytes += event.header.canonicalBytes(laneIndex: index, payload: $0)
        }
        return closed
    }

    private mutating func record(of day: Effects.Ended, until end: UInt64) -> DayClosed? {
        guard let open else { return nil }
        let closed = DayClosed(
            date: day.date, offsetMinutes: state.own.recorder.zoneOffsetMinutes,
            displayed: day.displayed,
            corrected: Int64(clamping: day.corrected), firstStepsIndex: open.firstIndex,
            endStepsIndex: end,
            stepsSHA256: FileDigest(open.canonicalBytes).bytes,
            previousDaySHA256: previousSHA256)
        do throws(FieldError) {
            let payload = try Event.dayClosed(closed).encodedPayload()
            previousSHA256 = FileDigest(payload).bytes
        } catch {
            // A count beyond what an event can hold: no record, and the next one follows the last.
            return nil
        }
        return closed
    }
}
