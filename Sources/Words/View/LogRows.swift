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
        fileprivate var senders: Set<String> = []
        /// Those next to the position.
        fileprivate var near: [RecordedEvent] = []

        /// Whether a reading belongs to it: the row says whose they are.
        fileprivate func takes(_ next: EventHeader) -> Bool {
            let (own, simulated) = (first.header, EventFlags.simulated)
            return count > 0 && own.source == next.source
                && own.flags.contains(simulated) == next.flags.contains(simulated)
        }
    }

    /// As many rows stand before the position, with its own; one less after it.
    private static let limit = 5

    private let here: Position
    private let shown: Shown
    /// The rows, oldest first.
    package private(set) var rows: [Row] = []
    private var after = 0

    /// Lists nothing yet.
    package init(around here: Position, _ shown: Shown) {
        (self.here, self.shown) = (here, shown)
    }

    /// Whether events before those that were taken, from `start` on, would change nothing.
    package func isWhole(from start: Position) -> Bool {
        // A row that begins where the reading did may have begun before.
        rows.count - after == Self.limit && rows[0].first.header.position > start
    }

    /// Puts rows in front whose events stand before all that were taken.
    package mutating func insert(_ earlier: LogRows) {
        var earlier = earlier.rows
        if let next = rows.first, next.count > 0, earlier.last?.takes(next.first.header) == true {
            let last = earlier.removeLast()
            rows[0] = Row(
                first: last.first, lastMilliseconds: next.lastMilliseconds,
                count: last.count + next.count, senders: last.senders.union(next.senders),
                near: last.near + next.near)
        }
        rows = (earlier + rows).suffix(Self.limit + after)
    }

    /// Takes the next event; false if no further one is listed.
    package mutating func take(_ event: borrowing EventView) -> Bool {
        let header = event.header
        guard shown.lists(header.kind) else { return true }
        let isReading = shown == .all && header.kind.isReading
        if !isReading || rows.last?.takes(header) != true {
            let isAfter = header.position > here
            guard !isAfter || after < Self.limit - 1 else { return false }
            if isAfter { after += 1 }
            rows.append(Row(first: event.recorded, lastMilliseconds: 0))
            if after == 0, rows.count > Self.limit { rows.removeFirst() }
        }
        guard isReading else { return true }
        let last = rows.count - 1
        rows[last].count += 1
        rows[last].lastMilliseconds = header.stamp.wallMilliseconds
        rows[last].senders.insert(event.sender)
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
        let senders = enumerated(EventView.senders.filter(senders.contains))
        return first.marked(
            "\(capitalized(senders)): \(counted(count, "reading")) to "
                + begin.moved(to: lastMilliseconds).seconds)
    }
}

extension EventView {
    fileprivate static let senders = [
        "strap", "foot pod", "battery", "pedometer", "health store", "positions",
    ]

    /// What sends readings like it; one of ``senders``.
    fileprivate var sender: String {
        switch header.kind.lane {
        case .place: "positions"
        case .heart: heartFields?.characteristic == .batteryLevel ? "battery" : "strap"
        default:
            pedometerFields?.form == .runningSpeedCadenceMeasurement
                ? "foot pod" : header.kind == .pedometerRead ? "pedometer" : "health store"
        }
    }
}

extension EventKind {
    /// Whether it is what a sensor reads again and again.
    fileprivate var isReading: Bool {
        lane == .heart || lane == .place || self == .pedometerRead || self == .stepSampleObserved
    }
}
