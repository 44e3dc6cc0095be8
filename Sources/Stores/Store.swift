package import Clocks
package import Deciding
internal import EventStore
package import EventStoreLMDB
package import Events
package import Projections
package import Recording

/// The store that a command works on.
package struct Store: Sendable {
    /// What a command expects of a store.
    package enum Access {
        /// It exists and is only read: on a medium that cannot be written as well.
        case reading
        /// It exists.
        case existing
        /// It is made if it does not exist.
        case creating
    }

    /// The folder.
    package let directory: String
    /// The log in it.
    package let log: LMDBEventLog

    /// Where the log's snapshot is.
    package var snapshots: SnapshotFile { SnapshotFile(of: log) }

    /// Opens the log of a folder.
    init(_ directory: String, _ mode: LogMode) throws(EventLogError) {
        self.directory = directory
        log = try LMDBEventLog.open(directory: directory, mode: mode)
        OpenedLogs.ofCommand?.note(log)
    }

    /// Opens a store.
    ///
    /// - Throws: ``CommandFailure`` in the words of the log, with its exit code.
    package static func open(_ directory: String, for access: Access) throws -> Store {
        try KeptFiles.refuseStandardOutput(in: directory)
        let store = try failing(in: directory) {
            let mode: LogMode =
                switch access {
                case .reading: .readOnly
                case .existing: .existing
                case .creating: .create(try LogOrigin.created())
                }
            return try Store(directory, mode)
        }
        guard access == .reading else { return try store.apartFromOriginal() }
        store.tellKnownDamage()
        return store
    }

    /// Random bytes of the system.
    package static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// An appender on this store, with everything folded.
    ///
    /// - Throws: ``CommandFailure`` if the log cannot be read.
    package func appender() async throws -> Appender {
        let appender = Appender(
            log, machine: try .this(), snapshots: snapshots, isRecorderAlive: { isRecorderAlive })
        do {
            try await appender.catchUp()
        } catch {
            throw failure(error)
        }
        return appender
    }

    /// Whether a recorder runs on this store, as the kernel says.
    package var isRecorderAlive: Bool { RecorderLock.isHeld(in: directory) }

    /// Works with the log; its failure is that of the command.
    ///
    /// - Parameter body: Gets the log.
    /// - Returns: What `body` returns.
    /// - Throws: ``CommandFailure`` in the words of the log, with its exit code.
    package func withLog<Value>(_ body: (LMDBEventLog) throws -> Value) throws -> Value {
        try failing(in: directory) { try body(log) }
    }

    /// Folds the log up to a position, or the whole of it, from its snapshot on if that helps.
    package func state(until end: Position? = nil) throws -> LogState {
        let folded = try withLog { try $0.folded(until: end, from: snapshots) }
        if end == nil { keepLater { folded } }
        return folded.state
    }

    /// The state after the last event, and the states along the log, of which none is missing.
    package func history() throws -> (state: LogState, earlier: EarlierStates) {
        let (folded, earlier) = try withLog { log in
            let folded = try log.folded(from: snapshots)
            var earlier = folded.earlier ?? log.earlierStates(in: snapshots)
            while try log.keepNext(in: &earlier, until: folded.state.next) {}
            return (folded, earlier)
        }
        keepLater {
            FoldedState(folded.state, savedEvents: folded.savedEvents, earlier: earlier)
        }
        return (folded.state, earlier)
    }

    /// Asks how things stand.
    ///
    /// - Parameter state: The state after the last event, if it is at hand.
    /// - Returns: The scene.
    /// - Throws: ``CommandFailure`` if the log cannot be read.
    package func scene(_ state: LogState? = nil) throws -> Scene {
        let (state, machine) = (try state ?? self.state(), try Machine.this())
        return try withLog {
            try Scene(
                following: state, of: $0, isRecording: isRecorderAlive, machine: machine,
                at: .now())
        }
    }
}

extension LogOrigin {
    /// A log of its own that begins with some events.
    package init(beginning events: EventBatch, at arrival: Arrival = .now()) {
        self.init(
            id: Store.randomBytes(Self.idBytes), createdMilliseconds: arrival.wallMilliseconds,
            events: events)
    }

    /// What a new log begins with.
    fileprivate static func created() throws -> LogOrigin {
        let arrival = Arrival.now()
        let moment = arrival.moment(bootNumber: 0)
        var events = EventBatch()
        try events.append(
            .originBegan(OriginBegan(cause: .created)), stamp: moment.stamp, flags: moment.flags)
        return LogOrigin(beginning: events, at: arrival)
    }

    /// What a log starts over with, after the events that it was made of.
    ///
    /// - Throws: ``CommandFailure`` if the log cannot be folded.
    package init(_ cause: OriginCause, after log: LMDBEventLog, on machine: Machine) throws {
        let arrival = Arrival.now()
        var state = LogState()
        let checkpoint = try failing(in: log.directory) {
            try log.fold(into: &state)
            return try log.lastCheckpoint()
        }
        self.init(
            beginning: try NewOrigin.events(
                cause, checkpoint: checkpoint, after: state, on: machine, at: arrival),
            at: arrival)
    }
}
