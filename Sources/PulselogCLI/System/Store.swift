internal import Clocks
internal import Deciding
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Glibc
internal import LookingBack
internal import Projections
internal import Recording
internal import Sensors
internal import Words

/// The store that a command works on.
struct Store: Sendable {
    /// What a command expects of a store.
    enum Access {
        /// It exists and is only read: on a medium that cannot be written as well.
        case reading
        /// It exists.
        case existing
        /// It is made if it does not exist.
        case creating
    }

    /// The folder.
    let directory: String
    /// The log in it.
    let log: LMDBEventLog

    /// Where the log's snapshot is.
    var snapshots: SnapshotFile { SnapshotFile(of: log) }

    /// Opens a store.
    ///
    /// - Throws: ``CommandFailure`` in the words of the log, with its exit code.
    static func open(_ options: CommonOptions, for access: Access) throws(CommandFailure) -> Store {
        let directory = try options.storeDirectory()
        let store: Store
        do throws(EventLogError) {
            let mode: LogMode =
                switch access {
                case .reading: .readOnly
                case .existing: .existing
                case .creating: .create(try origin())
                }
            store = Store(
                directory: directory, log: try LMDBEventLog.open(directory: directory, mode: mode))
        } catch {
            throw CommandFailure(error, store: directory)
        }
        guard access == .reading else { return try store.apartFromOriginal() }
        store.tellKnownDamage()
        return store
    }

    /// What a new log begins with.
    private static func origin() throws(EventLogError) -> LogOrigin {
        let arrival = Arrival.now()
        var events = EventBatch()
        do throws(FieldError) {
            try events.append(
                .originBegan(OriginBegan(cause: .created)),
                stamp: arrival.moment(bootNumber: 0).stamp,
                flags: arrival.moment(bootNumber: 0).flags)
        } catch {
            throw EventLogError(.storage, detail: error.description)
        }
        return LogOrigin(
            id: randomBytes(LogOrigin.idBytes), createdMilliseconds: arrival.wallMilliseconds,
            events: events)
    }

    /// Random bytes of the system.
    static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// An appender on this store, with everything folded.
    ///
    /// - Throws: ``CommandFailure`` if the log cannot be read.
    func appender() async throws(CommandFailure) -> Appender {
        let appender = Appender(
            log, machine: try .this(), snapshots: snapshots, isRecorderAlive: { isRecorderAlive })
        do throws(EventLogError) {
            try await appender.catchUp()
        } catch {
            throw failure(error)
        }
        return appender
    }

    /// Whether a recorder runs on this store, as the kernel says.
    var isRecorderAlive: Bool { Self.isRecorderAlive(in: directory) }

    /// Whether a recorder runs on a store that is not open.
    static func isRecorderAlive(in directory: String) -> Bool {
        RecorderLock.isHeld(in: directory)
    }

    /// Works with the log; its failure is that of the command.
    ///
    /// - Parameter body: Gets the log.
    /// - Returns: What `body` returns.
    /// - Throws: ``CommandFailure`` in the words of the log, with its exit code.
    func withLog<Value>(
        _ body: (LMDBEventLog) throws(EventLogError) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(EventLogError) {
            return try body(log)
        } catch {
            throw CommandFailure(error, store: directory)
        }
    }

    /// Folds the log up to a position, or the whole of it, from its snapshot on if that helps.
    func state(until end: Position? = nil) throws(CommandFailure) -> LogState {
        let folded = try withLog { (log) throws(EventLogError) in
            try log.folded(until: end, from: snapshots)
        }
        if end == nil { keepLater(folded) }
        return folded.state
    }

    /// Folds the whole log, and asks how things stand.
    func scene() throws(CommandFailure) -> Scene {
        let (state, machine) = (try state(), try Machine.this())
        return try withLog { (log) throws(EventLogError) in
            try Scene(
                following: state, of: log, isRecording: isRecorderAlive, machine: machine,
                at: .now())
        }
    }
}

extension Machine {
    /// The machine that this program runs on.
    static func this() throws(CommandFailure) -> Machine {
        Machine(bootID: try bootID(), zone: LocalZone.zone(atWallMilliseconds:))
    }

    /// The kernel's identity of this boot: 16 bytes.
    private static func bootID() throws(CommandFailure) -> [UInt8] {
        let path = "/proc/sys/kernel/random/boot_id"
        let text = try reading { () throws(FileError) in
            try InputFile.contents(of: path, limitBytes: 64)
        }
        let digits = text.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "\n") }
            .compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 32 else {
            throw CommandFailure(.internalError, "\(path) is not as expected; is /proc mounted?")
        }
        return (0..<16).map { UInt8(digits[2 * $0] << 4 | digits[2 * $0 + 1]) }
    }
}
