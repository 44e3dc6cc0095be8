internal import EventStore
internal import Events
internal import LMDB
internal import Synchronization
internal import TamperEvidence
internal import Threads

/// A walk over all blocks of a log by several threads, told as one thread would tell it.
///
/// Threads take portions in order, judge their blocks side by side, and hand in what they found in
/// order. However many they are, the same is found. One is the caller's; each holds one portion.
final class VerificationRun: Sendable {
    /// More threads would wait for the one that reads.
    private static let mostThreads = 16

    /// What was found so far.
    fileprivate struct State {
        var found = LogVerification()
        /// What vouches for the log; nil if it is not looked at.
        var check: EvidenceCheck?
        /// Why the log cannot be read at all.
        var failure: EventLogError?

        /// Whether nothing more is to be found.
        var isOver: Bool {
            failure != nil || found.isStopped || found.damage != nil && check?.isOver ?? true
        }
    }

    /// Where the next portion begins, nil after the last one, and its number from 0.
    private struct Place {
        var next: RecordKey? = RecordKey(0)
        var number = 0
    }

    private let log: LMDBEventLog
    private let verifier: NoteVerifier?
    private let firstRead: UInt64
    private let place = Mutex(Place())
    private let state: Mutex<State>
    private let turns = OrderedTurns()

    /// Prepares a walk.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - check: What vouches for it, read up to the blocks; nil not to look, and to read the
    ///     events of all blocks.
    init(_ log: LMDBEventLog, _ check: EvidenceCheck?) {
        self.log = log
        verifier = check?.verifier
        firstRead = check?.firstRead ?? 0
        state = Mutex(State(check: check))
    }

    /// Walks over all blocks.
    ///
    /// - Parameters:
    ///   - threads: How many may work, the caller's one of them.
    ///   - progress: Called on this thread now and then, and at the end; false ends the walk.
    /// - Returns: What was found, and what vouches for the log, to be ended by the caller.
    /// - Throws: ``EventLogError`` if the log cannot be read at all.
    func walk(
        threads: Int, _ progress: (LogVerification) -> Bool
    ) throws(EventLogError) -> (LogVerification, EvidenceCheck?) {
        work(besides: min(threads, Self.mostThreads) - 1, progress)
        var state = state.withLock { $0 }
        if let failure = state.failure { throw failure }
        // Also if this thread came to no portion.
        if !progress(state.found) { state.found.isStopped = true }
        return (state.found, state.check)
    }

    private func work(besides others: Int, _ progress: (LogVerification) -> Bool) {
        guard others > 0, let thread = makeThread() else { return work(progress) }
        work(besides: others - 1, progress)
        thread.join()
    }

    private func makeThread() -> OwnThread? {
        do throws(NoThread) {
            return try OwnThread { [self] in work { _ in true } }
        } catch {
            return nil  // Fewer find the same, later.
        }
    }

    private func work(_ progress: (LogVerification) -> Bool) {
        var portion = BlockPortion(
            size: BlockPortion.limit, looksAtSeals: verifier != nil, verifier: verifier)
        while let (number, failure) = fill(&portion) {
            var blocks: [JudgedBlock] = []
            _ = portion.forEach(reading: firstRead) { block, _ in
                blocks.append(block)
                return true
            }
            let checkpoints = portion.checkpoints
            let (found, isOver) = turns.take(number) {
                state.withLock { state in
                    if !state.isOver { state.take(blocks, checkpoints, failure) }
                    return (state.found, state.isOver)
                }
            }
            guard isOver || !progress(found) else { continue }
            place.withLock { $0.next = nil }
            if !isOver { state.withLock { $0.found.isStopped = true } }
        }
    }

    /// Puts the next blocks in place of those that a portion has.
    ///
    /// - Returns: Which portion they are, and why they could not be read; nil at the end.
    private func fill(_ portion: inout BlockPortion) -> (Int, EventLogError?)? {
        place.withLock { place in
            guard let key = place.next.take() else { return nil }
            defer { place.number += 1 }
            do throws(EventLogError) {
                place.next = try log.store.read { try portion.fill(from: key, $0, $1) }
                return (place.number, nil)
            } catch {
                portion.removeAll()
                return (place.number, error)
            }
        }
    }
}

extension VerificationRun.State {
    /// Goes on with what was found of the portion that comes next.
    fileprivate mutating func take(
        _ blocks: [JudgedBlock], _ checkpoints: [(size: UInt64, head: Checkpoint?)],
        _ failure: EventLogError?
    ) {
        check?.take(blocks, checkpoints)
        for block in blocks where found.damage == nil { found.add(block) }
        guard let failure else { return }
        guard failure.code == .damaged else {
            self.failure = failure
            return
        }
        found.damage =
            found.damage ?? .damaged(failure.detail, at: found.next)
    }
}

extension LogVerification {
    /// Adds a block, unless it is damaged or does not follow the block before.
    fileprivate mutating func add(_ block: JudgedBlock) {
        do throws(EventLogError) {
            guard block.key == next else {
                throw .damaged("a block is missing", at: next)
            }
            let heads = try block.heads.get()
            for lane in Lane.allCases {
                let start = heads.indices(in: lane).lowerBound
                guard start == events(in: lane) else {
                    throw .damaged("lane \(lane) continues at index \(start)", at: next)
                }
            }
            self.heads = heads
            blocks += 1
            bytes += block.byteCount
            next = heads.next
        } catch {
            damage = error
        }
    }
}
