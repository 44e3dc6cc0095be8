internal import ArgumentParser
internal import Certification
internal import Clocks
internal import Deciding
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import JSON
internal import LookingBack
internal import Projections
internal import Stores
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
                audit check-proof` or with another program; give them the key separately. \
                The file holds the record of the day, and with --steps the events that it was \
                made from: pedometer, totals, corrections. It says nothing of heart rate, place \
                or anything else. A day can be proven once it is over.
                """)
        @Option(help: "The local date: \(CivilDate.writtenForms).")
        var day: String
        @Flag(help: "Disclose the day's steps events as well.")
        var steps = false
        @Option(
            help: ArgumentHelp(
                "An older proof or checkpoint: also prove that nothing before it has changed.",
                valueName: "file"))
        var since: String?
        @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
        var out: String
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let date = try CivilDate(written: day)
            let store = try common.open(.existing)
            let old = since.map { ProofFile($0) }
            let note = try old?.note()
            let (position, record, key) = try await sealedRecord(of: date, in: store)
            let older = try note.flatMap { try old?.checkpoint(of: $0, signedBy: key) }
            let proof = try store.withLog { log in
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
                    .finding, "This log does not continue \(since ?? ""): \(error)")
            } catch {
                throw CommandFailure(.badData, "The proof of \(date) proves nothing: \(error)")
            }
            try OutputFile.write(Array(proof.text.utf8), to: out, besides: store.directory)
            common.write(
                "\(printable(out, limit: 200)) proves \(grouped(record.displayed)) steps on "
                    + "\(record.date).\nThe key, to be given to the receiver separately:\n"
                    + "\(key.vkey)\n"
            ) { line in
                line.field("date", record.date.description)
                line.field("displayed", record.displayed)
                line.field("corrected", record.corrected)
                line.field("file", out)
                line.field("key", key.vkey)
            }
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
            let found = try await store.tellingWaits {
                try await appender.recordDay(date, at: .now())
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
                Needs no store: only the file, and the key that the log's owner gave you \
                separately. --since also checks that nothing in the log changed before an older \
                proof or checkpoint that you kept. Exit code 1 if the key does not vouch for \
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
            let proof = try ProofFile(file).proof()
            let older = try since.map { try ProofFile($0).checkpoint(signedBy: verifier) }
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

    /// `pulselog audit witness`.
    struct Witness: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "witness",
            abstract: "Let a friend keep what is signed, and check the log against it later.",
            discussion: """
                With --out, writes the log's last checkpoint: how many blocks there are, and one \
                hash that stands for all of them. It says nothing of what is in them. From then \
                on not even you can change what came before without being found out: \
                --check compares the log with a checkpoint that the friend gives back. Exit \
                code 1 if the log is not the one that it vouches for.
                """)
        @Option(help: ArgumentHelp("Write the last checkpoint into a file.", valueName: "file"))
        var out: String?
        @Option(
            help: ArgumentHelp(
                "Check the log against the checkpoint in a file, which may be a proof.",
                valueName: "file"))
        var check: String?
        @Option(
            help: ArgumentHelp(
                "With --check: the key that the friend was given.", valueName: "vkey"))
        var key: String?
        @OptionGroup var common: CommonOptions

        func validate() throws {
            try refuse((out == nil) == (check == nil), "Name a file, with --out or with --check.")
            try refuse(key != nil && check == nil, "--key goes with --check.")
        }

        func run() async throws {
            if let out { try await write(to: out) }
            if let check { try compare(with: ProofFile(check)) }
        }

        private func write(to out: String) async throws {
            let store = try common.open(.existing)
            let key = try await store.sealed(try await store.appender())
            let last = try store.withLog { try $0.lastCheckpoint() }
            guard let note = last.flatMap({ SignedNote($0) }),
                let head = Checkpoint(note, signedBy: key)
            else {
                throw CommandFailure(.badData, "The log's last checkpoint is not as it was signed.")
            }
            try OutputFile.write(Array(note.content.utf8), to: out, besides: store.directory)
            common.write(
                "\(printable(out, limit: 200)) holds what is signed: "
                    + "\(counted(head.size, "block")) of this log.\n"
                    + "Give it to a friend, with the key:\n\(key.vkey)\n"
            ) { line in
                line.field("size", head.size)
                line.field("file", out)
                line.field("key", key.vkey)
            }
        }

        private func compare(with file: ProofFile) throws {
            let store = try common.open(.reading)
            let given = try key.map { try NoteVerifier(option: $0) }
            guard let own = try store.withLog({ try $0.publicKey() }) else {
                throw CommandFailure(
                    .finding,
                    "This log names no key: it was never signed, or what vouched for it was "
                        + "removed.")
            }
            try require(
                given == nil || given == own, .finding,
                "This is another log: it is signed with the key \(own.vkey).")
            let head = try file.checkpoint(signedBy: own)
            switch try sealed(store, head) {
            case .same(let events):
                common.write(
                    "Nothing was changed: the first \(counted(events, "event")) of this log, "
                        + "\(counted(head.size, "block")), are those that the checkpoint vouches "
                        + "for.\n"
                ) { line in
                    line.field("consistent", true)
                    line.field("size", head.size)
                    line.field("events", events)
                    line.field("key", own.vkey)
                }
            case .shorter(let blocks):
                throw CommandFailure(
                    .finding,
                    "This store is an older state of its log: the checkpoint is over "
                        + "\(counted(head.size, "block")), and \(grouped(blocks)) are sealed here.")
            case .other:
                throw CommandFailure(
                    .finding,
                    "The log was rewritten: its first \(counted(head.size, "block")) are not those "
                        + "that the checkpoint vouches for. They agree with their tree, so only an "
                        + "earlier checkpoint can say where the first change is.")
            }
        }

        /// Holds the log against a checkpoint; a block that was altered is a finding like any
        /// other.
        private func sealed(_ store: Store, _ head: Checkpoint) throws -> SealedLog {
            do throws(EventLogError) {
                return try store.log.compare(with: head)
            } catch  where error.code == .damaged {
                let place = error.position.map { " from position \($0) on" } ?? ""
                throw CommandFailure(
                    .finding, "Nothing vouches for this log\(place): \(error.detail).")
            } catch {
                throw CommandFailure(error, store: store.directory)
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
