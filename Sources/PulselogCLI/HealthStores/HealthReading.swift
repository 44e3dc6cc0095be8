internal import Events
internal import Interchange
internal import Projections

/// What a health store's file says of the walker's steps.
struct HealthReading: Sendable {
    /// What is told at once.
    enum Content: Sendable {
        /// A total of one date, nil for today; it is reported as it is.
        case total(UInt64, date: CivilDate?)
        /// The totals of all dates, of which only what is new is reported.
        case days([DayTotal])
    }

    /// The form of the file.
    let format: HealthStoreFormat
    /// What it says.
    let content: Content
    /// How many of its step records could not be read or cannot be true, and of its totals are
    /// beyond what a log holds.
    var refusedCount: UInt64 = 0
    /// What is wrong with the rest of the file, of which this is the part before.
    var damage: String?

    /// The requests that make a log know what this says.
    ///
    /// A store is read again and again: a total is requested if it is greater than the greatest
    /// that the log knows of its date, or as great and of a later time. Read once more, it requests
    /// nothing.
    ///
    /// - Parameters:
    ///   - state: What the log knows.
    ///   - today: The local date; totals of later dates are left out.
    /// - Returns: The requests, in order of date.
    func requests(beyond state: LogState, today: CivilDate) -> [Command] {
        switch content {
        case .total(let total, let date):
            [.healthTotal(total, date: date, origin: format.origin, trigger: .observer)]
        case .days(let days):
            days.filter { $0.date <= today && Self.isNews($0, to: state.live.steps[$0.date]) }.map {
                .healthTotal(
                    $0.steps, date: $0.date, validUntilMilliseconds: $0.validUntilMilliseconds,
                    origin: format.origin, trigger: .observer)
            }
        }
    }

    private static func isNews(_ total: DayTotal, to day: Day?) -> Bool {
        guard total.steps > 0 else { return false }
        guard let known = day?.observedTotal, total.steps <= known else { return true }
        guard total.steps == known else { return false }
        return day?.observedUntilMilliseconds.map { $0 < total.validUntilMilliseconds } ?? true
    }
}
