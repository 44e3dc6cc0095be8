internal import EventStore
internal import Events
internal import LMDB
internal import Synchronization
internal import Threads

/// The thread that owns all writes of a log.
///
/// It takes everything that waits, writes it in one transaction, and answers when that is durable:
/// a group commits for the price of one.
final class LogWriter: Sendable {
    typealias AppendResult = Result<Range<Position>, EventLogError>
    /// A change of the store besides its events, in a transaction of its own.
    typealias Change<Value> =
        @Sendable (inout WriteTransaction, Environment) throws -> Value

    /// What is done in a transaction: the positions that came of it, or why it alone fails.
    private typealias Work =
        @Sendable (inout OpenBlock, inout WriteTransaction, Environment) throws -> AppendResult

    /// Some work, and who waits for it to be durable.
    private struct Request {
        let id: UInt64
        /// How many events it appends; nil if it changes something else.
        let eventCount: Int?
        let work: Work
        let continuation: CheckedContinuation<AppendResult, Never>
    }

    private struct Queue: ~Copyable {
        /// What is not being written yet, and can be called off.
        var requests: [Request] = []
        var lastID: UInt64 = 0
        var figures = CommitFigures()
        /// Since when the thread has been waiting to write; nil if it does not.
        var waitsSince: ContinuousClock.Instant?
        var isClosing = false
        /// Whether the thread has done all that it had to.
        var hasEnded = false
        /// Whether the thread closes the store, because nobody waits for its end.
        var closesStore = false
        var thread: OwnThread?
    }

    /// A group that has this many events gets no further batch.
    private static let groupEvents = 1 << 20
    /// How often the slots of dead readers are freed.
    private static let readerCheckInterval = Duration.seconds(60)
    /// How soon a store that could not be mended is mended again.
    private static let mendingInterval = Duration.seconds(5)
    /// How long a log that closes waits for the thread, which may have to mend the store first: if
    /// another process is known to write, whose commit mends it as well, and if none is.
    private static let closingPatience = (
        ofOthers: Duration.milliseconds(250), alone: Duration.seconds(5)
    )

    private let store: OpenStore
    private let waiters: PositionWaiters
    private let bell = Bell()
    private let ended = Bell()
    private let queue = Mutex(Queue())

    /// Starts the thread; ``close()`` ends it.
    ///
    /// - Throws: ``EventLogError`` `storage` if the system has no thread left.
    init(store: OpenStore, waiters: PositionWaiters) throws(EventLogError) {
        self.store = store
        self.waiters = waiters
        try queue.withLock { (queue) throws(EventLogError) in
            queue.thread = try mapErrors(in: store.directory) { try OwnThread { [self] in run() } }
        }
    }

    // MARK: - From any thread

    /// Appends a batch, and returns when it is durable.
    ///
    /// - Throws: ``EventLogError``; `cancelled` if the task is cancelled before the write begins.
    func append(
        _ batch: EventBatch, expecting expected: Position?
    ) async throws(EventLogError) -> Range<Position> {
        try await perform(eventCount: batch.count) { block, transaction, environment in
            let start = block.next
            guard expected == nil || expected == start else {
                return .failure(EventLogError(.wrongExpectedPosition(actual: start)))
            }
            try block.add(batch, to: &transaction, in: environment.log)
            assert(block.next == start + UInt64(batch.count), "A batch ends where it has to.")
            return .success(start..<block.next)
        }
    }

    /// Changes something of the store besides its events, and returns when that is durable.
    ///
    /// - Parameter change: Runs on the writer thread, alone in its transaction; again if the map
    ///   had to grow.
    /// - Returns: What `change` returned.
    /// - Throws: What `change` throws, in the log's words; ``EventLogError``; `cancelled` if the
    ///   task is cancelled before it begins.
    func change<Value: Sendable>(
        _ change: @escaping Change<Value>
    ) async throws(EventLogError) -> Value {
        let made = Mutex<Value?>(nil)
        _ = try await perform(eventCount: nil) { block, transaction, environment in
            let value = try change(&transaction, environment)
            made.withLock { $0 = value }
            return .success(block.next..<block.next)
        }
        guard let value = made.withLock({ $0 }) else { throw EventLogError(.closed) }
        return value
    }

