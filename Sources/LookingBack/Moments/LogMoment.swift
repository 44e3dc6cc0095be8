package import EventStore
package import Events

/// A place in a log that somebody names: a position, or a time as ``WrittenTime``.
package enum LogMoment: Equatable {
    /// At this event.
    case position(Position)
    /// At the last event at or before this time of the day: milliseconds since local midnight.
    case timeOfDay(Int64)
    /// At the last event at or before this instant: milliseconds of UTC since 1970.
    case instant(Int64)

    /// Whether it needs a day to mean something.
    package var isTimeOfDay: Bool {
        if case .timeOfDay = self { true } else { false }
    }

    /// Numbers from here on are times: 2001-09-09 in milliseconds; no log has so many events.
    private static let firstTime: Int64 = 1_000_000_000_000

    /// Reads a place; a time without a fraction means the whole of its second.
    package init?(_ text: String) {
        self.init(text, from: text.contains(":") && !text.contains(".") ? 999 : 0)
    }

    /// Reads a place, whose time is so many milliseconds later.
    fileprivate init?(_ text: String, from rest: Int64) {
        if let number = WholeNumber.of(text), number < Self.firstTime {
            self = .position(Position(number))
            return
        }
        switch WrittenTime(text) {
        case .timeOfDay(let time)?: self = .timeOfDay(time + rest)
        case .instant(let instant)?: self = .instant(instant + rest)
        case nil: return nil
        }
    }

    /// The time that it names, if it names one.
    ///
    /// - Parameter midnight: The local midnight that a time of the day counts from, by the clock on
    ///   the wall; nil for that of the first event.
    /// - Returns: The time.
    fileprivate func time(midnight: Int64?) -> LogWindow.Time? {
        switch self {
        case .position: nil
        case .timeOfDay(let value): midnight.map { .local($0 + value) } ?? .timeOfDay(value)
        case .instant(let value): .instant(value)
        }
    }

    /// The position that it names, if it names one.
    fileprivate var position: Position? {
        if case .position(let position) = self { position } else { nil }
    }
}

extension LogWindow {
    /// Names a window.
    ///
    /// - Parameters:
    ///   - from: Where it begins; nil for no bound.
    ///   - until: Where it ends; nil for no bound.
    ///   - midnight: The local midnight that times of the day count from, by the clock on the wall;
    ///     nil for that of the first event.
    package init(from: LogStart?, until: LogMoment?, midnight: Int64? = nil) {
        self.init()
        let start = from?.moment.position ?? 0
        positions = start..<max(start, until?.position ?? .max)
        after = [from?.moment.time(midnight: midnight)].compactMap(\.self)
        self.until = [until?.time(midnight: midnight)].compactMap(\.self)
    }
}

/// A place in a log that something begins at: a time means the beginning of its second.
package struct LogStart: Equatable {
    /// Just before it; at a position, the position.
    package let moment: LogMoment

    /// Reads a place.
    package init?(_ text: String) {
        guard let moment = LogMoment(text, from: -1) else { return nil }
        self.moment = moment
    }
}

/// A part of a log, as somebody names it.
package struct LogSpan {
    private static let dayMilliseconds: Int64 = 86_400_000

    let from: LogStart?
    let until: LogMoment?
    let date: CivilDate?

    /// Names a part.
    ///
    /// - Parameters:
    ///   - from: Where it begins; nil for the beginning of the day, or of the log.
    ///   - until: Where it ends; nil for the end of the day, or of the log.
    ///   - date: The local date of a time of the day, default that of the last event.
    package init(from: LogStart?, until: LogMoment?, on date: CivilDate?) {
        (self.from, self.until, self.date) = (from, until, date)
    }

    /// The events of the part, each of which satisfies all that is named.
    ///
    /// - Parameter log: The log.
    /// - Returns: The positions; those of an end that is not limited reach beyond the log.
    /// - Throws: `EventLogError`.
    package func positions(in log: any EventLog) throws(EventLogError) -> WindowedPositions {
        let midnight = try midnight(in: log)
        var window = LogWindow(from: from, until: until, midnight: midnight)
        if date != nil {
            window.after.append(.local(midnight - 1))
            window.until.append(.local(midnight + Self.dayMilliseconds - 1))
        }
        return try log.positions(in: window)
    }

    /// The local midnight from which times of the day count, in milliseconds since 1970 by the
    /// clock on the wall; 0 where no time needs it.
    private func midnight(in log: any EventLog) throws(EventLogError) -> Int64 {
        if let date { return date.daysSinceEpoch * Self.dayMilliseconds }
        guard until?.isTimeOfDay == true || from?.moment.isTimeOfDay == true,
            case let next = try log.next, next > 0,
            let last = try log.events(in: next - 1..<next).first
        else { return 0 }
        let date = CivilDate(
            wallMilliseconds: last.header.stamp.wallMilliseconds,
            zoneOffsetMinutes: try log.zoneOffsetMinutes(at: next - 1))
        return date.daysSinceEpoch * Self.dayMilliseconds
    }
}
