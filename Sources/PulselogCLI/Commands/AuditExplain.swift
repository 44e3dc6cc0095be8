internal import ArgumentParser
internal import EventStore
internal import Events
internal import Interchange
internal import Projections
internal import Recording

extension AuditCommand {
    /// `pulselog audit explain`.
    struct Explain: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "One displayed number, taken apart down to the events it came from.",
            discussion: """
                Examples: pulselog audit explain --day 2026-03-01 --at 10:15
                pulselog audit explain --at 4711

                Numbers in parentheses are positions: `pulselog log cat --from 4711` shows them. \
                --at is a position, a local time of the day as 10:15 or 10:15:30, an instant as \
                2026-03-01T10:15:30+01:00, or milliseconds since 1970; without it the last event \
                of the log. With a position or an instant the day is the one that counted then, \
                unless --day names another.
                """)
        @OptionGroup var named: DayOption
        @Option(help: ArgumentHelp("When: a position or a time.", valueName: "time|position"))
        var at: AuditMoment?
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let named = try named.date()
            let store = try Store.open(common, for: .reading)
            let (state, now) = try store.stateNow()
            var date = named
            if at == nil || at?.isTimeOfDay == true { date = try state.date(named, at: now) }
            let end = try position(store, state.head ?? 0, on: date)
            let day = try date ?? store.date(at: end)
            if named != nil { _ = try state.knownDay(day) }
            let explanation = try store.explanation(of: day, at: end)
            let lines = ExplanationText(explanation).lines
            Output.standard.write(
                common.json
                    ? jsonLine(explanation) : Array((lines.joined(separator: "\n") + "\n").utf8))
        }

        /// The last event that is looked at.
        private func position(
            _ store: Store, _ head: Position, on date: CivilDate?
        ) throws(CommandFailure) -> Position {
            let found: Position?
            switch at {
            case nil: return head
            case .position(let position):
                guard position <= head else {
                    throw CommandFailure(
                        .noInput,
                        "Position \(position) is beyond the end; the last event is \(head).")
                }
                return position
            case .timeOfDay(let time):
                let days = date?.daysSinceEpoch ?? 0
                found = try store.lastPosition(
                    atMilliseconds: days * 86_400_000 + time, isLocal: true)
            case .instant(let instant):
                found = try store.lastPosition(atMilliseconds: instant, isLocal: false)
            }
            guard let found else {
                throw CommandFailure(
                    .noInput, "The log begins later; `pulselog log cat` shows its first event.")
            }
            return found
        }
    }
}

extension Store {
    /// The day that counted behind an event.
    fileprivate func date(at position: Position) throws(CommandFailure) -> CivilDate {
        var state = LogState()
        do throws(EventLogError) {
            try log.fold(until: position + 1, into: &state)
        } catch {
            throw CommandFailure(error, store: directory)
        }
        return try state.date(nil, at: Moment(state.live.clock.lastStamp, []))
    }

    /// Explains a date behind an event.
    fileprivate func explanation(
        of date: CivilDate, at position: Position
    ) throws(CommandFailure) -> StepsExplanation {
        var explanation = StepsExplanation(of: date)
        do throws(EventLogError) {
            try log.read(from: 0) { header, payload in
                guard header.position <= position else { return false }
                explanation.evolve(header, payload)
                return true
            }
        } catch {
            throw CommandFailure(error, store: directory)
        }
        return explanation
    }
}
