internal import ArgumentParser
internal import Deciding
internal import Events
internal import LookingBack
internal import Projections
internal import Recording
internal import Stores
internal import Terminal
internal import Text
internal import Words

/// `pulselog steps`.
struct Steps: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "steps",
        abstract: "Steps by day: what is displayed, and where it comes from.",
        discussion: """
            Examples: pulselog steps --days 7
            pulselog steps correct --day 2026-03-01 --by -500 --reason "shaken in the bag"
            pulselog steps take 4711 --reason "the watch was in the bag of a runner"
            pulselog steps legacy 8123 --day 2026-03-01 --reason "the old phone's app"
            """,
        subcommands: [Show.self, Correct.self, Take.self, Legacy.self],
        defaultSubcommand: Show.self)

    /// `pulselog steps show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Totals of a day, or of several, the latest first.",
            discussion: "Today is shown even if nothing is known of it yet.")
        @OptionGroup var named: DayOption
        @Option(help: "How many days back from that day, 1 to 100000.")
        var days: Int64 = 1
        @Flag(help: "The day as a staircase, drawn over its hours.")
        var chart = false
        @OptionGroup var spans: StepSpanOptions
        @OptionGroup var common: CommonOptions

        func validate() throws {
            try refuse(days, of: "--days", outside: 1...100_000)
            try refuse(
                chart && (days != 1 || spans.isGiven || common.json),
                "--chart draws one day; `audit steps --json` has its data.")
            try refuse(
                spans.isGiven && (days != 1 || named.day != nil),
                "--weeks, --months, --calendar and --missed go without days.")
        }

        func run() async throws {
            let named = try named.date()
            let store = try common.open(.reading)
            let scene = try store.scene()
            let (state, moment) = (scene.state, scene.moment)
            let last = try state.date(named, at: moment)
            if chart { return try draw(state.knownDay(last), of: store, scene) }
            guard !spans.isGiven else { return spans.show(state, today: last, common) }
            if named != nil, days == 1 { _ = try state.knownDay(last) }
            let reports = state.lastDays(days, upTo: named, today: last)
            try require(
                named == nil || reports.contains(where: \.isKnown), .noInput,
                "The store has nothing about the \(days) days up to \(last).")
            let texts = reports.map { DayText($0, state) }
            guard days > 1, !common.json else { return texts.forEach(common.write) }
            var table = DayText.table
            for text in texts { text.add(to: &table) }
            Output.standard.write(table.text)
            for doubt in texts.compactMap(\.doubt) {
                Output.standard.write("\n" + wrapped(doubt, to: 80).joined(separator: "\n") + "\n")
            }
        }

        private func draw(_ day: DayReport, of store: Store, _ scene: Scene) throws {
            let text = DayText(day, scene.state)
            guard text.isCounted else { return common.write(text) }
            let (state, earlier) = try store.history()
            let changes = try store.withLog {
                try $0.staircase(of: day.date, until: state, from: earlier)
            }
            let chart = StaircaseChart(
                day, changes, goal: scene.state.walked.recorder.profile.dailyGoalSteps,
                now: day.date == scene.state.own.localDate(at: scene.moment)
                    ? scene.moment.stamp.wallMilliseconds : nil)
            common.draw(chart.text)
        }
    }

    /// `pulselog steps correct`.
    struct Correct: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "correct", abstract: "Correct the steps of a day, by an event of its own.",
            discussion: """
                What was displayed stays and never falls; `corrected` is shown next to it, \
                and histories use that.
                """)
        @Option(help: "The local date: \(CivilDate.writtenForms).")
        var day: String
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("Steps to add; negative to take away.", valueName: "steps"))
        var by: Int64
        @OptionGroup var said: ReasonOptions
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let date = try CivilDate(written: day)
            let command = Command.correct(
                date: date, by: by, reason: said.reason, author: said.who)
            try await common.perform { state in
                // A correction of a day that has no steps is a slip of the pen.
                _ = try state.knownDay(date)
                return command
            } saying: { state in
                let day = try state.knownDay(date)
                return "\(date): displayed stays at \(grouped(day.displayed)) steps, corrected is "
                    + "\(grouped(day.corrected))."
            }
        }
    }

    /// `pulselog steps take`.
    struct Take: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "take",
            abstract: "Take in a reading or a total that was set aside, by an event of its own.",
            discussion: """
                What nobody can have walked is not counted; `pulselog steps` lists it. A reading \
                taken in is in `corrected`; a total counts like any other.
                """)
        @Argument(help: "The position of the reading, or of the total.")
        var position: String
        @OptionGroup var said: ReasonOptions
        @OptionGroup var common: CommonOptions

        func run() async throws {
            guard let position = WholeNumber.position(position) else {
                throw CommandFailure(
                    .usage,
                    "\(printable(position)) is not a position; `pulselog steps` shows those of "
                        + "what was set aside.")
            }
            let command = Command.takeIn(position, reason: said.reason, author: said.who)
            try await common.perform { state in
                try require(
                    state.setAsideDay(of: position) != nil, .noInput,
                    Refusal(.notSetAside).description)
                return command
            } saying: { state in
                state.setAsideDay(of: position).map {
                    "\($0.date): \(grouped($0.displayed)) steps displayed, "
                        + "\(grouped($0.corrected)) with corrections."
                } ?? "Taken in."
            }
        }
    }

    /// `pulselog steps legacy`.
    struct Legacy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "legacy",
            abstract: "Take over what an earlier program showed on a day, by an event of its own.",
            discussion: """
                It counts like a total that was displayed: the day shows at least as much. The \
                audit names it with its reason. The same value again changes nothing.
                """)
        @Argument(help: "The steps that it showed, 1 to 200000.")
        var value: UInt64
        @Option(help: "The local date: \(CivilDate.writtenForms).")
        var day: String
        @OptionGroup var said: ReasonOptions
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let date = try CivilDate(written: day)
            try await common.perform(
                .legacyTotal(value, date: date, reason: said.reason, author: said.who), .creating
            ) { state in
                "\(date): \(grouped(try state.knownDay(date).displayed)) steps displayed, with "
                    + "\(grouped(value)) of an earlier program."
            }
        }
    }
}
