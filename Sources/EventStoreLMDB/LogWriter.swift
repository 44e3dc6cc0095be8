internal import EventStore
internal import Events
internal import LMDB
internal import Synchronization

/// The thread that owns all writes of a log.
///
/// It takes everything that waits, writes it in one transaction, and answers when that is durable:
/// a group commits for the price of one.
final class LogWriter: Sendable {
    typealias Outcome = Result<Range<Position>, EventLogError>

    /// Some events, and who waits for them to be durable.
    private struct Request {
        let batch: EventBatch
        let expected: Position?
        let continuation: CheckedContinuation<Outcome, Never>
    }

    private struct Queue {
        var requests: [Request] = []
        var isClosing = false
        var thread: OwnThread?
    }

    /// A group that has this many events gets no further batch.
    private static let groupEvents = 1 << 20
    /// How often the slots of dead readers are freed.
    private static let readerCheckInterval = Duration.seconds(60)

    private let store: OpenStore
    private let waiters: PositionWaiters
    private let bell: Doorbell
    private let queue = Mutex(Queue())

    /// Starts the thread; ``close()`` ends it.
    ///
    /// - Throws: ``EventLogError`` `storage` if the system has no thread left.
    init(store: OpenStore, waiters: PositionWaiters) throws(EventLogError) {
        self.store = store
        self.waiters = waiters
        bell = try Doorbell()
        let thread = try OwnThread { [self] in run() }
        queue.withLock { $0.thread = thread }
    }

    // MARK: - From any thread

    /// Appends a batch, and returns when it is durable.
    ///
    /// - Throws: ``EventLogError``.
    func append(
        _ batch: EventBatch, expecting expected: Position?
    ) async throws(EventLogError) -> Range<Position> {
        let outcome = await withCheckedContinuation { continuation in
            let request = Request(batch: batch, expected: expected, continuation: continuation)
            let isAccepted = queue.withLock { queue in
                guard !queue.isClosing else { return false }
                queue.requests.append(request)
                return true
            }
            if isAccepted {
                bell.ring()
            } else {
                continuation.resume(returning: .failure(EventLogError(.closed)))
            }
        }
        return try outcome.get()
    }

    /// Lets the thread end after what it has accepted, and waits for that.
    func close() {
        let thread = queue.withLock { queue in
            queue.isClosing = true
            return queue.thread.take()
        }
        bell.ring()
        thread?.join()
    }

    // MARK: - On the thread

    private func run() {
        var block = OpenBlock()
        let clock = ContinuousClock()
        var lastCheck = clock.now
        while true {
            let (requests, isClosing) = queue.withLock { queue in
                let requests = queue.requests
                queue.requests = []
                return (requests, queue.isClosing)
            }
            commit(requests, to: &block)
            if clock.now - lastCheck >= Self.readerCheckInterval, store.freeDeadReaders() {
                lastCheck = clock.now
            }
            guard requests.isEmpty else { continue }
            if isClosing { return }
            _ = bell.wait(milliseconds: Int32(Self.readerCheckInterval.components.seconds) * 1_000)
        }
    }

    private func commit(_ requests: [Request], to block: inout OpenBlock) {
        var start = 0
        while start < requests.count {
            var end = start + 1
            var count = requests[start].batch.count
            while end < requests.count, count < Self.groupEvents {
                count += requests[end].batch.count
                end += 1
            }
            commit(requests[start..<end], to: &block)
            start = end
        }
    }

    /// Commits a group and answers everyone in it.
    private func commit(_ group: ArraySlice<Request>, to block: inout OpenBlock) {
        do throws(EventLogError) {
            let outcomes = try write(group, to: &block)
            waiters.advance(to: block.next)
            for (request, outcome) in zip(group, outcomes) {
                request.continuation.resume(returning: outcome)
            }
        } catch {
            for request in group { request.continuation.resume(returning: .failure(error)) }
        }
    }

    /// Writes a group durably, growing the map where it must.
    private func write(
        _ group: ArraySlice<Request>, to block: inout OpenBlock
    ) throws(EventLogError) -> [Outcome] {
        store.reopenIfNeeded()
        while true {
            do throws(StoreFailure) {
                return try store.write { transaction, environment throws(StoreFailure) in
                    let log = environment.log
                    try block.catchUp(with: transaction.reading, in: log)
                    var outcomes: [Outcome] = []
                    for request in group {
                        outcomes.append(try Self.add(request, to: &block, &transaction, log))
                    }
                    try Self.store(&block, &transaction, log)
                    return outcomes
                }
            } catch {
                block.invalidate()
                guard case .environment(let cause) = error, cause.code == .mapFull else {
                    store.reopenIfNeeded()
                    throw error.logError(in: store.directory)
                }
                // Nothing was written: the same again in a larger map.
                try store.growMap()
            }
        }
    }

    /// Adds a batch, unless the log ends elsewhere than it expects: then only this batch fails.
    private static func add(
        _ request: Request, to block: inout OpenBlock, _ transaction: inout WriteTransaction,
        _ log: Database
    ) throws(StoreFailure) -> Outcome {
        let start = block.next
        if let expected = request.expected, expected != start {
            return .failure(EventLogError(.wrongExpectedPosition(actual: start)))
        }
        do throws(LMDBError) {
            try block.add(request.batch, to: &transaction, in: log)
        } catch {
            throw .environment(error)
        }
        return .success(start..<block.next)
    }

    private static func store(
        _ block: inout OpenBlock, _ transaction: inout WriteTransaction, _ log: Database
    ) throws(StoreFailure) {
        do throws(LMDBError) {
            try block.store(to: &transaction, in: log)
        } catch {
            throw .environment(error)
        }
    }
}
