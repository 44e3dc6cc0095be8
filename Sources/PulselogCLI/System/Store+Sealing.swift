internal import Clocks
internal import Deciding
internal import EventStore
internal import EventStoreLMDB
internal import LookingBack
internal import Recording
internal import TamperEvidence
internal import Terminal
internal import Words

extension Store {
    /// Closes the days that are over, seals every block, and signs what the log holds, after a look
    /// at a share of what is sealed already.
    ///
    /// - Parameter appender: Appends the records of days.
    /// - Returns: The checkpoint; nil if the environment names no place for a key.
    /// - Throws: `CheckpointError`.
    func seal(_ appender: Appender) async throws(CheckpointError) -> Checkpoint? {
        guard let folder = CommonOptions.checkpointFolder(of: log) else { return nil }
        try log.checkShare(in: folder, atMilliseconds: Arrival.now().wallMilliseconds)
        do throws(EventLogError) {
            try await appender.closeDays(at: .now())
        } catch {
            throw CheckpointError(error)
        }
        return try await log.makeCheckpoint(in: folder, random: Self.randomBytes)
    }

    /// Seals the log as a recorder does; what is in the way is said.
    func seal(_ appender: Appender) async -> String? {
        do throws(CheckpointError) {
            let _: Checkpoint? = try await seal(appender)
            return nil
        } catch {
            return "What was recorded is safe, and was not signed: \(error)"
        }
    }

    /// Seals the log when a program that appended to it ends.
    ///
    /// It gives up when another process holds it up; what is in the way is said on standard error.
    ///
    /// - Parameter seal: Seals it.
    func sealAtExit(_ seal: @escaping @Sendable () async -> String?) async {
        _ = await value(within: .seconds(5)) {
            guard let trouble = await seal() else { return }
            Output.standardError.write("pulselog: \(trouble)\n")
        }
    }

    /// Keeps a damage that was met, for commands that do not read so far; gives the failure.
    func failure(_ error: EventLogError) -> CommandFailure {
        CommonOptions.checkpointFolder(of: log)?
            .remember(error, in: directory, atMilliseconds: Arrival.now().wallMilliseconds)
        return CommandFailure(error, store: directory)
    }

    /// How far the log was compared with its seals; nil if nobody knows.
    var lastSelfCheck: SelfCheck? {
        CommonOptions.checkpointFolder(of: log).flatMap { log.lastSelfCheck(in: $0) }
    }

    /// Says on standard error that the log is known to be bad, to whoever has an answer that does
    /// not look so far.
    func tellKnownDamage() {
        guard let damage = lastSelfCheck?.damagePosition else { return }
        Output.standardError.write(
            "pulselog: This log is known to be bad from position \(damage) on; "
                + "`pulselog log verify` says why.\n")
    }
}
