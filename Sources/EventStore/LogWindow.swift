public import Events

/// Which events somebody asks for by their times: each bound is met by every event of the window.
///
/// Times do not only rise along a log: an hour comes twice when summer time ends and on a flight
/// west, and clocks are set back. So a window is a filter over all events.
public struct LogWindow: Sendable {
    /// A time that an event's is compared with.
    public enum Time: Hashable, Sendable {
        /// Milliseconds since local midnight of the first event's day.
        case timeOfDay(Int64)
        /// Milliseconds since 1970 by the clock on the wall, under the recorded zone offsets.
        case local(Int64)
        /// Milliseconds of UTC since 1970.
        case instant(Int64)
    }

    /// Where the events stand.
    public var positions: Range<Position> = 0 ..< .max
    /// The events are later than each of these.
    public var after: [Time] = []
    /// The events are no later than any of these.
    public var until: [Time] = []

    /// All events.
    public init() {}

    /// Whether it is only about positions.
    public var isTimeless: Bool { after.isEmpty && until.isEmpty }

    /// Whether an event meets every bound of time.
    fileprivate func holds(wall: Int64, local: Int64, midnight: Int64) -> Bool {
        func isLater(than time: Time) -> Bool {
            switch time {
            case .timeOfDay(let time): local > midnight + time
            case .local(let time): local > time
            case .instant(let time): wall > time
            }
        }
        return after.allSatisfy { isLater(than: $0) } && !until.contains { isLater(than: $0) }
    }
}

/// The events of a window.
public struct WindowedPositions: Sendable {
    /// Where they stand, in order.
    public private(set) var ranges: [Range<Position>] = []
    /// Why nothing is known of the events after them; nil if all were looked at.
    public fileprivate(set) var damage: EventLogError?

    /// The positions from the first to the last; nil if there is none.
    public var span: Range<Position>? {
        guard let first = ranges.first, let last = ranges.last else { return nil }
        return first.lowerBound..<last.upperBound
    }

    /// Whether no event is among them, as far as could be looked.
    ///
    /// - Parameter log: The log that they are positions of.
    /// - Returns: Whether nothing can be shown of them.
    /// - Throws: ``EventLogError``.
    public func isEmpty(in log: any EventLog) throws(EventLogError) -> Bool {
        guard let span else { return damage == nil }
        if span.isEmpty || span.lowerBound == 0 { return span.isEmpty }
        let next = try log.next
        return span.lowerBound >= next
    }

    fileprivate mutating func add(_ position: Position) {
        if let last = ranges.last, last.upperBound == position {
            ranges[ranges.count - 1] = last.lowerBound..<position + 1
        } else {
            ranges.append(position..<position + 1)
        }
    }

    /// Makes the positions of a window without times.
    fileprivate init(_ ranges: [Range<Position>] = []) {
        self.ranges = ranges
    }
}

extension EventLog {
    /// Looks for the events of a window, by the recorded clocks and zones.
    ///
    /// - Parameters:
    ///   - window: The window; without times nothing is read.
    ///   - source: Whose clocks count: 0 for this recorder's, else an import's. Events of others go
    ///     with the one before them. Nil for the clock of each, under the recorder's zone.
    /// - Returns: The positions.
    /// - Throws: ``EventLogError``, but for damage.
    public func positions(
        in window: LogWindow, of source: UInt32? = nil
    ) throws(EventLogError) -> WindowedPositions {
        guard !window.isTimeless else { return WindowedPositions([window.positions]) }
        var found = WindowedPositions()
        do throws(EventLogError) {
            let zones = source ?? 0
            var offset =
                try zoneOffsetMinutes(at: window.positions.lowerBound, of: zones) * 60_000
            var midnight: Int64?
            var isHeld = false
            let positions = window.positions
            try read(from: positions.lowerBound, until: positions.upperBound) { event in
                let header = event.header
                if header.source == zones, let minutes = ZoneOffset.minutes(event, of: zones) {
                    offset = minutes * 60_000
                }
                if source == nil || header.source == source {
                    let wall = header.stamp.wallMilliseconds
                    let date = CivilDate(wallMilliseconds: wall + offset, zoneOffsetMinutes: 0)
                    let day = midnight ?? date.daysSinceEpoch * 86_400_000
                    midnight = day
                    isHeld = window.holds(wall: wall, local: wall + offset, midnight: day)
                }
                if isHeld { found.add(header.position) }
                return true
            }
        } catch {
            guard error.code == .damaged else { throw error }
            found.damage = error
        }
        return found
    }
}
