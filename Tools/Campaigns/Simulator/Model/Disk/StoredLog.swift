import EventStore
import Events
import Synchronization
import TestSupport

/// The log as one process has it open.
final class StoredLog: EventLog {
    private let disk: Disk
    private let timeline: Timeline
    let process: Int
    private let waiters: PositionWaiters
    private let isOpen = Mutex(true)
    private let appends = Mutex<(failure: EventLogError?, ranges: [Range<Position>])>((nil, []))

    init(_ disk: Disk, _ timeline: Timeline, process: Int) {
        (self.disk, self.timeline, self.process) = (disk, timeline, process)
        waiters = disk.open(process)
    }

    /// The process ends, or is killed; nothing that it still tries has an effect.
    func close(_ generator: inout SeededGenerator) {
        guard
            isOpen.withLock({ isOpen in
                defer { isOpen = false }
                return isOpen
            })
        else { return }
        disk.close(process, &generator)
    }

    var next: Position {
        get throws(EventLogError) {
            try checkOpen()
            return disk.next
        }
    }

    /// How the disk failed an append last; nil if it never did.
    var failure: EventLogError? { appends.withLock { $0.failure } }

    /// Whether it has written anything that is durable.
    var hasWritten: Bool { appends.withLock { !$0.ranges.isEmpty } }

    /// Whether it has written events itself, and was told that they are durable.
    func hasWritten(_ range: Range<Position>) -> Bool {
        appends.withLock { appends in
            appends.ranges.last { $0.lowerBound <= range.lowerBound }
                .map { range.upperBound <= $0.upperBound } ?? false
        }
    }

    func append(
        _ batch: EventBatch, expecting expected: Position?
    ) async throws(EventLogError) -> Range<Position> {
        do throws(EventLogError) {
            let range = try await write(batch, expecting: expected)
            appends.withLock { $0.ranges.append(range) }
            return range
        } catch {
            // One that was called off, or came too late, says nothing of the disk.
            if [.diskFull, .storage].contains(error.code) {
                appends.withLock { $0.failure = error }
            }
            throw error
        }
    }

    private func write(
        _ batch: EventBatch, expecting expected: Position?
    ) async throws(EventLogError) -> Range<Position> {
        try checkOpen()
        guard !batch.isEmpty else { return disk.next..<disk.next }
        while !disk.acquire(process, at: timeline.now) {
            if Task.isCancelled { throw EventLogError(.cancelled) }
            await timeline.sleep(milliseconds: 20)
            try checkOpen()
        }
        defer { disk.release(process) }
        if Task.isCancelled { throw EventLogError(.cancelled) }
        let end = disk.next
        if let expected, expected != end {
            throw EventLogError(.wrongExpectedPosition(actual: end))
        }
        if disk.mood == .full { throw EventLogError(.diskFull) }
        let range = try disk.write(batch)
        await timeline.wait(milliseconds: disk.syncMilliseconds)
        try checkOpen()
        if case .failing(let isWritten) = disk.mood {
            disk.turn(.well)
            if isWritten { disk.sync() } else { disk.abort() }
            throw EventLogError(.storage, detail: " (the disk failed)")
        }
        disk.sync()
        return range
    }

    func readBlocks(
        from start: Position, _ body: (Span<UInt8>) -> Bool
    ) throws(EventLogError) {
        try checkOpen()
        for block in disk.blocks(from: start) where !body(block.span) { return }
    }

    func waitForEvent(at position: Position) async throws(EventLogError) {
        try checkOpen()
        try await waiters.wait(for: position)
    }

    private func checkOpen() throws(EventLogError) {
        guard isOpen.withLock({ $0 }) else { throw EventLogError(.closed) }
    }
}
