internal import Clocks
package import Deciding
package import EventStore
internal import EventStoreLMDB
internal import Events
internal import Recording
package import TamperEvidence
internal import Terminal
internal import Text
internal import Words

extension Store {
    /// Closes the days that are over, seals every block, and signs what the log holds, after a look
    /// at a share of what is sealed already.
    ///
    /// - Parameter appender: Appends the records of days.
    /// - Returns: The checkpoint; nil if the environment names no place for a key.
    /// - Throws: `CheckpointError`.
    private func sign(_ appender: Appender) async throws(CheckpointError) -> Checkpoint? {
        guard let folder = CheckpointFolder.usual(for: log) else { return nil }
        try log.checkShare(in: folder, atMilliseconds: Arrival.now().wallMilliseconds)
        do throws(EventLogError) {
            try await appender.closeDays(at: .now())
        } catch {
            throw CheckpointError(error)
        }
        return try await log.makeCheckpoint(in: folder, random: Self.randomBytes)
    }

    /// Closes and seals what can be, for somebody who shall be given what is signed.
    ///
    /// - Parameter appender: Appends the records of days.
    /// - Returns: The key that signs the log.
    /// - Throws: ``CommandFailure`` if the log cannot be signed.
    package func sealed(_ appender: Appender) async throws -> NoteVerifier {
        let checkpoint = try await tellingWaits { try await sign(appender) }
        guard checkpoint != nil, let key = try withLog({ try $0.publicKey() }) else {
            throw CommandFailure(
                .configuration, CheckpointFolder.noPlace)
        }
        return key
    }

    /// Seals the log as a recorder does; what is in the way is said.
    package func seal(_ appender: Appender) async -> String? {
        do throws(CheckpointError) {
            guard try await sign(appender) == nil else { return nil }
            return "What was recorded is safe but was not signed: \(CheckpointFolder.noPlace)"
        } catch {
            return "What was recorded is safe but was not signed: \(error)"
        }
    }

    /// Seals the log when a program that appended to it ends.
    ///
    /// It gives up when another process holds it up; what is in the way is said on standard error.
    ///
    /// - Parameter seal: Seals it.
    package func sealAtExit(_ seal: @escaping @Sendable () async -> String?) async {
        _ = await value(within: .seconds(5)) {
            guard let trouble = await seal() else { return }
            Output.standardError.say(trouble)
        }
    }

    /// Keeps a damage that was met, for commands that do not read so far; gives the failure.
    func failure(_ error: EventLogError) -> CommandFailure {
        CheckpointFolder.usual(for: log)?
            .remember(error, in: directory, atMilliseconds: Arrival.now().wallMilliseconds)
        return CommandFailure(error, store: directory)
    }

    /// How far the log was compared with its seals; nil if nobody knows.
    package var lastSelfCheck: SelfCheck? {
        CheckpointFolder.usual(for: log).flatMap { log.lastSelfCheck(in: $0) }
    }

    /// Says on standard error that the log is known to be bad, to whoever has an answer that does
    /// not look so far.
    func tellKnownDamage() {
        guard let damage = lastSelfCheck?.damagePosition else { return }
        Output.standardError.say(
            "This log is known to be bad from position \(damage) on; "
                + "`pulselog log verify` says why.")
    }

    /// Lets a copy of a store that is still there go on as a log of its own, and says so.
    ///
    /// Otherwise both would be signed under one name, and whichever is signed later would be an
    /// older state of the other.
    ///
    /// - Returns: The store, opened again if it was a copy.
    /// - Throws: ``CommandFailure`` if the log cannot be folded or written.
    func apartFromOriginal() throws -> Store {
        guard let folder = CheckpointFolder.usual(for: log), !isRecorderAlive,
            let original = log.original(in: folder)
        else { return self }
        let end = try withLog { try $0.next }
        let origin = try LogOrigin(.restored, after: log, on: .this())
        let id = log.id
        log.close()
        return try failing(in: directory) {
            try LMDBEventLog.beginAnew(in: directory, insteadOf: id, at: end, origin)
            let store = try Store(directory, .existing)
            Output.standardError.say(
                "\(printable(directory, limit: 4_096)) is a copy of "
                    + "\(printable(original, limit: 4_096)), which still exists. So it continues "
                    + "as a log of its own, with a new origin at position \(end) and a key of its "
                    + "own.")
            return store
        }
    }
}
