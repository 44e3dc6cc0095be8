internal import ArgumentParser
internal import EventStore
internal import Events

/// Where a replay begins to show events: a position, or a time.
///
/// Read as ``AuditMoment``, but a time means the beginning of its second and not the end: what
/// happened from then on is shown.
enum ReplayStart: ExpressibleByArgument, Equatable {
    /// From this event on.
    case position(Position)
    /// From the first event at or after this time of the day: milliseconds since local midnight.
    case timeOfDay(Int64)
    /// From the first event at or after this instant: milliseconds of UTC since 1970.
    case instant(Int64)

    init?(argument: String) {
        if let number = WholeNumber.of(argument), number < AuditMoment.firstTime {
            self = .position(Position(number))
            return
        }
        switch TimeOption(argument: argument) {
        case .timeOfDay(let time)?: self = .timeOfDay(time)
        case .instant(let instant)?: self = .instant(instant)
        case nil: return nil
        }
    }
}

extension ReplaySource {
    /// The first event that is shown.
    ///
    /// - Parameter start: Where to begin; nil for the beginning of the source.
    /// - Returns: Its position, not before that of the source; the log's end if there is none.
    /// - Throws: `EventLogError`.
    func first(_ start: ReplayStart?) throws(EventLogError) -> Position {
        let position =
            switch start {
            case nil: self.start
            case .position(let position): position
            case .timeOfDay(let time):
                try log.firstPosition(after: .timeOfDay(time - 1), from: self.start, of: source)
            case .instant(let instant):
                try log.firstPosition(after: .instant(instant - 1), from: self.start, of: source)
            }
        return max(position, self.start)
    }
}
