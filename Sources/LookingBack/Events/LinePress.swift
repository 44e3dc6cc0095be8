internal import Dispatch
internal import EventStore
internal import Events
internal import Interchange
internal import Synchronization
internal import TamperEvidence
internal import Terminal

/// Writes blocks of a log to standard output as JSON Lines, some at a time, and half of those on
/// another processor if there is one.
struct LinePress {
    /// Some blocks, and what they become.
    private struct Half {
        var blocks: [UInt8] = []
        /// Where each block ends.
        var ends: [Int] = []
        var lines = JSONLinesWriter()
        var failure: EventLogError?
    }

    /// A half that one thread at a time works on.
    private final class Bench: Sendable {
        let half = Mutex(Half())
    }

    /// The most blocks of a half: half a megabyte of lines.
    private static let blocksPerHalf = 4

    private let positions: Range<Position>
    /// Nil writes all.
    private let filter: EventFilter?
    private let benches = [Bench(), Bench()]
    private var count = 0
    /// Takes in what is written, if its end is to say so.
    private(set) var digest: FileDigest?

    /// Makes a press without a block.
    ///
    /// - Parameters:
    ///   - positions: Where the events are that are written.
    ///   - filter: Which of them are.
    ///   - digest: Takes in what is written; nil if nothing has to.
    init(
        _ positions: Range<Position>, _ filter: EventFilter = EventFilter(),
        digest: FileDigest? = nil
    ) {
        self.positions = positions
        self.digest = digest
        self.filter = filter.showsAll ? nil : filter
    }

    /// Takes a block, and writes what it has if that is enough.
    ///
    /// - Throws: ``flush()``'s error.
    mutating func add(_ block: Span<UInt8>) throws(EventLogError) {
        benches[count / Self.blocksPerHalf].half.withLock { half in
            half.blocks.append(copying: block)
            half.ends.append(half.blocks.count)
        }
        count += 1
        if count == benches.count * Self.blocksPerHalf { try flush() }
    }

    /// Writes what it has.
    ///
    /// - Throws: `EventLogError` `damaged` for a block that cannot be read; what comes before is
    ///   written.
    mutating func flush() throws(EventLogError) {
        let used = benches.prefix((count + Self.blocksPerHalf - 1) / Self.blocksPerHalf)
        count = 0
        DispatchQueue.concurrentPerform(iterations: used.count) { [positions, filter] index in
            used[index].half.withLock { Self.press(&$0, positions, filter) }
        }
        for bench in used {
            let (bytes, failure) = bench.half.withLock { ($0.lines.bytes, $0.failure) }
            write(bytes)
            if let failure { throw failure }
        }
    }

    /// Writes whole lines.
    mutating func write(_ bytes: [UInt8]) {
        digest?.take(bytes.span)
        Output.standard.write(bytes)
    }

    /// Makes lines of a half's blocks, which are gone then.
    private static func press(
        _ half: inout Half, _ positions: Range<Position>, _ filter: EventFilter?
    ) {
        half.lines.removeAll()
        let blocks = half.blocks
        var start = 0
        do throws(EventLogError) {
            for end in half.ends {
                let block = blocks.span.extracting(start..<end)
                try append(block, positions, filter, to: &half.lines)
                start = end
            }
        } catch {
            half.failure = error
        }
        half.blocks.removeAll(keepingCapacity: true)
        half.ends.removeAll(keepingCapacity: true)
    }

    private static func append(
        _ block: Span<UInt8>, _ positions: Range<Position>, _ filter: EventFilter?,
        to lines: inout JSONLinesWriter
    ) throws(EventLogError) {
        var failure: EventLogError?
        do throws(DamagedBlock) {
            try BlockReader.forEach(in: block, from: positions.lowerBound) { event in
                guard event.header.position < positions.upperBound else { return false }
                if let filter, !filter.shows(event) { return true }
                do throws(FieldError) {
                    try lines.append(event)
                    return true
                } catch {
                    failure = EventLogError(
                        .damaged, position: event.header.position, detail: error.description)
                    return false
                }
            }
        } catch {
            failure = EventLogError(error)
        }
        if let failure { throw failure }
    }
}
