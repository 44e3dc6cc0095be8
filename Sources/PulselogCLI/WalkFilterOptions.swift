internal import ArgumentParser
internal import Events
internal import Projections
internal import Text
internal import Words

/// Which walks are listed.
struct WalkFilterOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Those of this day, such as 1 Mar or tuesday.", valueName: "date"))
    var day: String?
    @Option(help: ArgumentHelp("Those of the week with this day.", valueName: "date"))
    var week: String?
    @Option(help: ArgumentHelp("Those of this month, such as 2026-03.", valueName: "month"))
    var month: String?
    @Option(help: ArgumentHelp("Those of this day and later.", valueName: "date"))
    var from: String?
    @Option(help: ArgumentHelp("Those of this day and earlier.", valueName: "date"))
    var until: String?
    @Option(help: "The newest ones after all other filters: how many, 1 to 100000.")
    var last: Int?
    @Option(help: "How many of the longest, the longest first; with --last, of those newest ones.")
    var longest: Int?
    @Option(
        name: .customLong("tag"), parsing: .singleValue,
        help: ArgumentHelp("Those with this tag. Repeatable: all of them.", valueName: "tag"))
    var tags: [String] = []
    @Option(help: "What was done: \(Sport.choice).")
    var sport: SportOption?
    @Option(help: ArgumentHelp("Those whose place has this in it.", valueName: "text"))
    var place: String?
    @Option(help: ArgumentHelp("Those whose name has this in it.", valueName: "text"))
    var name: String?
    @Option(help: ArgumentHelp("Those as long as this or longer: 10km.", valueName: "distance"))
    var longer: WrittenDistance?
    @Option(help: ArgumentHelp("Those as long as this or shorter: 5km.", valueName: "distance"))
    var shorter: WrittenDistance?
    @Option(help: "Whose: walked, imported or simulated.")
    var source: NamedOption<WalkFilter.Source>?
    @Flag(help: "Those as well that were hidden.")
    var hidden = false

    func validate() throws {
        try refuse(last, of: "--last", outside: 1...100_000)
        try refuse(longest, of: "--longest", outside: 1...100_000)
    }

    /// The filter; with several spans of days what lies in all of them.
    ///
    /// - Throws: ``CommandFailure`` for what is no date or no month, and for spans without a day.
    func filter() throws(CommandFailure) -> WalkFilter {
        var filter = WalkFilter()
        let date = try day.map(CivilDate.init(written:))
        let spans = try spans()
        let first = try from.map(CivilDate.init(written:))
        let last = try until.map(CivilDate.init(written:))
        filter.from = ([date, first].compactMap(\.self) + spans.map(\.lowerBound)).max()
        filter.until = ([date, last].compactMap(\.self) + spans.map(\.upperBound)).min()
        if let from = filter.from, let until = filter.until, from > until {
            throw CommandFailure(
                .usage,
                day == nil && week == nil && month == nil
                    ? "--from is after --until." : "These dates have no day in common.")
        }
        filter.tags = tags
        filter.sport = sport?.value
        (filter.place, filter.name) = (place, name)
        filter.atLeastMillimetres = longer?.millimetres
        filter.atMostMillimetres = shorter?.millimetres
        filter.source = source?.value
        filter.hasHidden = hidden
        (filter.last, filter.longest) = (self.last, longest)
        return filter
    }

    private func spans() throws(CommandFailure) -> [ClosedRange<CivilDate>] {
        var spans: [ClosedRange<CivilDate>] = []
        if let week {
            let monday = try CivilDate(written: week).monday
            spans.append(monday...monday.advanced(by: 6))
        }
        if let month {
            guard let first = CivilDate(month + "-01"),
                let days = CivilDate.month(first.components.month, of: first.components.year)
            else {
                throw CommandFailure(
                    .usage, "\(printable(month)) is not a month; write it as 2026-03.")
            }
            spans.append(days)
        }
        return spans
    }
}

/// What was done, by its name.
struct SportOption: ExpressibleByArgument {
    let value: Sport

    init?(argument: String) {
        guard let value = Sport.allCases.first(where: { $0.name == argument }) else { return nil }
        self.value = value
    }

    static var allValueStrings: [String] { Sport.allCases.map(\.name) }
}
