import Deciding
import EventStore
import Events
import Interchange
import Projections

/// Folding, exporting and importing lead to the same state.
extension Witness {
    /// Folds the log anew, block by block: after a crash, and at the end.
    func rebuild() {
        var rebuilt = LogState()
        do throws(EventLogError) {
            try log.fold(until: next, into: &rebuilt)
        } catch {
            complain(.durable, "the log cannot be read: \(error)")
        }
        if rebuilt.canonicalBytes() != state.canonicalBytes() {
            complain(.digests, "folded again, the log gives another state")
        }
        checkSnapshot()
        checkEndedSessions()
    }

    /// Folds on from the snapshot that the processes have left, if there is one, and doubts it.
    private func checkSnapshot() {
        do throws(EventLogError) {
            let folded = try log.folded(until: next, from: disk.snapshots)
            if folded.state.canonicalBytes() != state.canonicalBytes() {
                complain(.digests, "folded from a snapshot, the log gives another state")
            }
            if case .differs(let next) = try log.checkSnapshot(in: disk.snapshots) {
                complain(.digests, "the snapshot before \(next) is not what its events give")
            }
        } catch {
            complain(.durable, "the log cannot be read: \(error)")
        }
    }

    /// Exports the log as JSON Lines, reads them, and replays what was read.
    func exportAndImport() throws {
        var writer = JSONLinesWriter()
        var failure: FieldError?
        try log.read { event in
            do throws(FieldError) {
                try writer.append(event)
            } catch {
                failure = error
            }
            return true
        }
        if let failure { complain(.digests, "an event cannot be exported: \(failure)") }
        var reader = JSONLinesReader()
        reader.push(writer.bytes)
        reader.finish()
        var imported = EventBatch()
        while let line = try reader.next() {
            try imported.append(line.header, payload: line.payload.span)
        }
        var replayed = LogState()
        for index in 0..<imported.count {
            _ = imported.withEvent(at: index, from: 0) { replayed.evolve($0) }
        }
        if replayed.canonicalBytes() != state.canonicalBytes() {
            complain(.digests, "exported and imported, the log gives another state")
        }
    }
}
