package import Events
package import Interchange
package import Projections

/// What a health store's file says of the walker's steps.
package struct HealthReading: Sendable {
    /// What is told at once.
    package enum Content: Sendable {
        /// A total of one date, nil for today; it is reported as it is.
        case total(UInt64, date: CivilDate?)
        /// The totals of all dates with steps, in order, of which only what is news is reported.
        case days([HealthTotal])
    }

    /// The form of the file.
    package let format: HealthStoreFormat
    /// What it says.
    package let content: Content
    /// How many of its step records could not be read or cannot be true, and of its totals are
    /// beyond what a log holds.
    package internal(set) var refusedCount: UInt64 = 0
    /// What else the walker should know of the file, in sentences.
    package internal(set) var remarks: [String] = []
    /// The workouts.
    package internal(set) var workouts: [HealthWorkout] = []
    /// The walks that they are, if one pass gives them; nil to read them in another one.
    package internal(set) var walks: HealthWalks?
    /// What is wrong with the rest of the file, of which this is the part before.
    package internal(set) var damage: String?

    /// One request for each total up to today; which of them are news, the decider knows.
    ///
    /// - Parameter today: The local date; totals of later dates are left out.
    /// - Returns: The requests, in order of date.
    package func requests(today: CivilDate) -> [Command] {
        switch content {
        case .total(let total, let date):
            [.healthTotal(total, date: date, origin: format.origin, trigger: .observer)]
        case .days(let days):
            days.filter { $0.date <= today }.map { .news($0, origin: format.origin) }
        }
    }
}
