internal import ArgumentParser
internal import EventStore
internal import Events
internal import Projections

/// The place in the log at which a number is explained: a position, or a time.
enum AuditMoment: ExpressibleByArgument, Equatable {
    /// After this event.
    case position(Position)
    /// After the last event at or before this time of the day: milliseconds since local midnight.
    case timeOfDay(Int64)
    /// After the last event at or before this instant: milliseconds of UTC since 1970.
    case instant(Int64)

    /// Whether it needs a day to mean something.
    var isTimeOfDay: Bool {
        if case .timeOfDay = self { return true }
        return false
    }

    /// Numbers from here on are times: 2001-09-09 in milliseconds; no log has so many events.
    static let firstTime: Int64 = 1_000_000_000_000

    /// Reads a position, or a time as ``TimeOption`` does.
    ///
    /// A time without a fraction means the whole of its second.
    init?(argument: String) {
        self.init(argument, meansWholeSecond: true)
    }

    /// As above; if a time without a fraction does not mean the whole of its second, it means the
    /// second's first millisecond.
    init?(_ argument: String, meansWholeSecond: Bool) {
        if let number = WholeNumber.of(argument), number < Self.firstTime {
            self = .position(Position(number))
            return
        }
        let isWhole = meansWholeSecond && argument.contains(":") && !argument.contains(".")
        let rest: Int64 = isWhole ? 999 : 0
        switch TimeOption(argument: argument) {
        case .timeOfDay(let time)?: self = .timeOfDay(time + rest)
        case .instant(let instant)?: self = .instant(instant + rest)
        case nil: return nil
        }
    }
}
