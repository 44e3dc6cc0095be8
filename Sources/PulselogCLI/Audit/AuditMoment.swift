internal import ArgumentParser
internal import EventStore
internal import Events
internal import Projections

/// The place in the log at which a number is explained: a position, or a time.
enum AuditMoment: ExpressibleByArgument {
    /// Behind this event.
    case position(Position)
    /// Behind the last event that was stamped at or before this time of the day, in milliseconds
    /// since local midnight.
    case timeOfDay(Int64)

    /// Reads `4711`, `10:00` or `10:00:30`; a time means the whole of its second.
    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (48...57).contains($0) } ? Int64(part) : nil
        }
        guard numbers.count == parts.count else { return nil }
        switch numbers.count {
        case 1: self = .position(Position(numbers[0]))
        case 2, 3:
            let seconds = numbers.count == 3 ? numbers[2] : 0
            guard (0...24).contains(numbers[0]), (0...59).contains(numbers[1]),
                (0...59).contains(seconds), parts.allSatisfy({ $0.utf8.count <= 2 })
            else { return nil }
            self = .timeOfDay((numbers[0] * 3_600 + numbers[1] * 60 + seconds) * 1_000 + 999)
        default: return nil
        }
    }
}

extension Store {
    /// The last event of the recorder at or before a local time of a date.
    ///
    /// A wall clock may have stepped back: then it is the last one in the order of the log. Times
    /// are those of the recorded zone offsets, whatever the zone of this machine.
    ///
    /// - Throws: ``CommandFailure`` if there is none, or the log cannot be read.
    func lastPosition(
        on date: CivilDate, atMilliseconds time: Int64
    ) throws(CommandFailure) -> Position {
        let limit = date.daysSinceEpoch * 86_400_000 + time
        var state = LogState()
        var found: Position?
        do throws(EventLogError) {
            try log.read(from: 0) { header, payload in
                state.evolve(header, payload)
                let live = state.live
                if header.source == 0,
                    let wall = live.clock.wallMilliseconds(at: header.stamp, header.flags),
                    wall + live.recorder.zoneOffsetMinutes * 60_000 <= limit
                {
                    found = header.position
                }
                return true
            }
        } catch {
            throw CommandFailure(error, store: directory)
        }
        guard let found else {
            throw CommandFailure(.noInput, "The log begins later than this time on \(date).")
        }
        return found
    }
}
