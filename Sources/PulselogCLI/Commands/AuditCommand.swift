internal import ArgumentParser
internal import EventStore
internal import Events
internal import Interchange
internal import JSON
internal import Projections
internal import Recording
internal import Terminal
internal import Text
internal import Words

/// `pulselog audit`: why a day's count is what it is.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Why the count of a day is what it is.",
        subcommands: [
            Steps.self, Explain.self, Check.self, Prove.self, CheckProof.self, Witness.self,
        ])

    /// `pulselog audit steps`.
    struct Steps: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "steps",
            abstract: "The staircase of a day: each change of its count and what caused it.",
            discussion: """
                With --json one object for each change. A reconciliation takes the greatest of \
                the health store's total, of baseline + delta (what was displayed) and of the \
                persisted value; from there on the pedometer counts from 0.
                """)
        @OptionGroup var named: DayOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let named = try named.date()
            let store = try Store.open(common, for: .reading)
            let situation = try store.scene()
            let (state, moment) = (situation.state, situation.moment)
            let day = try state.knownDay(try state.date(named, at: moment))
            if !common.json {
                Output.standard.write(
                    "\(day.date): \(grouped(day.displayed)) steps displayed, "
                        + "\(grouped(day.corrected)) corrected\n" + StaircaseText.heading)
            }
            try print(day, store)
        }

        private func print(_ day: DayReport, _ store: Store) throws(CommandFailure) {
            var audit = StepsAudit()
            var text = StaircaseText()
            var portion: [UInt8] = []
            try store.withLog { (log) throws(EventLogError) in
                try log.read { event in
                    let change = audit.evolve(event)
                    if let change, change.date == day.date {
                        portion +=
                            common.json ? JSONWriter.line(change) : Array(text.add(change).utf8)
                    }
                    if portion.count >= 64 * 1_024 {
                        Output.standard.write(portion)
                        portion = []
                    }
                    return event.header.position < day.positions?.upperBound ?? 0
                }
            }
            Output.standard.write(portion + Array(text.flush().utf8))
        }
    }
}
