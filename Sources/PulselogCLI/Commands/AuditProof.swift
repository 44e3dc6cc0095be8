internal import ArgumentParser
internal import Certification
internal import Clocks
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Interchange
internal import Projections
internal import Recording
internal import TamperEvidence
internal import Words

extension AuditCommand {
    /// `pulselog audit prove`.
    struct Prove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prove",
            abstract: "Write a file that proves a day's steps to somebody else.",
            discussion: """
                Whoever has the file and the key that is printed can check it, with `pulselog \
                audit check-proof` or with programs of others; give them the key by another way. \
                The file holds the record of the day, and with --steps the events that it was \
                made of: pedometer, totals, corrections. Of heart rate, place and everything else \
                it tells nothing. A day can be proven when it is over.
                """)
        @Option(help: "The local date, such as 2026-03-01.")
        var day: String
        @Flag(help: "Lay open the day's steps events as well.")
        var steps = false
        @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
        var out: String
        @OptionGroup var common: CommonOptions

        func run() async throws {
            guard let date = CivilDate(day) else {
                throw CommandFailure(
                    .usage, "\(printable(day)) is not a date; write it as 2026-03-01.")
            }
            let store = try Store.open(common, for: .existing)
            let (position, record) = try await sealedRecord(of: date, in: store)
            let proof = try store.withLog { (log) throws(EventLogError) in
                let events = steps ? try log.canonicalEvents(of: date, asOf: position) : []
                return try log.proof(of: .day, at: position, attachment: events)
            }
            let key = try store.withLog { (log) throws(EventLogError) in try log.publicKey() }
            guard let proof, let key else { throw Self.unsigned(date) }
            // Nobody is given what would not convince us.
            do throws(DayProofError) {
                _ = try ProvenDays(proof, by: key)
            } catch {
                throw CommandFailure(.badData, "The proof of \(date) proves nothing: \(error)")
            }
            try ProofFile(path: out).write(proof)
            tell(record, key)
        }

        private func tell(_ record: DayRecorded, _ key: NoteVerifier) {
            if common.json {
                Output.standard.write(
                    JSONWriter.line { line in
                        line.field("date", record.date.description)
                        line.field("displayed", record.displayed)
                        line.field("corrected", record.corrected)
                        line.field("file", out)
                        line.field("key", key.vkey)
                    })
                return
            }
            let file = printable(out, limit: 200)
            Output.standard.write(
                "\(file) proves \(grouped(record.displayed)) steps on \(record.date).\n"
                    + "The key, to be given to the receiver by another way:\n\(key.vkey)\n")
        }

        /// The record of a date as it is now, and all that can be sealed is.
        private func sealedRecord(
            of date: CivilDate, in store: Store
        ) async throws -> (Position, DayRecorded) {
            let appender = try await store.appender()
            let known = try await appender.state.knownDay(date)
            let found: (Position, DayRecorded)?
            do throws(EventLogError) {
                found = try await store.tellingWaits { () throws(EventLogError) in
                    try await appender.recordDay(date, at: .now())
                }
            } catch {
                throw CommandFailure(error, store: store.directory)
            }
            let checkpoint: Checkpoint?
            do throws(CheckpointError) {
                checkpoint = try await store.tellingWaits { () throws(CheckpointError) in
                    try await store.seal(appender)
                }
            } catch {
                throw CommandFailure(error, store: store.directory)
            }
            guard checkpoint != nil else { throw Self.unsigned(date) }
            if let found { return found }
            throw CommandFailure(
                .noInput,
                "\(known.date) is not over: its record is made with the first steps of another day.")
        }

        private static func unsigned(_ date: CivilDate) -> CommandFailure {
            CommandFailure(
                .configuration,
                "HOME is not set, so there is no folder for the key that would sign \(date).")
        }
    }

    /// `pulselog audit check-proof`.
    struct CheckProof: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check-proof", abstract: "Check a proof of a day's steps.",
            discussion: """
                Needs no store: only the file, and the key that the log's owner gave you by \
                another way. Exit code 1 if the key does not vouch for what the file says.
                """)
        @Argument(help: "The file of the proof.")
        var file: String
        @Option(help: ArgumentHelp("The public key of the log.", valueName: "vkey"))
        var key: String
        @Flag(help: "Write JSON to standard output.")
        var json = false

        func run() async throws {
            guard let verifier = NoteVerifier(vkey: key) else {
                throw CommandFailure(
                    .usage,
                    "\(printable(key, limit: 200)) is not a key; `pulselog audit prove` prints it, "
                        + "as pulselog/…+…+….")
            }
            let proof = try ProofFile(path: file).proof()
            do throws(DayProofError) {
                let proven = try ProvenDays(proof, by: verifier)
                for record in proven.records {
                    let opened = proven.opened.flatMap { $0.date == record.day.date ? $0.events : nil }
                    let text = DayProofText(record, opened, key: verifier.vkey)
                    Output.standard.write(json ? text.jsonLine : Array(text.text.utf8))
                }
            } catch {
                throw CommandFailure(.finding, "\(file): \(error)")
            }
        }
    }
}

extension CommandFailure {
    /// The failure of a checkpoint.
    init(_ error: CheckpointError, store: String) {
        if case .log(let error) = error.code {
            self.init(error, store: store)
            return
        }
        let code: Code =
            switch error.code {
            case .rollback, .fork: .finding
            case .keyMissing, .keyUnusable: .configuration
            case .folder, .log: .inputOutput
            }
        self.init(code, error.description)
    }
}
