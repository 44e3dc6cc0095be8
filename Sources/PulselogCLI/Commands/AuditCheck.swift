internal import Words
internal import ArgumentParser
internal import Certification
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Interchange
internal import Projections

extension AuditCommand {
    /// `pulselog audit check`.
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Certify that the count never fell and that no step counts twice.",
            discussion: """
                Verifies the log's blocks, then compares what is displayed after each event with a \
                second calculation that shares no code with the first. Exit code 1 with the \
                counter-example if they differ. Without --day every day is certified.
                """)
        @OptionGroup var named: DayOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let named = try named.date()
            let store = try Store.open(common, for: .reading)
            try store.requireSound()
            if let named { _ = try store.state().knownDay(named) }
            switch try store.certify(named) {
            case .success(let certificates):
                if certificates.isEmpty, !common.json {
                    Output.standard.write("The store has no steps yet: nothing to certify.\n")
                }
                for certificate in certificates { common.write(CertificateText(certificate)) }
            case .failure(let example):
                common.write(CounterExampleText(example))
                throw ExitCode(CommandFailure.Code.finding.rawValue)
            }
        }
    }
}

extension Store {
    /// Checks every block: a certificate of damaged bytes would certify nothing.
    fileprivate func requireSound() throws(CommandFailure) {
        try withLog { (log) throws(EventLogError) in
            if let damage = try log.verify().damage { throw damage }
        }
    }

    /// Folds the whole log and certifies it on the way.
    ///
    /// - Parameter date: The day of interest, or nil for all.
    /// - Returns: The certificates, or the first counter-example.
    /// - Throws: ``CommandFailure`` if the log cannot be read.
    fileprivate func certify(
        _ date: CivilDate?
    ) throws(CommandFailure) -> Result<[Certificate], CounterExample> {
        var state = LogState()
        var certifier = StepsCertifier()
        var found: CounterExample?
        func isOfInterest(_ other: CivilDate) -> Bool { date == nil || date == other }
        try withLog { (log) throws(EventLogError) in
            try log.read { event in
                state.evolve(event)
                do throws(CounterExample) {
                    try certifier.take(event) { state.live.steps[$0]?.displayed }
                } catch {
                    if isOfInterest(error.date) { found = error }
                }
                return found == nil
            }
        }
        if let found { return .failure(found) }
        do throws(CounterExample) {
            let certificates = try certifier.finish { state.live.steps[$0]?.displayed }
            return .success(certificates.filter { isOfInterest($0.date) })
        } catch {
            return .failure(error)
        }
    }
}
