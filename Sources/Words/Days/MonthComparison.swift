internal import Events
internal import Projections
internal import Text

/// This month next to the last one, both from their first day to yesterday's date.
struct MonthComparison {
    /// How much more or less there is.
    let sentence: String
    /// Which days were compared.
    let span: String

    /// Compares; nil on the first of a month, and where the month before has nothing or is known
    /// only in part.
    ///
    /// - Parameters:
    ///   - measure: Steps, distance or active time.
    ///   - calendar: All days.
    ///   - walks: All walks.
    ///   - units: The walker's.
    ///   - first: The first day of which anything is known.
    init?(
        _ measure: Measure, _ calendar: Calendar, _ walks: [SessionReport], _ units: Units,
        since first: CivilDate
    ) {
        let (year, month, day) = calendar.today.components
        guard day > 1, let now = CivilDate.month(month, of: year),
            let before = CivilDate.month(
                month == 1 ? 12 : month - 1, of: month == 1 ? year - 1 : year),
            before.lowerBound >= first
        else { return nil }
        let days = min(day - 1, before.days)
        func amount(_ month: ClosedRange<CivilDate>) -> UInt64 {
            let dates = month.lowerBound...month.lowerBound.advanced(by: days - 1)
            guard measure != .steps else { return calendar.span(dates).steps }
            let sums = WalkSums(walks.filter { $0.isSummed && dates.contains($0.date) })
            return measure == .active
                ? sums.activeMilliseconds : sums.distanceMillimetres ?? 0
        }
        let (this, last) = (amount(now), amount(before))
        guard last > 0 else { return nil }
        let (figure, unit): ((UInt64) -> String, String) =
            switch measure {
            case .steps: (grouped, "steps")
            case .active: (hours, "h")
            default: (units.distanceNumber, units.distanceName)
            }
        let names = "in \(now.lowerBound.monthName)"
        let past = "in \(before.lowerBound.monthName)"
        let (less, same) = measure == .steps ? ("fewer", "many") : ("less", "much")
        let text = "\(figure(this)) \(unit)"
        sentence =
            percents(to: this, from: last, "more", less).map {
                "\($0) \(names) than \(past): \(text) against \(figure(last))."
            } ?? "As \(same) \(names) as \(past): \(text)."
        span = days == 1 ? "Both on the 1st." : "Both from the 1st to the \(ordinal(days))."
    }
}

/// By how many percent a sum is more or less than one before that is not 0; nil below 1 %.
func percents(to now: UInt64, from past: UInt64, _ more: String, _ less: String) -> String? {
    let hundredfold = UInt128(max(now, past) - min(now, past)) * 100
    guard hundredfold >= UInt128(past) else { return nil }
    let percent = (hundredfold + UInt128(past / 2)) / UInt128(past)
    return "\(percent)\u{A0}% \(now > past ? more : less)"
}

/// `1st`, `22nd`, `13th`.
func ordinal(_ number: Int64) -> String {
    let ends = [1: "st", 2: "nd", 3: "rd"]
    return "\(number)" + (number / 10 == 1 ? "th" : ends[Int(number % 10)] ?? "th")
}
