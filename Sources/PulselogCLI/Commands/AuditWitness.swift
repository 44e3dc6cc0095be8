internal import ArgumentParser
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Interchange
internal import JSON
internal import LookingBack
internal import TamperEvidence
internal import Terminal
internal import Text
internal import Words

extension AuditCommand {
    /// `pulselog audit witness`.
    struct Witness: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "witness",
            abstract: "Let a friend keep what is signed, and check the log against it later.",
            discussion: """
                With --out, writes the log's last checkpoint: how many blocks there are, and one \
                hash that stands for all of them. It says nothing of what is in them. From then \
                on not even you can change what came before without being found out: with \
                --check, the log is held against a checkpoint that the friend gives back. Exit \
                code 1 if the log is not the one that it vouches for.
                """)
        @Option(help: ArgumentHelp("Write the last checkpoint into a file.", valueName: "file"))
        var out: String?
        @Option(
            help: ArgumentHelp(
                "Check the log against the checkpoint of a file, which may be a proof.",
                valueName: "file"))
        var check: String?
        @Option(
            help: ArgumentHelp(
                "With --check: the key that the friend was given.", valueName: "vkey"))
        var key: String?
        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard (out == nil) != (check == nil) else {
                throw ValidationError("Name a file, with --out or with --check.")
            }
            guard key == nil || check != nil else {
                throw ValidationError("--key goes with --check.")
            }
        }

        func run() async throws {
            if let out { try await write(to: out) }
            if let check { try compare(with: ProofFile(path: check)) }
        }

        private func write(to out: String) async throws {
            let store = try Store.open(common, for: .existing)
            let key = try await store.sealed(try await store.appender())
            let last = try store.withLog { (log) throws(EventLogError) in
                try log.lastCheckpoint()
            }
            guard let note = last.flatMap({ SignedNote($0) }),
                let head = Checkpoint(note, signedBy: key)
            else {
                throw CommandFailure(.badData, "The log's last checkpoint is not as it was signed.")
            }
            try ProofFile(path: out).write(note.content)
            if common.json {
                return Output.standard.write(
                    JSONWriter.line { line in
                        line.field("size", head.size)
                        line.field("file", out)
                        line.field("key", key.vkey)
                    })
            }
            Output.standard.write(
                "\(printable(out, limit: 200)) holds what is signed: "
                    + "\(counted(head.size, "block")) of this log.\n"
                    + "Give it to a friend, with the key:\n\(key.vkey)\n")
        }

        private func compare(with file: ProofFile) throws {
            let store = try Store.open(common, for: .reading)
            let given = try key.map { try NoteVerifier(option: $0) }
            let own = try store.withLog { (log) throws(EventLogError) in try log.publicKey() }
            guard let own else {
                throw CommandFailure(
                    .finding,
                    "This log names no key: it was never signed, or what vouched for it was "
                        + "removed.")
            }
            guard given == nil || given == own else {
                throw CommandFailure(
                    .finding, "This is another log: it is signed with the key \(own.vkey).")
            }
            let head = try file.checkpoint(signedBy: own)
            switch try sealed(store, head) {
            case .same(let events): tell(head, events, own)
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
                    .finding, "Nobody vouches for this log\(place): \(error.detail).")
            } catch {
                throw CommandFailure(error, store: store.directory)
            }
        }

        private func tell(_ head: Checkpoint, _ events: Position, _ key: NoteVerifier) {
            if common.json {
                return Output.standard.write(
                    JSONWriter.line { line in
                        line.field("consistent", true)
                        line.field("size", head.size)
                        line.field("events", events)
                        line.field("key", key.vkey)
                    })
            }
            Output.standard.write(
                "Nothing was changed: the first \(counted(events, "event")) of this log, "
                    + "\(counted(head.size, "block")), are those that the checkpoint vouches for.\n"
            )
        }
    }
}
