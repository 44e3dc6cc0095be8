internal import ArgumentParser
internal import Deciding
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Interchange
internal import JSON
internal import LookingBack
internal import Projections
internal import Recording
internal import Stores
internal import TamperEvidence
internal import Terminal
internal import Text
internal import Words
internal import Certification

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
            let store = try common.open(.reading)
            // A certificate of damaged bytes would certify nothing.
            let found = try store.withLog {
                try $0.verify(comparingWith: CheckpointFolder.usual(for: $0))
            }
            if let damage = found.damage {
                guard found.areEventsGood else {
                    throw CommandFailure(damage, store: store.directory)
                }
                throw common.find(VerificationText(found, .none))
            }
            let worth = try store.withLog { try $0.checkSnapshot(in: store.snapshots) }
            if case .differs(let next) = worth {
                throw common.find(SnapshotText(differingBefore: next))
            }
            // From here on a snapshot is what the events before it give.
            if let named { _ = try store.state().knownDay(named) }
            let records = try store.withLog { try $0.checkDayRecords() }
            if let wrong = records.wrong, named == nil || named == wrong.date {
                throw common.find(
                    WrongDayRecordText(
                        of: wrong.date, recorded: wrong.displayed, expected: wrong.expected,
                        at: wrong.position))
            }
            let former = records.formerDates.filter { named == nil || named == $0 }
            if let first = former.first, let last = former.last {
                let days = former.count == 1 ? "\(first)" : "\(first) to \(last)"
                Output.standardError.write(
                    "\(counted(UInt64(former.count), "record")) (\(days)) by the rule of an "
                        + "earlier version: as written; a proof gets a new one.\n")
            }
            switch try store.withLog({ try $0.certify(named) }) {
            case .success(let certificates):
                if certificates.isEmpty, !common.json {
                    Output.standard.write("The store has no steps yet: nothing to certify.\n")
                }
                for certificate in certificates { common.write(CertificateText(certificate)) }
                if let unseen = VerificationText(found, worth).unseen {
                    Output.standardError.write("\(unseen)\n")
                }
                // A certificate is right without what was set aside, and may lack it.
                let findings = try store.state().findings
                let count = findings.counts[Int(Finding.Code.undecodablePayload.rawValue)]
                guard count > 0 else { return }
                Output.standardError.write(
                    "\(counted(count, "event")) cannot be decoded, and no total has them: "
                        + "`pulselog log stats` names them.\n")
            case .failure(let example): throw common.find(CounterExampleText(example))
            }
        }
    }
}
