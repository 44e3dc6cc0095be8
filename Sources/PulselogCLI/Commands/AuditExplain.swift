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
                --at is a position, or a local time as 10:15 or 10:15:30; without it the last \
                event of the log. With a position the day is the one that counted then.
                """)
        @OptionGroup var named: DayOption
        @Option(help: ArgumentHelp("When: a position or a time.", valueName: "time|position"))
        var at: AuditMoment?
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let named = try named.date()
            let store = try Store.open(common, for: .existing)
            let (state, now) = try store.stateNow()
            let head = state.head ?? 0
            let date: CivilDate
            var end = head
            switch at {
            case nil: date = try state.date(named, at: now)
            case .timeOfDay(let time):
                date = try state.date(named, at: now)
                end = try store.lastPosition(on: date, atMilliseconds: time)
            case .position(let position):
                guard position <= head else {
                    throw CommandFailure(
                        .noInput,
                        "Position \(position) is beyond the end; the last event is \(head).")
                }
                end = position
                date = try named ?? store.date(at: position)
            }
            if named != nil { _ = try state.knownDay(date) }
            let explanation = try store.explanation(of: date, at: end)
            Output.standard.write(
                common.json
                    ? jsonLine(explanation)
                    : Array(
                        (ExplanationText(explanation).lines.joined(separator: "\n") + "\n").utf8))
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
