internal import ArgumentParser
internal import Certification
internal import Clocks
internal import Deciding
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Interchange
internal import JSON
internal import LookingBack
internal import Projections
internal import Recording
internal import TamperEvidence
internal import Terminal
internal import Text
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
        @Option(
            help: ArgumentHelp(
                "An older proof or checkpoint: prove too that nothing before it changed since.",
                valueName: "file"))
        var since: String?
        @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
        var out: String
        @OptionGroup var common: CommonOptions

        func run() async throws {
            guard let date = CivilDate(day) else {
                throw CommandFailure(
                    .usage, "\(printable(day)) is not a date; write it as 2026-03-01.")
            }
            let store = try Store.open(common, for: .existing)
            let note = try since.map { try ProofFile(path: $0).note() }
            let (position, record, key) = try await sealedRecord(of: date, in: store)
            let older = try note.map { note throws(CommandFailure) in
                try ProofFile(path: since ?? "").checkpoint(of: note, signedBy: key)
            }
            let proof = try store.withLog { (log) throws(EventLogError) in
                let events = steps ? try log.canonicalEvents(of: date, asOf: position) : []
                return try log.proof(of: .day, at: position, attachment: events, since: older)
            }
            guard let proof else {
                throw CommandFailure(.badData, "No checkpoint vouches for the record of \(date).")
            }
            // Nobody is given what would not convince us.
            do {
                let proven = try ProvenDays(proof, by: key)
                if let older { try proof.verify(since: older, under: proven.checkpoint) }
            } catch let error as ConsistencyError {
                throw CommandFailure(
                    .finding, "This log does not go on from \(since ?? ""): \(error)")
            } catch {
                throw CommandFailure(.badData, "The proof of \(date) proves nothing: \(error)")
            }
            try ProofFile(path: out).write(proof.text)
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

        /// The record of a date as it is now and the log's key, after everything that can be sealed
        /// was.
        private func sealedRecord(
            of date: CivilDate, in store: Store
        ) async throws -> (Position, DayRecorded, NoteVerifier) {
            let appender = try await store.appender()
            // Nothing is appended to a log that cannot be signed.
            _ = try await store.sealed(appender)
            let known = try await appender.state.knownDay(date)
            let found: (position: Position, record: DayRecorded)?
            do throws(EventLogError) {
                found = try await store.tellingWaits { () throws(EventLogError) in
                    try await appender.recordDay(date, at: .now())
                }
            } catch {
                throw CommandFailure(error, store: store.directory)
            }
            let key = try await store.sealed(appender)
            if let found { return (found.position, found.record, key) }
            throw CommandFailure(
                .noInput,
                "\(known.date) is not over: its record is made with the first steps of another day."
            )
        }
    }

    /// `pulselog audit check-proof`.
    struct CheckProof: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check-proof", abstract: "Check a proof of a day's steps.",
            discussion: """
                Needs no store: only the file, and the key that the log's owner gave you by \
                another way. With --since also that nothing of the log changed before an older \
                proof, or a checkpoint, that you kept. Exit code 1 if the key does not vouch for \
                what the file says, or the log was changed.
                """)
        @Argument(help: "The file of the proof.")
        var file: String
        @Option(help: ArgumentHelp("The public key of the log.", valueName: "vkey"))
        var key: String
        @Option(help: ArgumentHelp("An older proof or checkpoint.", valueName: "file"))
        var since: String?
        @Flag(help: "Write JSON to standard output.")
        var json = false

        func run() async throws {
            let verifier = try NoteVerifier(option: key)
            let proof = try ProofFile(path: file).proof()
            let older = try since.map { try ProofFile(path: $0).checkpoint(signedBy: verifier) }
            do {
                let proven = try ProvenDays(proof, by: verifier)
                if let older { try proof.verify(since: older, under: proven.checkpoint) }
                let since = older.map { ($0.size, of: proven.checkpoint.size) }
                for record in proven.records {
                    let opened = proven.opened.flatMap {
                        $0.date == record.day.date ? $0.events : nil
                    }
                    let text = DayProofText(record, opened, since: since, key: verifier.vkey)
                    Output.standard.write(json ? text.jsonLine : Array(text.text.utf8))
                }
            } catch {
                throw CommandFailure(.finding, "\(file): \(error)")
            }
        }
    }
}

extension NoteVerifier {
    /// Reads the key of an option.
    ///
    /// - Throws: ``CommandFailure`` if it is not one.
    init(option text: String) throws(CommandFailure) {
        guard let key = NoteVerifier(vkey: text) else {
            throw CommandFailure(
                .usage,
                "\(printable(text, limit: 200)) is not a key; `pulselog audit prove` prints it, "
                    + "as pulselog/…+…+….")
        }
        self = key
    }
}

extension Store {
    /// Closes and seals what can be, for somebody who shall be given what is signed.
    ///
    /// - Parameter appender: Appends the records of days.
    /// - Returns: The key that signs the log.
    /// - Throws: ``CommandFailure`` if the log cannot be signed.
    func sealed(_ appender: Appender) async throws(CommandFailure) -> NoteVerifier {
        let checkpoint: Checkpoint?
        do throws(CheckpointError) {
            checkpoint = try await tellingWaits { () throws(CheckpointError) in
                try await seal(appender)
            }
        } catch {
            throw CommandFailure(error, store: directory)
        }
        let key = try withLog { (log) throws(EventLogError) in try log.publicKey() }
        guard checkpoint != nil, let key else {
            throw CommandFailure(
                .configuration,
                "HOME is not set, so there is no folder for the key that would sign this log.")
        }
        return key
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