    /// Hands work to the thread and waits for it, on the caller's actor.
    ///
    /// Without the actor each append would go by the shared pool, there and back: the closure that
    /// waits would run on no actor.
    private func perform(
        eventCount: Int?, isolation: isolated (any Actor)? = #isolation, _ work: @escaping Work
    ) async throws(EventLogError) -> Range<Position> {
        let id = queue.withLock { queue in
            queue.lastID += 1
            return queue.lastID
        }
        let outcome = await withTaskCancellationHandler {
            // Named here, the actor is the closure's too.
            _ = isolation
            return await withCheckedContinuation(isolation: isolation) { continuation in
                let request = Request(
                    id: id, eventCount: eventCount, work: work, continuation: continuation)
                if let refusal = accept(request) {
                    continuation.resume(returning: .failure(refusal))
                } else {
                    bell.ring()
                }
            }
        } onCancel: {
            callOff(id)
        }
        return try outcome.get()
    }

    /// Lets a request wait for the thread.
    ///
    /// - Returns: Why not, or nil.
    private func accept(_ request: Request) -> EventLogError? {
        queue.withLock { queue in
            if queue.isClosing { return EventLogError(.closed) }
            // A cancellation before this line found no request to take back; it is seen here.
            if Task.isCancelled { return EventLogError(.cancelled) }
            queue.requests.append(request)
            return nil
        }
    }

    /// Takes a request back, unless it is being written or has been.
    private func callOff(_ id: UInt64) {
        let wait = wait
        let request = queue.withLock { queue -> Request? in
            let index = queue.requests.firstIndex { $0.id == id }
            return index.map { queue.requests.remove(at: $0) }
        }
        let error = EventLogError(.cancelled, detail: wait?.description ?? "")
        request?.continuation.resume(returning: .failure(error))
    }

    /// Who keeps the requests waiting; nil if nobody does.
    var wait: WriterWait? {
        guard let since = queue.withLock({ $0.waitsSince }) else { return nil }
        return WriterWait(
            duration: ContinuousClock.now - since, processID: store.otherWriterID)
    }

    /// What its commits took, and how many appends wait.
    var figures: CommitFigures {
        queue.withLock { queue in
            queue.figures.waiting = queue.requests.count
            return queue.figures
        }
    }

    /// Lets the thread end after what it has accepted, and waits some seconds for that at most.
    func end() {
        let isRunning = queue.withLock { queue in
            // A later caller need not wait again.
            defer { queue.isClosing = true }
            return queue.thread != nil && !queue.hasEnded && !queue.isClosing
        }
        bell.ring()
        if isRunning, !ended.wait(atMost: Self.closingPatience.ofOthers),
            store.otherWriterID == nil
        {
            ended.wait(atMost: Self.closingPatience.alone)
        }
    }

    /// Lets the thread end after what it has accepted, and waits for that.
    ///
    /// A thread that waits for another process, and has nothing left to write, is left behind:
    /// it closes the store once it is unblocked.
    ///
    /// - Returns: Whether it has ended, so that the store is the caller's to close.
    func close() -> Bool {
        end()
        var closesStore = false
        let ending = queue.withLock { queue -> OwnThread? in
            let thread = queue.thread.take()
            if thread != nil {
                queue.closesStore = queue.waitsSince != nil && queue.requests.isEmpty
            }
            closesStore = queue.closesStore
            return thread
        }
        if let thread = ending {
            if closesStore { thread.detach() } else { thread.join() }
        }
        return !closesStore
    }

    // MARK: - On the thread

    private func run() {
        var block = OpenBlock()
        var needsMending = false
        let clock = ContinuousClock()
        var lastCheck = clock.now
        while true {
            let (isIdle, isClosing) = queue.withLock { ($0.requests.isEmpty, $0.isClosing) }
            if !isIdle {
                needsMending = commitGroup(to: &block, afterFailure: needsMending)
            } else if needsMending {
                needsMending = !mend()
            }
            if clock.now - lastCheck >= Self.readerCheckInterval, store.freeDeadReaders() {
                lastCheck = clock.now
            }
            guard isIdle else { continue }
            if isClosing { break }
            let interval = needsMending ? Self.mendingInterval : Self.readerCheckInterval
            bell.wait(atMost: interval)
        }
        queue.withLock { $0.hasEnded = true }
        ended.ring()
        if queue.withLock({ $0.closesStore }) { store.close() }
    }

