internal import Clocks
internal import Deciding
package import EventStore
package import EventStoreLMDB
package import Events
internal import Files
internal import Glibc
package import Projections
internal import Terminal
internal import Text
package import WalkService
package import Words

extension Store: WalkStore {
    package var walks: any EventLog { log }

    package var savedWalks: (any SnapshotStore)? { snapshots }

    package var awaitedWriter: String? { longWait?.description }

    package var recorderHolder: String? { RecorderLock.holder(in: directory)?.title }

    package var isRecorderRequested: Bool { RecorderLock.isRequested(in: directory) }

    package var figures: StoreFigures { log.figures(in: .usual(for: log)) }

    package func lockRecorder() throws(WalkRefusal) -> (@Sendable () -> Void)? {
        guard !isRecorderRequested else { return nil }
        do throws(RecorderLockError) {
            let lock = try takeRecorderLock(.serve)
            return { lock.release() }
        } catch {
            if case .held = error.code { return nil }
            throw WalkRefusal(.impossible, "notPossible", error.description)
        }
    }

    /// The walks of this store, for all fronts of this process; its snapshot is kept at the end.
    ///
    /// - Throws: ``CommandFailure`` if the log cannot be read.
    package func service() async throws -> WalkService {
        let machine = try Machine.this()
        do {
            let service = try await WalkService(
                self, machine: machine,
                // Who travels takes the zone along.
                eachSecond: { tzset() }, atRest: ProgramPages.letGo, equip: Equipment.machine)
            keepLater { await service.folded }
            return service
        } catch {
            throw failure(error)
        }
    }

    /// How long a page may take to leave its devices; the recorder gives up after 15 s.
    private static let leavingLimit = Duration.seconds(20)

    /// Takes the lock of the one recorder; a page that only prepares a walk gives it back.
    ///
    /// - Returns: The lock, which is held until it is released.
    /// - Throws: ``CommandFailure`` if another process records or prepares a walk, by its name, or
    ///   the lock's file cannot be made.
    package func recorderLock() async throws -> RecorderLock {
        var request: RecorderRequest?
        defer { withExtendedLifetime(request) {} }
        let start = ContinuousClock.now
        var isTold = false
        while true {
            // Somebody who looks at this moment keeps it from being asked for.
            request = request ?? RecorderLock.request(in: directory)
            do throws(RecorderLockError) {
                return try takeRecorderLock(.record)
            } catch {
                guard case .held(let holder) = error.code else {
                    throw CommandFailure(error, store: directory)
                }
                let seen = try state().seenByOthers(isRecording: true)
                let isOpen = seen.own.sessions.open != nil
                // A recorder that has ended its walk is about to leave, before it says so as well.
                let ended = seen.own.sessions.ended.last?.endedAt
                let began = seen.own.recorder.startedAt
                let isLeaving =
                    holder.command == .serve || !seen.isRecording
                    || ended?.bootNumber == began?.bootNumber
                        && ended?.bootMilliseconds ?? 0 > began?.bootMilliseconds ?? 0
                let waited = ContinuousClock.now - start
                guard !isOpen, isLeaving, waited < Self.leavingLimit else {
                    throw holder.failure(isWalkOpen: isOpen)
                }
                if waited >= Self.patience, !isTold {
                    isTold = true
                    StreamWriter.sentences().say(
                        printable("Waiting for \(holder) to leave.", limit: .max))
                }
            }
            try await Task.sleep(for: Self.lookInterval)
        }
    }

    private func takeRecorderLock(
        _ command: RecorderHolder.Command
    ) throws(RecorderLockError) -> RecorderLock {
        let now = Arrival.now().wallMilliseconds
        let offsetMinutes = LocalZone.offsetMinutes(atWallMilliseconds: now)
        return try log.lockRecorder(
            startText: TimeText.local(now, offsetMinutes: offsetMinutes), command: command)
    }

    /// Does what a command asks for, however long another process writes.
    ///
    /// - Parameter request: Makes the request from the state after the last event of the log;
    ///   called again if somebody else appends first.
    /// - Returns: The events that came of it, and the state after them.
    /// - Throws: ``CommandFailure``; for a refusal with the code for usage.
    package func perform(
        _ request: @escaping @Sendable (LogState) throws -> Command
    ) async throws -> (events: [RecordedEvent], state: LogState) {
        let service = try await service()
        let reply = try await tellingWaits {
            try await service.perform(
                .decide { (state) throws(WalkRefusal) in
                    do {
                        return try request(state)
                    } catch {
                        // Its exit code is the name of the reason.
                        let failure = CommandFailure(error)
                        throw WalkRefusal(
                            .senseless, "\(failure.exitCode.rawValue)", failure.message)
                    }
                }, within: nil)
        }
        return (try withLog { try $0.events(in: reply.events) }, await service.state)
    }

    // MARK: - Waiting

    /// From how long on a wait for another process is worth a word.
    private static let patience = Duration.seconds(3)
    /// How often to look whether an append waits.
    private static let lookInterval = Duration.milliseconds(500)

    /// Who keeps this process from appending, once that has lasted for three seconds; else nil.
    private var longWait: WriterWait? {
        log.wait.flatMap { $0.duration >= Self.patience ? $0 : nil }
    }

    /// Runs what appends, and says on standard error who keeps it waiting, once each time.
    ///
    /// - Parameter body: Appends.
    /// - Returns: What `body` returns.
    /// - Throws: ``CommandFailure``.
    package func tellingWaits<Value>(_ body: () async throws -> Value) async throws -> Value {
        // It is cancelled when the body has ended.
        async let _ = tellWaits()
        do {
            return try await body()
        } catch {
            throw CommandFailure(error, store: directory)
        }
    }

    private func tellWaits() async throws {
        let sentences = StreamWriter.sentences()
        var isTold = false
        while true {
            let wait = longWait
            if let wait, !isTold {
                sentences.say(printable("\(directory): \(wait).", limit: .max))
            }
            isTold = wait != nil
            try await Task.sleep(for: Self.lookInterval)
        }
    }
}

extension RecorderHolder {
    /// Why a command must wait for this process, and what ends that.
    ///
    /// - Parameter isWalkOpen: Whether a walk is open.
    /// - Returns: The failure of the command.
    package func failure(isWalkOpen: Bool) -> CommandFailure {
        let sentence =
            switch command {
            case _ where isWalkOpen:
                "A walk is being recorded by \(self). `pulselog finish` ends it."
            case .serve:
                "A page of \(self) is preparing a walk. Begin it there, or close the page."
            case .record:
                "A walk is being prepared by \(self). It begins with the strap's first heart "
                    + "rate, unless you end that process."
            case nil: "The recorder is used by \(self). End that first."
            }
        return CommandFailure(.tryAgain, sentence)
    }
}
