public import EventStore
public import Events
internal import LMDB
internal import Synchronization
internal import TamperEvidence

/// A log in a directory, on LMDB: one writer at a time, any number of processes.
///
/// ```swift
/// let log = try LMDBEventLog.open(directory: path, mode: .create(origin))
/// let positions = try await log.append(batch, expecting: nil)
/// try log.read(from: positions.lowerBound) { event in … }
/// log.close()
/// ```
///
/// A process opens a directory once; a second log there is refused. An append that failed with
/// `storage` or `diskFull` may still have become durable, as after any lost answer: repeat
/// it with the position that it expected, and ``EventLogError/Code/wrongExpectedPosition(actual:)``
/// tells that it is there.
public final class LMDBEventLog: EventLog {
    /// The most bytes that the data file can take before its map has to grow: address space, not
    /// disk.
    public static let defaultMapSizeBytes = 16 << 30

    /// The path of the store, as it was given.
    public let directory: String
    /// The identity of the log: 16 bytes, random when it was made.
    public let id: [UInt8]
    /// When the log was made: UTC in milliseconds since 1970-01-01.
    public let createdMilliseconds: Int64

    let store: OpenStore
    private let waiters = PositionWaiters()
    /// Nil if the log is open for reading only.
    let writer: LogWriter?
    /// Nil until somebody waits, and for good once the log is closed.
    private let watcher = Mutex<(current: CommitWatcher?, isEnded: Bool)>((nil, false))

    private init(directory: String, settings: StoreSettings) throws(EventLogError) {
        let store = try OpenStore(directory: directory, settings: settings)
        (self.directory, self.store) = (directory, store)
        id = store.identity.id
        createdMilliseconds = store.identity.createdMilliseconds
        writer = settings.isReadOnly ? nil : try LogWriter(store: store, waiters: waiters)
    }

    deinit {
        close()
    }

    /// Opens the log in a directory, and makes it if `mode` says so.
    ///
    /// LMDB's own pages are checked. Blocks are checked when they are read, and the last one before
    /// anything is appended.
    ///
    /// - Parameters:
    ///   - directory: The path of the store.
    ///   - mode: What may be done with it.
    ///   - mapSizeBytes: How far the data file can grow before the map has to.
    ///   - allowsRemoteFileSystem: Opens on NFS, SMB, 9P and FUSE as well, where nothing is
    ///     promised.
    /// - Returns: The log.
    /// - Throws: ``EventLogError``: `notFound`, `unrecognized`, `damaged` with the position,
    ///   `permission`, `diskFull`, `unsupportedFileSystem`; `storage` also if this process already
    ///   has it open.
    public static func open(
        directory: String, mode: LogMode, mapSizeBytes: Int = defaultMapSizeBytes,
        allowsRemoteFileSystem: Bool = false
    ) throws(EventLogError) -> LMDBEventLog {
        var settings = StoreSettings(
            mapSizeBytes: mapSizeBytes, allowsRemoteFileSystem: allowsRemoteFileSystem)
        if case .readOnly = mode { settings.isReadOnly = true }
        do throws(EventLogError) {
            return try LMDBEventLog(directory: directory, settings: settings)
        } catch {
            guard case .create(let origin) = mode, error.code == .notFound else { throw error }
            // False if another process was faster.
            _ = try mapErrors(in: directory) { try settings.create(directory, origin) }
        }
        do throws(EventLogError) {
            return try LMDBEventLog(directory: directory, settings: settings)
        } catch {
            guard error.code == .notFound else { throw error }
            throw EventLogError(.unrecognized, detail: "\(directory) is not empty and holds no log")
        }
    }

    /// Lets what was accepted be written, and mends the store if a commit has failed; from now on
    /// nothing more is accepted, and the log can still be read.
    ///
    /// Waits some seconds at most: another process may be in the middle of a write.
    public func endWriting() {
        writer?.end()
    }

    /// Ends the log: accepted appends become durable, waiters get `closed`, the files are let go.
    ///
    /// Waits for all of that; the directory can be opened again afterwards. After an append that
    /// was called off while another process wrote, the files are let go when that one is done, and
    /// nobody waits for it. A log closes by itself when its last reference goes. Do not call it
    /// from within a read.
    public func close() {
        let isWriterDone = writer?.close() ?? true
        let watcher = watcher.withLock { watcher in
            watcher.isEnded = true
            return watcher.current.take()
        }
        watcher?.stop()
        waiters.close()
        if isWriterDone { store.close() }
    }
}

// MARK: - Recording

extension LMDBEventLog {
    /// Makes this process the one recorder of the store.
    ///
    /// If the lock's file is removed or replaced, another recorder may begin; from then on nothing
    /// is appended to this log and those who wait are told: `replaced`.
    ///
    /// - Parameters:
    ///   - startText: When this recorder started, in words for people.
    ///   - command: What this process runs.
    /// - Returns: The lock, which is held until it is released.
    /// - Throws: ``RecorderLockError``: `held`, with the holder, or `unavailable`.
    public func lockRecorder(
        startText: String, command: RecorderHolder.Command = .record
    ) throws(RecorderLockError) -> RecorderLock {
        let lock = try RecorderLock(directory: directory, startText: startText, command: command)
        store.recorderLock.withLock { $0 = lock }
        return lock
    }
}

// MARK: - EventLog

