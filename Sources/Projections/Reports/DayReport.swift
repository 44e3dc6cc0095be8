public import Events

/// A day's steps, ready to be shown.
public struct DayReport: Hashable, Sendable {
    /// The local date.
    public let date: CivilDate
    /// Minutes east of UTC when the day was opened, or nil if only totals are known.
    public let offsetMinutes: Int64?
    /// The count that people see.
    public let displayed: UInt64
    /// The count with corrections.
    public let corrected: UInt64
    /// What the last reconciliation settled.
    public let baseline: UInt64
    /// What the pedometer counted since.
    public let delta: UInt64
    /// What the pedometer counted on this date in all.
    public let pedometerSteps: UInt64
    /// The greatest health total, or nil.
    public let observedTotal: UInt64?
    /// Until when that total counts, in UTC milliseconds, or nil if not given.
    public let observedUntilMilliseconds: Int64?
    /// The greatest total that was reported when the day was not the current one, or 0.
    public let lateTotal: UInt64
    /// The value that an earlier program displayed, or nil.
    public let legacyTotal: UInt64?
    /// The sum of the corrections.
    public let correction: Int64
    /// How many corrections there are.
    public let corrections: UInt64
    /// The last numbers that nobody can have walked, and that count nothing.
    public let setAside: [SetAside]
    /// How many there are.
    public let setAsideCount: UInt64
    /// How many reconciliations there were.
    public let reconciliations: UInt64
    /// The last one that took a max(), or nil.
    public let lastReconciliation: Reconciliation?
    /// The first and the last event that touched the day, or nil if none did.
    public private(set) var positions: ClosedRange<Position>?

    init(_ day: Day) {
        date = day.date
        offsetMinutes = day.offsetMinutes
        displayed = day.displayed
        corrected = day.corrected
        baseline = day.baseline
        delta = day.delta
        pedometerSteps = day.pedometerSteps
        observedTotal = day.observedTotal
        observedUntilMilliseconds = day.observedUntilMilliseconds
        lateTotal = day.lateTotal
        legacyTotal = day.legacyTotal
        correction = day.correction
        corrections = day.corrections
        setAside = day.setAside
        setAsideCount = day.setAsideCount
        reconciliations = day.reconciliations
        lastReconciliation = day.lastReconciliation
        positions = day.positions
    }

    /// A day of which nothing is known, as a view shows it before the first event says so.
    public init(withoutEvents date: CivilDate) {
        self.init(Day(date, at: 0))
        positions = nil
    }

    /// Whether an event touched it.
    public var isKnown: Bool { positions != nil }
}

extension LogState {
    /// The walker's days, in order of date.
    public func dayReports() -> [DayReport] {
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
    public func lastDays(
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

/// A device, ready to be shown.
///
/// Names are a stranger's text and must be escaped.
public struct DeviceReport: Hashable, Sendable {
    /// Its identity.
    public let id: DeviceID
    /// Its name, or nil.
    public let name: String?
    /// The roles it fills.
    public let roles: Roles
    /// Whether it is paired.
    public let isPaired: Bool
    /// The roles in which it is primary.
    public let primaryRoles: [Role]
    /// The last charge it reported, in percent, or nil.
    public let batteryPercent: UInt8?
    /// The number of its place on the body, or nil.
    public let bodyLocation: UInt8?
    /// Its maker, or nil.
    public let manufacturer: String?
    /// Whether its values count also where they deny contact.
    public let isContactIgnored: Bool
    /// Its connection and what became of it.
    public let link: LinkHistory

    init(_ device: Device, in devices: Devices) {
        id = device.id
        name = device.name
        roles = device.roles
        isPaired = device.pairedAt != nil
        primaryRoles = Role.allCases.filter { devices.primary($0) == device.id }
        batteryPercent = device.batteryPercent
        bodyLocation = device.bodyLocation
        manufacturer = device.manufacturer
        isContactIgnored = device.contact.isIgnored
        link = device.link
    }
}

extension LogState {
    /// The live recorder's devices: the paired ones first, in order of pairing.
    public func deviceReports() -> [DeviceReport] {
        let others = live.devices.all.filter { $0.pairedAt == nil }
        return (live.devices.paired + others).map { DeviceReport($0, in: live.devices) }
    }
}
