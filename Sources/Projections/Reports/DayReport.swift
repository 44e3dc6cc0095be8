package import Events

/// A day's steps, ready to be shown: what a ``Day`` holds, also where no event has touched one.
@dynamicMemberLookup
package struct DayReport: Hashable, Sendable {
    private let day: Day
    /// The first and the last event that touched the day, or nil if none did.
    package private(set) var positions: ClosedRange<Position>?

    init(_ day: Day) {
        self.day = day
        positions = day.positions
    }

    /// What the day holds.
    package subscript<Value>(dynamicMember field: KeyPath<Day, Value>) -> Value {
        day[keyPath: field]
    }

    /// A day of which nothing is known, as a view shows it before the first event says so.
    package init(withoutEvents date: CivilDate) {
        self.init(Day(date, at: 0))
        positions = nil
    }

    /// Whether an event touched it.
    package var isKnown: Bool { positions != nil }
}

extension LogState {
    /// The walker's days, in order of date.
    package func dayReports() -> [DayReport] {
        walked.steps.days.map(DayReport.init)
    }

    /// The last days of the calendar, the latest first, those without events between them.
    ///
    /// - Parameters:
    ///   - count: How many there are at most: none is before the first that is known.
    ///   - named: The last of them; nil for today, or if all of several up to it are without
    ///     events, for the last that is known: a log of last spring shows its days.
    ///   - today: The walker's day now.
    /// - Returns: The days; at least one.
    package func lastDays(
        _ count: Int64, upTo named: CivilDate?, today: CivilDate
    ) -> [DayReport] {
        var last = named ?? today
        let known = dayReports().filter { $0.date <= last }
        if named == nil, count > 1, let latest = known.last?.date,
            latest.daysSinceEpoch <= last.daysSinceEpoch - count
        {
            last = latest
        }
        let first = max(
            last.daysSinceEpoch - count + 1, known.first?.date.daysSinceEpoch ?? .max)
        var days = known.filter { $0.date.daysSinceEpoch >= first }
        return stride(from: last.daysSinceEpoch, through: min(first, last.daysSinceEpoch), by: -1)
            .compactMap { number in
                if days.last?.date.daysSinceEpoch == number { return days.removeLast() }
                return CivilDate(daysSinceEpoch: number).map { DayReport(withoutEvents: $0) }
            }
    }
}

extension DayReport: CustomReflectable {
    /// What differs between two of them is told by the names of the day's own fields.
    package var customMirror: Mirror {
        let sums = [("displayed", day.displayed), ("corrected", day.corrected)]
        return Mirror(
            self, children: sums.map { ($0, $1) } + Array(Mirror(reflecting: day).children))
    }
}

/// A device, ready to be shown.
///
/// Names are a stranger's text and must be escaped.
@dynamicMemberLookup
package struct DeviceReport: Hashable, Sendable, CustomReflectable {
    private let device: Device
    /// The roles in which it is primary.
    package let primaryRoles: [Role]

    init(_ device: Device, in devices: Devices) {
        self.device = device
        primaryRoles = Role.allCases.filter { devices.primary($0) == device.id }
    }

    /// What is known of the device.
    package subscript<Value>(dynamicMember field: KeyPath<Device, Value>) -> Value {
        device[keyPath: field]
    }

    /// What differs between two of them is told by the names of the device's own fields.
    package var customMirror: Mirror {
        Mirror(
            self,
            children: [("primaryRoles", primaryRoles)] + Array(Mirror(reflecting: device).children))
    }

    /// Whether it is paired.
    package var isPaired: Bool { device.pairedAt != nil }
    /// Whether its values count also where they deny contact.
    package var isContactIgnored: Bool { device.contact.isIgnored }
}

extension LogState {
    /// The live recorder's devices: the paired ones first, in order of pairing.
    package func deviceReports() -> [DeviceReport] {
        let others = own.devices.all.filter { $0.pairedAt == nil }
        return (own.devices.paired + others).map { DeviceReport($0, in: own.devices) }
    }
}
