public import Events

extension StatedTimes {
    /// What a capture does not say of its times.
    public enum Gap: Hashable, Sendable {
        /// On which date, or in which year, they are.
        case date
        /// In which zone they are.
        case zone
        /// Some stand in lines with values, in a form that is not known.
        case unreadable
    }
}

/// Makes UTC of the times in a text, one after the other.
struct TimeLine {
    private static let dayMicroseconds: Int64 = 86_400_000_000

    private let times: StatedTimes
    /// The time of day before, and how many midnights have passed.
    private var timeOfDay: Int64 = 0
    private var days: Int64 = 0

    init(_ times: StatedTimes) {
        self.times = times
    }

    /// When a capture without any times begins.
    var beginning: Int64 { (times.beganAtMilliseconds ?? 0) * 1_000 }

    /// UTC in microseconds since 1970, as far as it is known.
    ///
    /// - Returns: The time, and what is not known of it; without a zone it is that of a clock in
    ///   UTC, and without a date it is in 1970.
    mutating func utc(_ time: TextTime) -> (microseconds: Int64, gap: StatedTimes.Gap?) {
        let began = times.beganAtMilliseconds
        switch time.scale {
        case .utc: return (time.microseconds, nil)
        case .elapsed: return (beginning + time.microseconds, began == nil ? .date : nil)
        case .local:
            guard times.offsetMinutes != nil else { return (time.microseconds, .zone) }
            return (utc(ofLocal: time.microseconds), nil)
        case .yearless, .timeOfDay:
            guard let began else { return (time.microseconds, .date) }
            let date = CivilDate(
                wallMilliseconds: began, zoneOffsetMinutes: times.offsetMinutes?(began) ?? 0)
            let midnight = date.daysSinceEpoch * Self.dayMicroseconds
            guard time.scale == .timeOfDay else {
                // The latest year in which the time is not long before the beginning.
                let year = date.components.year
                return (utc(ofLocal: Self.local(time.microseconds, in: year)), nil)
            }
            // A time of day that is half a day earlier than the one before is of the next date.
            if time.microseconds < timeOfDay - Self.dayMicroseconds / 2 { days += 1 }
            timeOfDay = time.microseconds
            return (utc(ofLocal: midnight + days * Self.dayMicroseconds + timeOfDay), nil)
        }
    }

    /// A time that was counted in a leap year, in another year.
    private static func local(_ microseconds: Int64, in year: Int64) -> Int64 {
        guard let start = CivilDate(year: year, month: 1, day: 1)?.daysSinceEpoch else {
            return microseconds
        }
        let isLeap = CivilDate(year: year, month: 2, day: 29) != nil
        let isAfter = microseconds >= 60 * dayMicroseconds
        return (isLeap || !isAfter ? start : start - 1) * dayMicroseconds + microseconds
    }

    private func utc(ofLocal local: Int64) -> Int64 {
        ZoneOffset.utc(ofLocal: local / 1_000) { times.offsetMinutes?($0) ?? 0 } * 1_000
            + local % 1_000
    }
}