extension LMDBEventLog {
    /// Who keeps the appends of this process waiting, and for how long; nil if nobody does.
    ///
    /// Others that write take milliseconds, or seconds where the disk is slow; one that is stopped
    /// takes any time. Appends that wait can be called off by cancelling their tasks.
    public var wait: WriterWait? { writer?.wait }

    /// The position that the next event gets; what is below it is durable.
    ///
    /// - Throws: ``EventLogError``: `closed`, `damaged`, or `storage`.
    public var next: Position {
        get throws(EventLogError) { try store.next }
    }

    /// Appends events in order, all or none, and returns when they are durable.
    ///
    /// Batches that wait at the same time share one commit. A full map grows by itself. While
    /// another process writes, the batch waits, which ``wait`` tells of.
    ///
    /// - Parameters:
    ///   - batch: The events; an empty batch appends nothing.
    ///   - expected: The position at which the caller decided, or nil to append wherever the log
    ///     ends.
    /// - Returns: The positions the events got.
    /// - Throws: ``EventLogError``: `wrongExpectedPosition`; `diskFull` and `storage`, after which
    ///   the next append may succeed; `replaced`, `damaged`; `permission` if the log is open for
    ///   reading only; `cancelled`, with whom it waited for; `closed`.
    public func append(
        _ batch: EventBatch, expecting expected: Position?
    ) async throws(EventLogError) -> Range<Position> {
        guard let writer else {
            throw EventLogError(.permission, detail: "\(directory) is open for reading only")
        }
        return try await writer.append(batch, expecting: expected)
    }

    /// Hands the blocks that hold events from `start` on to `body`, in order.
    ///
    /// They are copied out of short views, a few at a time, so that the body may take its time.
    /// Each that is sealed was compared with its leaf.
    ///
    /// - Parameters:
    ///   - start: The first position of interest; the first block may begin before it.
    ///   - body: Called with the bytes of a block, valid during the call; false ends the reading.
    /// - Throws: ``EventLogError``: `closed`, `damaged`, or `storage`.
    public func readBlocks(
        from start: Position, _ body: (Span<UInt8>) -> Bool
    ) throws(EventLogError) {
        // Where the next block begins; the first one at or before `start`.
        var places: ClosedRange<Position> = 0...start
        var damage: EventLogError?
        let missing = try readEntries(from: start) { judged, block in
            do throws(EventLogError) {
                guard let first = judged.key, places.contains(first) else {
                    throw .damaged("a block is missing", at: places.upperBound)
                }
                let next = try judged.readable().next
                places = next...next
                return next <= start || body(block)
            } catch {
                damage = error
                return false
            }
        }
        if let damage = damage ?? missing { throw damage }
    }

    /// Looks at what an append would extend: the last block and its leaf, and that the tree's
    /// frontier is the one that the last checkpoint signs.
    ///
    /// - Throws: ``EventLogError``: `closed`, `damaged`, or `storage`.
    public func checkEnd() throws(EventLogError) {
        let end = try next
        let evidence = try store.read(LogEvidence.init)
        let verifier = evidence.vkey.flatMap { NoteVerifier(vkey: $0) }
        guard let fault = evidence.frontierFault(verifier) else { return }
        throw .damaged(fault, at: end)
    }

    /// Returns when the log holds an event at `position`, or when the task is cancelled.
    ///
    /// An append of this process wakes at once; one of another process usually at once as well, and
    /// within a second whatever the kernel reports.
    ///
    /// - Parameter position: The position of interest.
    /// - Throws: ``EventLogError``: `closed`; `damaged` or `storage` if the log cannot be read any
    ///   more, or the system has no thread left.
    public func waitForEvent(at position: Position) async throws(EventLogError) {
        try watchOtherProcesses()
        try await waiters.wait(for: position)
    }

    private func watchOtherProcesses() throws(EventLogError) {
        try watcher.withLock { watcher throws(EventLogError) in
            // The store may be open for longer: for a write that waits.
            guard !watcher.isEnded else { throw EventLogError(.closed) }
            guard watcher.current == nil else { return }
            waiters.advance(to: try store.next)
            watcher.current = try CommitWatcher(directory: directory) { [store, waiters] in
                do throws(EventLogError) {
                    try store.refuseReplacedFiles()
                    waiters.advance(to: try store.next)
                } catch {
                    waiters.fail(error)
                }
            }
        }
    }

    /// Hands blocks from the last one that begins at or before `start` on to `body`, in order.
    ///
    /// They are copied out of short views.
    ///
    /// - Parameters:
    ///   - start: The first position of interest.
    ///   - body: Called with a block; false ends it.
    /// - Returns: What is missing after the last block; nil if nothing is, or `body` ended it.
    /// - Throws: ``EventLogError``: `closed`, `damaged`, or `storage`.
    @discardableResult
    func readEntries(
        from start: Position, _ body: (JudgedBlock, Span<UInt8>) -> Bool
    ) throws(EventLogError) -> EventLogError? {
        var portion = BlockPortion()
        var end: Position = 0
        var next: RecordKey? = RecordKey(start)
        while let key = next {
            next = try store.read { try portion.fill(from: key, $0, $1) }
            let goesOn = portion.forEach { judged, block in
                if case .success(let heads) = judged.heads { end = heads.next }
                return body(judged, block)
            }
            guard goesOn else { return nil }
        }
        return portion.isCutOff ? .leafMismatch(end) : nil
    }
}
