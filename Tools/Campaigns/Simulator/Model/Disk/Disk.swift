import EventStore
import Events
import Synchronization
import TestSupport

/// A disk with a log on it: what was synced stays; what was only written may be lost or torn.
///
/// The log consists of the real blocks. A transaction is written, with its checksum, then synced,
/// then acknowledged; after a loss of power what was written last counts if it is whole.
final class Disk: Sendable {
    /// How it works now.
    enum Mood: Hashable, Sendable {
        /// It works.
        case well
        /// It has no room.
        case full
        /// What is written next fails; it may be on the disk all the same.
        case failing(isWritten: Bool)
    }

    fileprivate struct State {
        var blocks: [StoredBlock] = []
        var next: Position = 0
        /// The transaction that was written last, as bytes.
        var lastWrite: [UInt8] = []
        /// Whether that transaction is in the blocks already, or can never be.
        var isApplied = true
        /// The process that writes, and since when.
        var writer: (number: Int, since: UInt64)?
        var mood = Mood.well
        var syncMilliseconds: UInt64 = 3
        /// The process that holds the lock of the one recorder.
        var recorder: Int?
        /// Whether a process that wants to record waits for that lock.
        var isRecorderRequested = false
        /// Who waits for events, of each process that has the log open.
        var waiters: [Int: PositionWaiters] = [:]
    }

    private let state = Mutex(State())
    /// The snapshot that the processes leave to each other.
    let snapshots = StoredSnapshot()

    /// The position after the last durable event.
    var next: Position { state.withLock { $0.next } }
    /// How it works now.
    var mood: Mood { state.withLock { $0.mood } }
    /// How long a sync takes.
    var syncMilliseconds: UInt64 { state.withLock { $0.syncMilliseconds } }

    /// Whether a process holds the lock of the one recorder.
    var isRecorderAlive: Bool { state.withLock { $0.recorder != nil } }

    /// Whether a process that wants to record waits for that lock.
    var isRecorderRequested: Bool {
        get { state.withLock { $0.isRecorderRequested } }
        set { state.withLock { $0.isRecorderRequested = newValue } }
    }

    func turn(_ mood: Mood) {
        state.withLock { $0.mood = mood }
    }

    func slow(toMilliseconds milliseconds: UInt64) {
        state.withLock { $0.syncMilliseconds = milliseconds }
    }

    // MARK: - Processes

    /// Takes the lock of the one recorder; false while another process has it.
    func lockRecorder(_ process: Int) -> Bool {
        state.withLock { state in
            guard state.recorder == nil else { return false }
            state.recorder = process
            return true
        }
    }

    func unlockRecorder(_ process: Int) {
        state.withLock { if $0.recorder == process { $0.recorder = nil } }
    }

    func open(_ process: Int) -> PositionWaiters {
        state.withLock { state in
            let waiters = PositionWaiters(end: state.next)
            state.waiters[process] = waiters
            return waiters
        }
    }

    /// A process ends, or is killed; what it was writing is there or not.
    func close(_ process: Int, _ generator: inout SeededGenerator) {
        let waiters = state.withLock { state in
            if state.writer?.number == process {
                state.writer = nil
                if generator.chance(50) { state.lastWrite = [] }
                state.recover()
            }
            return state.waiters.removeValue(forKey: process)
        }
        waiters?.close()
    }

    /// Power fails while the last transaction is being written.
    func losePower(_ generator: inout SeededGenerator) {
        state.withLock { state in
            if !state.isApplied, !state.lastWrite.isEmpty {
                let torn = Int(generator.below(UInt64(state.lastWrite.count) + 1))
                for index in torn..<state.lastWrite.count { state.lastWrite[index] = 0 }
            }
            state.writer = nil
            state.recover()
        }
    }

    // MARK: - Writing

    /// Takes the right to write; false while somebody else has it.
    func acquire(_ process: Int, at now: UInt64) -> Bool {
        state.withLock { state in
            guard state.writer == nil else { return false }
            state.writer = (process, now)
            return true
        }
    }

    func release(_ process: Int) {
        state.withLock { if $0.writer?.number == process { $0.writer = nil } }
    }

    /// Since when another process writes; nil if none does.
    func writingSince(otherThan process: Int) -> UInt64? {
        state.withLock { $0.writer?.number == process ? nil : $0.writer?.since }
    }

    /// Writes a transaction; it is not synced.
    func write(_ batch: EventBatch) throws(EventLogError) -> Range<Position> {
        try state.withLock { state throws(EventLogError) in
            var builder = BlockBuilder()
            var transaction = Transaction(blocks: [], next: state.next + UInt64(batch.count))
            if let open = state.blocks.last {
                do throws(DamagedBlock) {
                    try builder.resume(open.bytes.span)
                } catch {
                    throw EventLogError(error)
                }
            }
            var index = builder.append(batch, from: 0)
            transaction.blocks.append(StoredBlock(builder))
            while index < batch.count {
                builder.startNextBlock()
                index = builder.append(batch, from: index)
                transaction.blocks.append(StoredBlock(builder))
            }
            state.lastWrite = transaction.bytes
            state.isApplied = false
            return state.next..<transaction.next
        }
    }

    /// The transaction that was written is synced: its events are durable, and are seen.
    func sync() {
        let (next, waiters) = state.withLock { state in
            state.recover()
            return (state.next, state.waiters.sorted { $0.key < $1.key }.map(\.value))
        }
        for waiter in waiters { waiter.advance(to: next) }
    }

    /// The transaction that was written never counts.
    func abort() {
        state.withLock { state in
            state.lastWrite = []
            state.recover()
        }
    }

    // MARK: - Reading

    /// The blocks with events from a position on.
    func blocks(from start: Position) -> [[UInt8]] {
        state.withLock { state in
            let after = state.blocks.lastIndex { $0.first <= start } ?? 0
            return start < state.next ? state.blocks[after...].map(\.bytes) : []
        }
    }
}

extension Disk.State {
    /// Takes the last write in if it is whole, as each opening does.
    fileprivate mutating func recover() {
        if !isApplied, let transaction = Transaction(bytes: lastWrite) {
            for block in transaction.blocks {
                if blocks.last?.first == block.first { blocks.removeLast() }
                blocks.append(block)
            }
            next = transaction.next
        }
        isApplied = true
    }
}
