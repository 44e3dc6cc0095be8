package import EventStore
package import Events
internal import Synchronization
internal import Terminal

/// A log that shows how far a long reading of it is, for a person at a terminal.
package final class WatchedLog: ForwardingLog {
    /// Shows a percentage; nil takes away what was shown.
    package typealias Show = @Sendable (_ percent: Int?) -> Void

    /// Below this number of events nothing is shown: they are read in a moment.
    private static let leastEvents: UInt64 = 1_000_000

    package let behind: any EventLog
    private let leastEvents: UInt64
    private let show: Show

    /// Watches a log.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - words: What is done, at most 30 columns.
    package convenience init(_ log: any EventLog, _ words: String) {
        let line = Mutex(ProgressLine())
        self.init(log) { percent in
            line.withLock { line in
                if let percent { line.show(words, percent: percent) } else { line.clear() }
            }
        }
    }

    /// Watches a log, with a display of its own.
    package init(
        _ log: any EventLog, fromEvents leastEvents: UInt64 = WatchedLog.leastEvents,
        show: @escaping Show
    ) {
        behind = log
        (self.leastEvents, self.show) = (leastEvents, show)
    }

    /// Shows which share of the events is behind, after each block.
    package func readBlocks(
        from start: Position, _ body: (Span<UInt8>) -> Bool
    ) throws(EventLogError) {
        var all: Position = 0
        do throws(EventLogError) {
            all = try behind.next
        } catch {
            // What stands before the damage is read all the same.
            guard error.code == .damaged else { throw error }
        }
        guard all >= leastEvents, start < all else {
            return try behind.readBlocks(from: start, body)
        }
        defer { show(nil) }
        var shown = -1
        try behind.readBlocks(from: start) { block in
            do throws(DamagedBlock) {
                let first = max(start, try BlockReader.heads(of: block).first)
                let percent = Int((first - start) * 100 / (all - start))
                if percent != shown { show(percent) }
                shown = percent
            } catch {
                return body(block)  // It says the same of the block.
            }
            return body(block)
        }
    }
}
