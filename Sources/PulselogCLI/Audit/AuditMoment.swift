internal import ArgumentParser
internal import EventStore
internal import Events
internal import Projections

/// The place in the log at which a number is explained: a position, or a time.
enum AuditMoment: ExpressibleByArgument, Equatable {
    /// Behind this event.
    case position(Position)
    /// Behind the last event at or before this time of the day: milliseconds since local midnight.
    case timeOfDay(Int64)
    /// Behind the last event at or before this instant: milliseconds of UTC since 1970.
    case instant(Int64)

    /// Whether it needs a day to mean something.
    var isTimeOfDay: Bool {
        if case .timeOfDay = self { return true }
        return false
    }

    /// Numbers from here on are times: 2001-09-09 in milliseconds; no log has so many events.
    private static let firstTime: Int64 = 1_000_000_000_000

    /// Reads a position, or a time as ``TimeOption`` does.
    ///
    /// A time without a fraction means the whole of its second.
    init?(argument: String) {
        if let number = WholeNumber.of(argument), number < Self.firstTime {
            self = .position(Position(number))
            return
        }
        let isWhole = argument.contains(":") && !argument.contains(".")
        let rest: Int64 = isWhole ? 999 : 0
        switch TimeOption(argument: argument) {
        case .timeOfDay(let time)?: self = .timeOfDay(time + rest)
        case .instant(let instant)?: self = .instant(instant + rest)
        case nil: return nil
        }
    }
}

extension Store {
    /// The last event of the recorder whose time is at or before a limit.
    ///
    /// A wall clock may have stepped back: then it is the last one in the order of the log. Local
    /// times are those of the recorded zone offsets, whatever the zone of this machine.
    ///
    /// - Parameters:
    ///   - limit: Milliseconds since 1970, of local time or UTC.
    ///   - isLocal: Whether `limit` is local time.
    /// - Returns: The position, or nil if the log begins later.
    /// - Throws: ``CommandFailure`` if the log cannot be read.
    func lastPosition(
        atMilliseconds limit: Int64, isLocal: Bool
    ) throws(CommandFailure) -> Position? {
        var state = LogState()
        var found: Position?
        do throws(EventLogError) {
            try log.read(from: 0) { header, payload in
                state.evolve(header, payload)
                let live = state.live
                guard header.source == 0,
                    let wall = live.clock.wallMilliseconds(at: header.stamp, header.flags)
                else { return true }
                let offset = isLocal ? live.recorder.zoneOffsetMinutes * 60_000 : 0
                if wall + offset <= limit { found = header.position }
                return true
            }
        } catch {
            throw CommandFailure(error, store: directory)
        }
        return found
    }
}
