internal import Deciding
internal import LookingBack
internal import Terminal
internal import Text
internal import Words
internal import ArgumentParser
internal import Certification
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Interchange
internal import Projections
internal import Recording

extension AuditCommand {
    /// `pulselog audit check`.
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Certify that the count never fell and that no step counts twice.",
            discussion: """
                Verifies the log as `log verify` does, makes the records of closed days again, \
                then compares what is displayed after each event with a second calculation that \
                shares no code with the first. Exit code 1 with the counter-example if they \
                differ, or if the log's snapshot is not what its events give. What nothing \
                vouches for is said on standard error. Without --day every day is certified.
                """)
        @OptionGroup var named: DayOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let named = try named.date()
            let store = try Store.open(common, for: .reading)
            let found = try store.withLog { (log) throws(EventLogError) in
                // A certificate of damaged bytes would certify nothing.
                try log.verify(comparingWith: CommonOptions.checkpointFolder(of: log))
            }
            if let damage = found.damage {
                guard found.areEventsGood else {
                    throw CommandFailure(damage, store: store.directory)
                }
                common.write(VerificationText(found, .none))
                throw ExitCode(CommandFailure.Code.finding.rawValue)
            }
            let worth = try store.withLog { (log) throws(EventLogError) in
                try log.checkSnapshot(in: store.snapshots)
            }
            if case .differs(let next) = worth {
                common.write(SnapshotText(differingBefore: next))
                throw ExitCode(CommandFailure.Code.finding.rawValue)
            }
            // From here on a snapshot is what the events before it give.
            if let named { _ = try store.state().knownDay(named) }
            let records = try store.withLog { (log) throws(EventLogError) in
                try log.checkDayRecords()
            }
            if let wrong = records.wrong, named == nil || named == wrong.date {
                common.write(
                    WrongDayRecordText(
                        of: wrong.date, recorded: wrong.displayed, expected: wrong.expected,
                        at: wrong.position))
                throw ExitCode(CommandFailure.Code.finding.rawValue)
            }
            Self.tell(former: records.formerDates.filter { named == nil || named == $0 })
            let certified = try store.withLog { (log) throws(EventLogError) in
                try log.certify(named)
            }
            switch certified {
            case .success(let certificates):
                if certificates.isEmpty, !common.json {
                    Output.standard.write("The store has no steps yet: nothing to certify.\n")
                }
                for certificate in certificates { common.write(CertificateText(certificate)) }
                if let unseen = VerificationText(found, worth).unseen {
                    Output.standardError.write("\(unseen)\n")
                }
                try tellOfUndecodable(in: store)
            case .failure(let example):
                common.write(CounterExampleText(example))
                throw ExitCode(CommandFailure.Code.finding.rawValue)
            }
        }

        /// Names the days whose records are of an earlier version.
        private static func tell(former dates: [CivilDate]) {
            guard let first = dates.first, let last = dates.last else { return }
            let days = dates.count == 1 ? "\(first)" : "\(first) to \(last)"
            Output.standardError.write(
                "\(counted(UInt64(dates.count), "record")) (\(days)) by the rule of an earlier "
                    + "version: as written; a proof gets a new one.\n")
        }

        /// Says that events were set aside: a certificate is right without them, and may lack them.
        private func tellOfUndecodable(in store: Store) throws(CommandFailure) {
            let findings = try store.state().findings
            let count = findings.counts[Int(Finding.Code.undecodablePayload.rawValue)]
            guard count > 0 else { return }
            Output.standardError.write(
                "\(counted(count, "event")) cannot be decoded, and no total has them: "
                    + "`pulselog log stats` names them.\n")
        }
    }
}
