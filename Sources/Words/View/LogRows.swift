package import Events
package import JSON
internal import Text

/// What stands around a position of the log, as a list shows it: what happened, and the readings
/// between as one row, of which those next to the position are rows of their own.
package struct LogRows {
    /// Which events are listed.
    package enum Shown: String, Sendable {
        case all, walks, days

        fileprivate func lists(_ kind: EventKind) -> Bool {
            switch self {
            case .all: true
            case .walks: kind.lane == .session
            case .days: kind.lane == .day || kind.lane == .steps && !kind.isReading
            }
        }
    }

    /// One event, or readings that follow each other.
    package struct Row {
        /// The first event of it.
        package let first: RecordedEvent
        fileprivate var lastMilliseconds: Int64
        fileprivate var count: UInt64 = 0
        fileprivate var lanes: Set<Lane> = []
        /// Those next to the position.
        fileprivate var near: [RecordedEvent] = []
    }

    /// As many rows stand before the position, with its own; one less after it.
    private static let limit = 5

    private let here: Position
    private let shown: Shown
    /// The rows, oldest first.
    package private(set) var rows: [Row] = []
    private var after = 0
    private var isEnded = false

    /// Lists nothing yet.
    package init(around here: Position, _ shown: Shown) {
        (self.here, self.shown) = (here, shown)
    }

    /// Whether more events than those of a range would change nothing.
    package func isWhole(of range: Range<Position>, in log: Range<Position>) -> Bool {
        // A row that begins where the reading did may have begun before.
        let isBegun =
            rows.count - after == Self.limit && rows[0].first.header.position > range.lowerBound
        return (isBegun || range.lowerBound == log.lowerBound)
            && (isEnded || range.upperBound == log.upperBound)
    }

    /// Takes the next event; false if no further one is listed.
    package mutating func take(_ event: borrowing EventView) -> Bool {
        let header = event.header
        guard shown.lists(header.kind) else { return true }
        let isReading = shown == .all && header.kind.isReading
        if !isReading || rows.last?.count ?? 0 == 0 {
            isEnded = header.position > here && after == Self.limit - 1
            guard !isEnded else { return false }
            if header.position > here { after += 1 }
            rows.append(Row(first: event.recorded, lastMilliseconds: 0))
            if after == 0, rows.count > Self.limit { rows.removeFirst() }
        }
        guard isReading, let lane = header.kind.lane else { return true }
        let last = rows.count - 1
        rows[last].count += 1
        rows[last].lastMilliseconds = header.stamp.wallMilliseconds
        rows[last].lanes.insert(lane)
        if max(header.position, here) - min(header.position, here) <= 2 {
            rows[last].near.append(event.recorded)
        }
        return true
    }
}

extension LogRows.Row {
    /// Writes the row, and those near the position as rows after it.
    ///
    /// - Parameters:
    ///   - here: The position.
    ///   - json: An array that is open.
    ///   - show: How an event is shown.
    package func write(
        around here: Position, to json: inout JSONWriter, _ show: (RecordedEvent) -> ShownEvent
    ) {
        let (shown, isGroup) = (show(first), count > 1)
        json.object { json in
            shown.writeLine(isGroup ? words(shown.time) : nil, to: &json)
            json.field("isGroup", isGroup)
        }
        guard isGroup, near.contains(where: { $0.header.position == here }) else { return }
        for event in near.reversed() {
            json.object { json in
                show(event).writeLine(to: &json)
                json.field("isWithin", true)
            }
        }
    }

    /// `Strap and pedometer: 1,061 readings to 09:52:52`.
    private func words(_ begin: LocalTime) -> String {
        let names: [(Lane, String)] = [
            (.heart, "strap"), (.steps, "pedometer"), (.place, "positions"),
        ]
        let sources = enumerated(names.filter { lanes.contains($0.0) }.map(\.1))
        return "\(capitalized(sources)): \(counted(count, "reading")) to "
            + begin.moved(to: lastMilliseconds).seconds
    }
}

extension EventKind {
    /// Whether it is what a sensor reads again and again.
    fileprivate var isReading: Bool {
        lane == .heart || lane == .place || self == .pedometerRead || self == .stepSampleObserved
    }
}
