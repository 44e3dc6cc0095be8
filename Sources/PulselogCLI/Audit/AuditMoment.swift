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

    /// Reads `4711`, `10:00`, `10:00:30` or `2026-03-01T09:00:30Z` as `audit steps --json` writes
    /// it; a time without a fraction means the whole of its second.
    init?(argument: String) {
        if let position = Self.number(argument[...]) {
            self = .position(Position(position))
        } else if argument.hasSuffix("Z"), let date = CivilDate(String(argument.prefix(10))),
            argument.dropFirst(10).first == "T",
            let time = Self.milliseconds(argument.dropFirst(11).dropLast())
        {
            self = .instant(date.daysSinceEpoch * 86_400_000 + time)
        } else if let time = Self.milliseconds(argument[...]) {
            self = .timeOfDay(time)
        } else {
            return nil
        }
    }

    /// A time of the day in milliseconds, or nil: `10:00`, `10:00:30`, `10:00:30.250`.
    private static func milliseconds(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fields = parts[0].split(separator: ":", omittingEmptySubsequences: false)
        let numbers = fields.filter { $0.utf8.count == 2 }.compactMap(number)
        guard numbers.count == fields.count, (2...3).contains(numbers.count), numbers[0] < 24,
            numbers.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        let seconds = numbers[0] * 3_600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
        guard parts.count == 2 else { return seconds * 1_000 + 999 }
        guard numbers.count == 3, parts[1].utf8.count == 3, let fraction = number(parts[1]) else {
            return nil
        }
        return seconds * 1_000 + fraction
    }

    /// A whole number of digits only, or nil.
    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { (48...57).contains($0) } ? Int64(text) : nil
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
