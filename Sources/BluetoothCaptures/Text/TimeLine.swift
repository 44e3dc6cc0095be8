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
    private static let minuteMicroseconds: Int64 = 60_000_000

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
            let local = began * 1_000 + offset(at: began * 1_000)
            let midnight = date(local).daysSinceEpoch * Self.dayMicroseconds
            guard time.scale == .timeOfDay else {
                // The latest year in which the time is not long before the beginning.
                let year = yearStart(midnight)
                return (utc(ofLocal: year + time.microseconds - leapDay(year, time)), nil)
            }
            // A time of day that is half a day earlier than the one before is of the next date.
            if time.microseconds < timeOfDay - Self.dayMicroseconds / 2 { days += 1 }
            timeOfDay = time.microseconds
            return (utc(ofLocal: midnight + days * Self.dayMicroseconds + timeOfDay), nil)
        }
    }

    /// A day where the year has none on 29 February and the time is after it.
    private func leapDay(_ year: Int64, _ time: TextTime) -> Int64 {
        let february = 59 * Self.dayMicroseconds
        let isLeap = yearStart(year + 366 * Self.dayMicroseconds - 1) == year
        return isLeap || time.microseconds < february + Self.dayMicroseconds
            ? 0 : Self.dayMicroseconds
    }

    private func yearStart(_ local: Int64) -> Int64 {
        let date = date(local)
        let first = CivilDate(year: date.components.year, month: 1, day: 1) ?? date
        return first.daysSinceEpoch * Self.dayMicroseconds
    }

    private func date(_ local: Int64) -> CivilDate {
        CivilDate(wallMilliseconds: local / 1_000, zoneOffsetMinutes: 0)
    }

    private func utc(ofLocal local: Int64) -> Int64 {
        // The second look is right also next to the hour in which the offset changes.
        local - offset(at: local - offset(at: local))
    }

    private func offset(at microseconds: Int64) -> Int64 {
        (times.offsetMinutes?(microseconds / 1_000) ?? 0) * Self.minuteMicroseconds
    }
}
