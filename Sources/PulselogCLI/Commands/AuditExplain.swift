internal import ArgumentParser
internal import EventStore
internal import Events
internal import Interchange
internal import Projections
internal import Recording
internal import Terminal
internal import Text
internal import Words

extension AuditCommand {
    /// `pulselog audit explain`.
    struct Explain: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract: "One displayed number, taken apart down to the events it came from.",
            discussion: """
                Examples: pulselog audit explain --day 2026-03-01 --at 10:15
                pulselog audit explain --at 4711

                Numbers in parentheses are positions: `pulselog log cat --from 4711` shows them. \
                --at is a position, a local time of the day as 10:15 or 10:15:30, an instant as \
                2026-03-01T10:15:30+01:00, or milliseconds since 1970; without it the last event \
                of the log. With a position or an instant the day is the one that counted then, \
                unless --day names another. Where the clock showed a time several times, because \
                it was set back, each is explained.
                """)
        @OptionGroup var named: DayOption
        @Option(help: ArgumentHelp("When: a position or a time.", valueName: "time|position"))
        var at: AuditMoment?
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let named = try named.date()
            let store = try Store.open(common, for: .reading)
            let situation = try store.scene()
            let (state, now) = (situation.state, situation.moment)
            var date = named
            if at == nil || at?.isTimeOfDay == true { date = try state.date(named, at: now) }
            let moments = try positions(store, state.head ?? 0, on: date, now: now.stamp)
            if moments.count > 1, !common.json {
                Output.standard.write(Self.announcement(of: moments))
            }
            for end in moments.suffix(Self.momentLimit) {
                let day = try date ?? store.date(at: end)
                if named != nil { _ = try state.knownDay(day) }
                common.write(ExplanationText(try store.explanation(of: day, at: end)))
            }
        }

        /// How many moments are explained, each by a fold of its own; the last ones.
        private static let momentLimit = 8

        private static func announcement(of moments: [Position]) -> String {
            let times = moments.count == 2 ? "twice" : "\(moments.count) times"
            let shown = moments.suffix(momentLimit)
            let positions = shown.map { "\($0)" }.joined(separator: ", ")
            let which = shown.count < moments.count ? "; the last are at" : ", at"
            let sentence =
                "The clock showed this time \(times)\(which) positions \(positions): it was set "
                + "back, or the zone changed. What was displayed at each:"
            return wrapped(sentence, to: 80).joined(separator: "\n") + "\n"
        }

        /// The last event that is looked at, for each moment that `--at` means.
        private func positions(
            _ store: Store, _ head: Position, on date: CivilDate?, now: Stamp
        ) throws(CommandFailure) -> [Position] {
            let found: [Position]
            switch at {
            case nil: return [head]
            case .position(let position):
                guard position <= head else {
                    throw CommandFailure(
                        .noInput,
                        "Position \(position) is beyond the end; the last event is \(head).")
                }
                return [position]
            case .timeOfDay(let time):
                let days = date?.daysSinceEpoch ?? 0
                found = try store.withLog { (log) throws(EventLogError) in
                    try log.positions(
                        showing: days * 86_400_000 + time, isLocal: true, now: now)
                }
            case .instant(let instant):
                found = try store.withLog { (log) throws(EventLogError) in
                    try log.positions(showing: instant, isLocal: false, now: now)
                }
            }
            guard !found.isEmpty else {
                throw CommandFailure(
                    .noInput, "The log begins later; `pulselog log cat` shows its first event.")
            }
            return found
        }
    }
}

extension Store {
    /// The day that counted after an event.
    fileprivate func date(at position: Position) throws(CommandFailure) -> CivilDate {
        let state = try state(until: position + 1)
        return try state.date(nil, at: state.lastMoment)
    }

    /// Explains a date after an event.
    fileprivate func explanation(
        of date: CivilDate, at position: Position
    ) throws(CommandFailure) -> StepsExplanation {
        try withLog { (log) throws(EventLogError) in
            var explanation = StepsExplanation(of: date)
            try log.read { event in
                guard event.header.position <= position else { return false }
                explanation.evolve(event)
                return true
            }
            return explanation
        }
    }
}
