internal import ArgumentParser
internal import Certification
internal import Deciding
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import JSON
internal import LookingBack
internal import Projections
internal import Recording
internal import Stores
internal import Terminal
internal import Text
internal import Words

/// `pulselog audit`: why a day's count is what it is.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Why a day's count is what it is.",
        subcommands: [
            Steps.self, Explain.self, Check.self, Prove.self, CheckProof.self, Witness.self,
        ])

    /// `pulselog audit steps`.
    struct Steps: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "steps",
            abstract: "The staircase of a day: each change to its count and what caused it.",
            discussion: """
                With --json one object for each change. A reconciliation takes the greatest of \
                the health store's total, of baseline + delta (what was displayed) and of the \
                persisted value; from there on the pedometer counts from 0.
                """)
        @OptionGroup var named: DayOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let named = try named.date()
            let store = try common.open(.reading)
            let (state, earlier) = try store.history()
            let day = try state.knownDay(state.date(named, at: store.scene(state).moment))
            if !common.json {
                Output.standard.write(
                    "\(day.date): \(grouped(day.displayed)) steps displayed, "
                        + "\(grouped(day.corrected)) corrected\n" + StaircaseText.heading)
            }
            var text = StaircaseText()
            var portion: [UInt8] = []
            try store.withLog {
                try $0.audit(day.date, until: state, from: earlier) { change in
                    portion += common.json ? JSONWriter.line(change) : Array(text.add(change).utf8)
                    guard portion.count >= 64 * 1_024 else { return }
                    Output.standard.write(portion)
                    portion = []
                }
            }
            Output.standard.write(portion + Array(text.flush().utf8))
        }
    }

    /// `pulselog audit explain`.
    struct Explain: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract: "One displayed number, taken apart down to the events it came from.",
            discussion: """
                Examples: pulselog audit explain --day 2026-03-01 --at 10:15
                pulselog audit explain --at 4711

                Numbers in parentheses are positions: `pulselog log cat --from 4711` shows them. \
                --at is a position, a local time such as 10:15 or 10:15:30, an instant such as \
                2026-03-01T10:15:30+01:00, or milliseconds since 1970; without it the last event \
                of the log. With a position or an instant the day is the one that counted then, \
                unless --day names another. If the clock showed a time more than once because \
                it was set back, each is explained.
                """)
        @OptionGroup var named: DayOption
        @Option(help: ArgumentHelp("When: a position or a time.", valueName: "time|position"))
        var at: LogMoment?
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let named = try named.date()
            let store = try common.open(.reading)
            let (state, earlier) = try store.history()
            let now = try store.scene(state).moment
            var date = named
            if at?.isTimeOfDay ?? true { date = try state.date(named, at: now) }
            let moments = try positions(store, state.head ?? 0, on: date, now: now.stamp)
            if moments.count > 1, !common.json {
                Output.standard.write(Self.announcement(of: moments))
            }
            for end in moments.suffix(Self.momentLimit) {
                try store.withLog { log in
                    let then = try log.state(until: end + 1, from: earlier)
                    // Without a date the day that counted then.
                    let day = try date ?? then.date(nil, at: then.lastMoment)
                    if named != nil { _ = try state.knownDay(day) }
                    let explanation = try log.explain(day, until: then, from: earlier)
                    common.write(ExplanationText(explanation))
                }
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
        ) throws -> [Position] {
            let showing: (time: Int64, isLocal: Bool)
            switch at {
            case nil: return [head]
            case .position(let position):
                try require(
                    position <= head, .noInput,
                    "Position \(position) is beyond the end; the last event is \(head).")
                return [position]
            case .timeOfDay(let time):
                showing = ((date?.daysSinceEpoch ?? 0) * 86_400_000 + time, true)
            case .instant(let instant): showing = (instant, false)
            }
            let found = try store.withLog {
                try $0.positions(showing: showing.time, isLocal: showing.isLocal, now: now)
            }
            try require(
                !found.isEmpty, .noInput,
                "The log begins later; `pulselog log cat` shows its first event.")
            return found
        }
    }

    /// `pulselog audit check`.
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Certify that the count never fell and that no step counts twice.",
            discussion: """
                Verifies the log as `log verify` does, remakes the records of closed days, \
                then compares what is displayed after each event with a second calculation that \
                shares no code with the first. Exit code 1 with the counter-example if they \
                differ, or if the log's snapshot is not what its events give. What nothing \
                vouches for goes to standard error. Without --day every day is certified.

                With --day what is displayed is folded again, and certified, only where the \
                day's count was made: both go on from what is kept along the log, and no more is \
                verified than the seals of what is read. What is kept is verified without --day.
                """)
        @OptionGroup var named: DayOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let store = try common.open(.reading)
            guard let date = try named.date() else { return try checkAll(store) }
            let (state, earlier) = try store.history()
            _ = try state.knownDay(date)
            try tell(store.withLog { try $0.checkDayRecord(of: date, from: earlier) }, of: date)
            try tell(
                store.withCertifiers { try $0.certify(date, until: state, from: earlier, &$1) })
        }

        private func checkAll(_ store: Store) throws {
            // A certificate of damaged bytes would certify nothing.
            var line = ProgressLine()
            let found = try store.withLog { log in
                try log.verify(comparingWith: CheckpointFolder.usual(for: log)) { progress in
                    progress.show(on: &line)
                    return true
                }
            }
            line.clear()
            if let damage = found.damage {
                guard found.areEventsGood else {
                    throw CommandFailure(damage, store: store.directory)
                }
                throw common.find(VerificationText(found, .none))
            }
            let worth = try store.withLog {
                try WatchedLog($0, "Folding again").checkSnapshot(in: store.snapshots)
            }
            let kept = try store.withLog {
                try WatchedLog($0, "Certifying").checkCertifiers(in: store.snapshots)
            }
            for case .differs(let next) in [worth, kept] {
                throw common.find(SnapshotText(differingBefore: next))
            }
            try tell(store.withLog { try WatchedLog($0, "Days' records").checkDayRecords() })
            try tell(store.withLog { try WatchedLog($0, "Certifying").certify() })
            if let unseen = VerificationText(found, worth).unseen {
                Output.standardError.write("\(unseen)\n")
            }
            // A certificate is right without what was set aside, and may lack it.
            let findings = try store.state().findings
            let count = findings.counts[Int(Finding.Code.undecodablePayload.rawValue)]
            guard count > 0 else { return }
            Output.standardError.write(
                "\(counted(count, "event")) cannot be decoded; no total counts them: "
                    + "`pulselog log stats` names them.\n")
        }

        private func tell(_ records: DayRecordsFound, of date: CivilDate? = nil) throws {
            if let wrong = records.wrong, date == nil || date == wrong.date {
                throw common.find(wrong)
            }
            let former = records.formerDates.filter { date == nil || date == $0 }
            if let first = former.first, let last = former.last {
                let days = former.count == 1 ? "\(first)" : "\(first) to \(last)"
                Output.standardError.write(
                    "\(counted(UInt64(former.count), "record")) (\(days)) by the rule of an "
                        + "earlier version: as written; a proof gets a new one.\n")
            }
        }

        private func tell(_ certified: Result<[Certificate], CounterExample>) throws {
            switch certified {
            case .success(let certificates):
                if certificates.isEmpty, !common.json {
                    Output.standard.write("The store has no steps yet: nothing to certify.\n")
                }
                for certificate in certificates { common.write(certificate) }
            case .failure(let example): throw common.find(example)
            }
        }
    }
}
