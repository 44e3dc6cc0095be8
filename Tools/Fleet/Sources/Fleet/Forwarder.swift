package import EventStore
package import EventStoreLMDB
package import Events
package import TamperEvidence

/// A log, and what vouches for it.
package protocol SealedEventLog: EventLog {
    /// Hands sealed blocks on, in order.
    func forEachSealedBlock(
        from first: UInt64, opening opens: (EventKind) -> Bool,
        _ body: (OpenedBlock, Range<Position>) -> Bool
    ) throws(EventLogError)
    /// The public key that signs the log; nil if it was never sealed.
    func publicKey() throws(EventLogError) -> NoteVerifier?
    /// The last checkpoint; nil if there is none.
    func lastCheckpoint() throws(EventLogError) -> String?
}

extension LMDBEventLog: SealedEventLog {}

/// Nothing vouches for a log in memory.
extension InMemoryEventLog: SealedEventLog {
    /// Hands nothing on.
    package func forEachSealedBlock(
        from first: UInt64, opening opens: (EventKind) -> Bool,
        _ body: (OpenedBlock, Range<Position>) -> Bool
    ) throws(EventLogError) {}

    /// No key.
    package func publicKey() throws(EventLogError) -> NoteVerifier? { nil }

    /// No checkpoint.
    package func lastCheckpoint() throws(EventLogError) -> String? { nil }
}