    /// Commits a group and answers everyone in it.
    ///
    /// - Parameters:
    ///   - block: The block that is extended.
    ///   - needsMending: Whether a commit before it has failed, and left the store to be mended.
    /// - Returns: The same of this one.
    private func commitGroup(
        to block: inout OpenBlock, afterFailure needsMending: Bool
    ) -> Bool {
        var group: [Request] = []
        let start = ContinuousClock.now
        do throws(EventLogError) {
            let results = try write(&group, to: &block)
            queue.withLock { $0.figures.durable.add(.now - start) }
            assert(results.count == group.count, "Each request has an answer.")
            waiters.advance(to: block.next)
            for (request, result) in zip(group, results) {
                request.continuation.resume(returning: result)
            }
            // A group in which nothing was appended may have changed no page, and mends nothing.
            return needsMending
                && !results.contains {
                    if case .success(let positions) = $0 { !positions.isEmpty } else { false }
                }
        } catch {
            queue.withLock { $0.figures.failed.add(.now - start) }
            let isReopened = store.reopenIfNeeded()
            if group.isEmpty { group = takeGroup() }
            for request in group { request.continuation.resume(returning: .failure(error)) }
            return needsMending || isReopened || store.needsReopening
        }
    }

    /// Mends the store after a commit that failed, once the other writers let it.
    ///
    /// - Returns: Whether it is mended; while the disk is full it cannot be.
    private func mend() -> Bool {
        queue.withLock { $0.waitsSince = .now }
        defer { queue.withLock { $0.waitsSince = nil } }
        do {
            store.reopenIfNeeded()
            try store.mend { queue.withLock { $0.waitsSince = nil } }
            return true
        } catch {
            // The next append reports what is wrong.
            store.reopenIfNeeded()
            return false
        }
    }

    /// Takes what waits, as much as one commit shall hold; from here on it is being written.
    ///
    /// A change has a commit of its own: what fails in it fails nobody else.
    private func takeGroup() -> [Request] {
        queue.withLock { queue in
            queue.waitsSince = nil
            var count = queue.requests.first?.eventCount
            let end = queue.requests.dropFirst().firstIndex { request in
                guard let before = count, let more = request.eventCount else { return true }
                count = before + more
                return before >= Self.groupEvents
            }
            let group = Array(queue.requests[..<(end ?? queue.requests.count)])
            queue.requests.removeFirst(group.count)
            return group
        }
    }

    /// Writes a group durably, growing the map where it must.
    ///
    /// The group is taken when the write begins: what came while another process wrote is in it,
    /// and what was called off meanwhile is not.
    private func write(
        _ group: inout [Request], to block: inout OpenBlock
    ) throws(EventLogError) -> [AppendResult] {
        store.reopenIfNeeded()
        let since = ContinuousClock.now
        while true {
            queue.withLock { $0.waitsSince = since }
            do {
                return try store.write { transaction, environment in
                    group = takeGroup()
                    try block.catchUp(with: transaction.reading, of: environment)
                    var results: [AppendResult] = []
                    for request in group {
                        results.append(try request.work(&block, &transaction, environment))
                    }
                    try block.store(to: &transaction, in: environment.log)
                    return results
                }
            } catch {
                block.invalidate()
                let code = (error as? LMDBError)?.code
                guard code == .mapFull || code == .transactionsLive else {
                    throw EventLogError(error, in: store.directory)
                }
                // Nothing was written: the same again in a larger map, once readers let it.
                queue.withLock { queue in
                    queue.requests.insert(contentsOf: group, at: 0)
                    queue.waitsSince = since
                }
                group = []
                if code == .mapFull { try store.growMap() }
            }
        }
    }
}
