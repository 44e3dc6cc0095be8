internal import ArgumentParser
internal import Events
internal import Interchange
internal import JSON
internal import Projections
internal import Terminal
internal import Words

/// Steps of more than days: which weeks, months or year are shown.
struct StepSpanOptions: ParsableArguments {
    @Option(help: "How many weeks back, 1 to 5300.")
    var weeks: Int?
    @Flag(help: "The months of a year.")
    var months = false
    @Flag(help: "Each day of a year, drawn as a calendar.")
    var calendar = false
    @Option(help: "The year of --months or --calendar; default this one.")
    var year: Int64?

    /// Whether any of it is asked for.
    var isGiven: Bool { weeks != nil || months || calendar }

    func validate() throws {
        guard (1...5_300).contains(weeks ?? 1) else {
            throw ValidationError("--weeks must be from 1 to 5300.")
        }
        guard (1...9_999).contains(year ?? 1) else {
            throw ValidationError("--year must be from 1 to 9999.")
        }
        guard [weeks != nil, months, calendar].count(where: \.self) <= 1 else {
            throw ValidationError("Choose one of --weeks, --months and --calendar.")
        }
        if year != nil, !months, !calendar {
            throw ValidationError("--year is that of --months or --calendar.")
        }
    }

    /// Writes what is asked for.
    func show(_ state: LogState, today: CivilDate, _ common: CommonOptions) {
        let calendar = state.calendar(today: today)
        let text = CalendarText(calendar, columns: common.columns, units: state.units)
        let year = year ?? today.components.year
        if let weeks {
            guard !common.json else { return write(calendar.weeks(weeks)) }
            common.draw(text.weeks(weeks))
        } else if months {
            guard !common.json else { return write(calendar.months(of: year)) }
            let walks = state.sessionReports(at: state.lastMoment).filter(\.isSummed)
            common.draw(text.months(of: year, walks))
        } else {
            guard !common.json else { return write(daysOf: year, in: calendar) }
            common.draw(text.year(year))
        }
    }

    private func write(_ spans: [Projections.Calendar.Span]) {
        for span in spans {
            Output.standard.write(
                JSONWriter.line { json in
                    json.field("from", span.dates.lowerBound.description)
                    json.field("until", span.dates.upperBound.description)
                    json.field("steps", span.steps)
                    json.field("days", span.days)
                    json.field("mean", span.mean)
                    json.field("goalDays", span.reached)
                    json.field("underWay", span.isUnderWay)
                })
        }
    }

    private func write(daysOf year: Int64, in calendar: Projections.Calendar) {
        for day in calendar.counted where day.date.components.year == year {
            Output.standard.write(
                JSONWriter.line { json in
                    json.field("date", day.date.description)
                    json.field("steps", day.steps)
                    json.field("goal", calendar.goal)
                })
        }
    }
}