/// Sends a log to the cluster: its sealed blocks as they are, and what follows them as it comes.
///
/// The cluster itself is the cursor: how far it has the log, its last messages say. So a crash, a
/// retry, an answer that got lost and a cluster that was away all end in the same way: the
/// forwarder asks anew, and goes on after what is there. Each message names the one before it of
/// its subject, so that one that comes late is refused.
package struct Forwarder: Sendable {
    /// What became of a step.
    package enum Step: Hashable, Sendable {
        /// A message is stored, and the cluster has the events before this position.
        case sent(FleetLog.Kind, next: Position)
        /// The cluster has all there is.
        case idle(next: Position)
        /// Somebody else has sent something: what the cluster has is asked for again.
        case overtaken
    }

    /// How far the cluster has the log.
    private struct Progress {
        var events: Position = 0
        var blocks: UInt64 = 0
        var checkpoint: String?
        var sequences: [FleetLog.Kind: UInt64] = [:]
    }

    private let name: FleetLog
    private let log: any SealedEventLog
    private let cluster: any Cluster
    private let sharing: Sharing
    /// Nil until the cluster was asked.
    private var progress: Progress?

    /// Makes a forwarder.
    ///
    /// - Parameters:
    ///   - log: The log; it is only read.
    ///   - name: Whose it is.
    ///   - cluster: Where it goes.
    ///   - sharing: What of it may leave the machine.
    package init(
        of log: any SealedEventLog, as name: FleetLog, to cluster: any Cluster,
        sharing: Sharing = .everything
    ) {
        (self.log, self.name, self.cluster, self.sharing) = (log, name, cluster, sharing)
    }

    /// Sends the next message, if there is something to send.
    ///
    /// - Returns: What became of it.
    /// - Throws: ``ForwardingError``; the next step asks the cluster anew.
    package mutating func step() async throws(ForwardingError) -> Step {
        do {
            let known = if let progress { progress } else { try await ask() }
            progress = nil
            guard let (message, next, step) = try await nextMessage(after: known) else {
                progress = known
                return .idle(next: known.events)
            }
            let sequence = try await cluster.publish(message)
            progress = next
            if case .sent(let kind, _) = step { progress?.sequences[kind] = sequence }
            return step
        } catch let error as ClusterError {
            if error.code == .conflict { return .overtaken }
            throw ForwardingError.cluster(error)
        } catch let error as EventLogError {
            throw ForwardingError.log(error)
        } catch let error as ForwardingError {
            throw error
        } catch {
            preconditionFailure("Nothing else is thrown: \(error)")
        }
    }

    private typealias Planned = (NewMessage, Progress, Step)

    /// Sealed blocks first, then what follows them, then who vouches for it.
    private func nextMessage(after known: Progress) async throws -> Planned? {
        var next = known
        if let (block, events) = try sealedBlock(known.blocks) {
            next.blocks += 1
            if sharing == .everything { next.events = max(next.events, events.upperBound) }
            return planned(.sealed, block.encoded, known, next)
        }
        if let block = try block(from: known.events) {
            next.events = block.next
            return planned(.events, block.bytes, known, next)
        }
        guard let checkpoint = try log.lastCheckpoint(), checkpoint != known.checkpoint,
            let key = try log.publicKey(), let note = SignedNote(checkpoint),
            let head = Checkpoint(note, signedBy: key), head.size <= known.blocks
        else { return nil }
        next.checkpoint = checkpoint
        let payload = Array((key.vkey + "\n" + checkpoint).utf8)
        return planned(.checkpoint, payload, known, next)
    }

    private func planned(
        _ kind: FleetLog.Kind, _ payload: [UInt8], _ known: Progress, _ next: Progress
    ) -> Planned {
        let message = NewMessage(
            name.subject(kind), expecting: known.sequences[kind] ?? 0, payload)
        return (message, next, .sent(kind, next: next.events))
    }

    private func sealedBlock(_ number: UInt64) throws(EventLogError) -> (
        OpenedBlock, Range<Position>
    )? {
        var found: (OpenedBlock, Range<Position>)?
        try log.forEachSealedBlock(from: number, opening: sharing.includes) { block, events in
            found = (block, events)
            return false
        }
        return found
    }

    /// The events from a position on, as many as fit into a block; nil if there are none.
    ///
    /// Made of the same events it is the same block.
    private func block(
        from start: Position, until end: Position = .max
    ) throws(EventLogError) -> (bytes: [UInt8], next: Position)? {
        guard try log.next > start, start < end else { return nil }
        var builder = BlockBuilder()
        var damage: DamagedBlock?
        var last: EventHeader?
        try log.readBlocks(from: start) { block in
            do throws(DamagedBlock) {
                if builder.count == 0 { try builder.startNextBlock(at: start, within: block) }
                var fits = true
                try BlockReader.forEach(in: block, from: start) { event in
                    fits = event.header.position < end && append(event, to: &builder, after: &last)
                    return fits
                }
                return fits
            } catch {
                damage = error
                return false
            }
        }
        if let damage { throw EventLogError(damage) }
        guard builder.count > 0 else { return nil }
        return (builder.withBytes { [UInt8](copying: $0) }, builder.next)
    }

    private func append(
        _ event: borrowing EventView, to builder: inout BlockBuilder, after last: inout EventHeader?
    ) -> Bool {
        guard !sharing.includes(event.header.kind) else {
            last = event.header
            return builder.append(event)
        }
        let header = sharing.standIn(for: event.header, after: last)
        return EventView.lend(header, payload: [UInt8]().span) { builder.append($0) }
    }

    // MARK: - What the cluster has

    private func ask() async throws -> Progress {
        var progress = Progress()
        for kind in FleetLog.Kind.allCases {
            let subject = name.subject(kind)
            guard let last = try await cluster.lastMessage(of: subject, in: Subjects.events) else {
                continue
            }
            progress.sequences[kind] = last.sequence
            switch kind {
            case .events:
                let end = try end(ofBlock: last.payload)
                try await compare(last, upTo: end)
                progress.events = max(progress.events, end)
            case .sealed:
                let block = OpenedBlock(encoded: last.payload)
                guard let block, let mine = try sealedBlock(block.ordinal), mine.0 == block else {
                    throw ForwardingError.otherHistory(name, last.sequence)
                }
                progress.blocks = block.ordinal + 1
                if sharing == .everything {
                    progress.events = max(progress.events, mine.1.upperBound)
                }
            case .checkpoint:
                let text = String(decoding: last.payload, as: UTF8.self)
                progress.checkpoint = text.split(separator: "\n", maxSplits: 1).last.map(
                    String.init)
            }
        }
        return progress
    }

    private func end(ofBlock bytes: [UInt8]) throws -> Position {
        do {
            try BlockReader.verify(bytes.span)
            return try BlockReader.heads(of: bytes.span).next
        } catch {
            throw ForwardingError.foreignMessage(name)
        }
    }

    /// Refuses to go on after events that this log does not hold.
    private func compare(_ last: StoredMessage, upTo end: Position) async throws {
        guard try log.next >= end else {
            throw ForwardingError.olderLog(name, sent: end, held: try log.next)
        }
        let first = try BlockReader.heads(of: last.payload.span).first
        guard try block(from: first, until: end)?.bytes == last.payload else {
            throw ForwardingError.otherHistory(name, last.sequence)
        }
    }
}

/// Why a log cannot be forwarded.
package enum ForwardingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The cluster has not done what was asked.
    case cluster(ClusterError)
    /// The log cannot be read.
    case log(EventLogError)
    /// The cluster has more of the log than this store.
    case olderLog(FleetLog, sent: Position, held: Position)
    /// The last message of the log does not tell of this store's events.
    case otherHistory(FleetLog, UInt64)
    /// The last message of the log is none of a recorder.
    case foreignMessage(FleetLog)

    /// What happened and what to do.
    package var description: String {
        switch self {
        case .cluster(let error): error.description
        case .log(let error): "The log cannot be read: \(error)."
        case .olderLog(let log, let sent, let held):
            "The cluster has \(sent) events of log \(log.id), and this store only \(held): it is "
                + "an older state. Forward the newer store, or restore this one with "
                + "`pulselog log restore`, which begins a log of its own."
        case .otherHistory(let log, let sequence):
            "Message \(sequence) of log \(log.id) tells other events than this store, or was sent "
                + "with another --only. Forward the store that it came from, or restore this one "
                + "with `pulselog log restore`, which begins a log of its own."
        case .foreignMessage(let log):
            "The last message of log \(log.id) was not sent by a recorder. Ask the study's keeper "
                + "to remove it."
        }
    }
}
