internal import Clocks
internal import Deciding
package import EventStore
package import EventStoreLMDB
package import Events
internal import Glibc
package import Projections
internal import Terminal
internal import Text
package import WalkService
internal import Words

extension Store: WalkStore {
    package var walks: any EventLog { log }

    package var savedWalks: (any SnapshotStore)? { snapshots }

    package var awaitedWriter: String? { longWait?.description }

    package func lockRecorder() throws(WalkRefusal) -> (@Sendable () -> Void)? {
        do throws(RecorderLockError) {
            let lock = try takeRecorderLock()
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
                eachSecond: { tzset() }, equip: Equipment.machine)
            keepLater { await service.folded }
            return service
        } catch {
            throw failure(error)
        }
    }

    /// Takes the lock of the one recorder.
    ///
    /// - Returns: The lock, which is held until it is released.
    /// - Throws: ``CommandFailure`` if another process records, or the lock's file cannot be made.
    package func recorderLock() throws -> RecorderLock {
        try failing(in: directory) { try takeRecorderLock() }
    }

    private func takeRecorderLock() throws(RecorderLockError) -> RecorderLock {
        try log.lockRecorder(startText: TimeText.utc(Arrival.now().wallMilliseconds))
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

    private func tellWaits() async {
        let sentences = StreamWriter.sentences()
        var isTold = false
        while true {
            let wait = longWait
            if let wait, !isTold {
                sentences.say(printable("\(directory): \(wait).", limit: .max))
            }
            isTold = wait != nil
            do {
                try await Task.sleep(for: Self.lookInterval)
            } catch {
                return  // Cancelled: nobody is waiting now.
            }
        }
    }
}
