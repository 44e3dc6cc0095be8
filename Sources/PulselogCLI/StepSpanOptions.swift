internal import ArgumentParser
internal import Events
internal import JSON
internal import Projections
internal import Terminal
internal import Words

/// Steps of more than days: which weeks, months or year are shown.
struct StepSpanOptions: ParsableArguments {
    // Text, for the parser takes what is no number for an option without a value.
    @Option(defaultAsFlag: "8", help: "How many weeks back, 1 to 5300.")
    var weeks: String?
    @Flag(help: "The months of a year.")
    var months = false
    @Flag(help: "Each day of a year, drawn as a calendar.")
    var calendar = false
    @Flag(help: "The days of a year with steps, but fewer than today's goal; latest first.")
    var missed = false
    @Option(help: "The year of --months, --calendar or --missed; default this one.")
    var year: Int64?

    private var weekCount: Int? { weeks.map { Int($0) ?? 0 } }

    /// Whether any of it is asked for.
    var isGiven: Bool { weeks != nil || months || calendar || missed }

    func validate() throws {
        try refuse(weekCount, of: "--weeks", outside: 1...5_300)
        try refuse(year, of: "--year", outside: 1_000...9_999)
        try refuse(
            [weeks != nil, months, calendar, missed].count(where: \.self) > 1,
            "Choose one of --weeks, --months, --calendar and --missed.")
        try refuse(
            year != nil && !months && !calendar && !missed,
            "--year is that of --months, --calendar or --missed.")
    }

    /// Writes what is asked for.
    func show(_ state: LogState, today: CivilDate, _ common: CommonOptions) {
        let calendar = state.calendar(today: today)
        let text = CalendarText(calendar, columns: common.columns, units: state.units)
        let year = year ?? today.components.year
        if let weekCount {
            guard !common.json else { return write(calendar.weeks(weekCount)) }
            common.draw(text.weeks(weekCount))
        } else if months {
            let walks = state.sessionReports(at: state.lastMoment).filter(\.isSummed)
            guard !common.json else {
                return write(calendar.months(of: year, since: walks.map(\.date).min()), walks)
            }
            common.draw(text.months(of: year, walks))
        } else if missed {
            guard !common.json else { return write(calendar.missed(in: year), calendar.goal) }
            common.draw(text.missed(in: year))
        } else {
            let days = calendar.counted.filter { $0.date.components.year == year }
            guard !common.json else { return write(days, calendar.goal) }
            common.draw(text.year(year))
        }
    }

    private func write(_ spans: [Projections.Calendar.Span], _ walks: [SessionReport]? = nil) {
        for span in spans {
            Output.standard.write { json in
                json.field("from", span.dates.lowerBound.description)
                json.field("until", span.dates.upperBound.description)
                json.field("steps", span.steps)
                json.field("days", span.days)
                json.field("mean", span.mean)
                json.field("goalDays", span.reached)
                json.field("underWay", span.isUnderWay)
                guard let walks else { return }
                let sums = WalkSums(walks.filter { span.dates.contains($0.date) })
                json.field("walks", sums.walks)
                json.field("distanceMillimetres", sums.distanceMillimetres)
            }
        }
    }

    private func write(_ days: [(date: CivilDate, steps: UInt64)], _ goal: UInt64?) {
        for day in days {
            Output.standard.write { json in
                json.field("date", day.date.description)
                json.field("steps", day.steps)
                json.field("goal", goal)
            }
        }
    }
}
