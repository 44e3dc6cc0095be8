package import EventStore
internal import Events
internal import TamperEvidence
internal import Text

/// A log that was read back from the cluster, event by event, and what vouches for it.
package struct CollectedLog: Sendable {
    /// What the log's evidence comes to.
    package struct Evidence: Hashable, Sendable {
        /// How many blocks are sealed.
        package internal(set) var blocks: UInt64 = 0
        /// How many checkpoints vouch for them.
        package internal(set) var checkpoints = 0
        /// How many blocks the last of them vouches for.
        package internal(set) var signedBlocks: UInt64 = 0
        /// The key that signs them; nil if there is no checkpoint.
        package internal(set) var vkey: String?
        /// What does not fit, in whole sentences; each names its message.
        package internal(set) var faults: [String] = []

        /// What vouches for the log, or the first fault.
        package var sentence: String {
            if let fault = faults.first { return fault }
            if blocks == 0 { return "No block is sealed yet: nothing vouches for the log." }
            return signedBlocks == blocks
                ? "Checkpoints vouch for all \(counted(blocks, "sealed block"))."
                : "Checkpoints vouch for \(grouped(signedBlocks)) of "
                    + "\(counted(blocks, "sealed block"))."
        }
    }

    /// Whose it is.
    package let name: FleetLog
    /// The events, in a log of their own.
    package let log = InMemoryEventLog()
    /// What vouches for them.
    package private(set) var evidence = Evidence()
    private var tree = MerkleTree()
    /// The roots of the tree after each block, and the checkpoints that were signed.
    private var roots: [TreeHash] = []
    private var lastLeaf: TreeHash?

    /// Reads a log.
    ///
    /// - Parameters:
    ///   - name: Whose it is.
    ///   - cluster: Where it is.
    /// - Throws: ``ClusterError``; `EventLogError` never.
    package init(_ name: FleetLog, from cluster: any Cluster) async throws {
        self.name = name
        let reader = try await cluster.reader(of: Subjects.events, name.subjects, after: 0)
        var messages: [StoredMessage] = []
        try await reader.forEach { messages.append($0) }
        for message in messages {
            guard let (_, kind) = FleetLog.read(message.subject) else { continue }
            switch kind {
            case .events: try await take(block: message.payload, message)
            case .sealed: try await takeSealed(message)
            case .checkpoint: takeCheckpoint(message)
            }
        }
    }

    private mutating func fault(_ message: StoredMessage, _ words: String) {
        evidence.faults.append("Message \(message.sequence): \(words)")
    }

    /// Appends the events that are news; those that are not must be the ones that are there.
    private mutating func take(block: [UInt8], _ message: StoredMessage) async throws {
        let next = try log.next
        var (batch, first) = (EventBatch(), next)
        do throws(DamagedBlock) {
            try BlockReader.verify(block.span)
            first = try BlockReader.heads(of: block.span).first
            guard first <= next else {
                return fault(message, "events \(next) to \(first - 1) are missing before it.")
            }
            var failure: FieldError?
            try BlockReader.forEach(in: block.span, from: next) { event in
                do throws(FieldError) { try batch.append(event) } catch { failure = error }
                return failure == nil
            }
            if let failure {
                return fault(message, "an event is outside of its limits: \(failure).")
            }
        } catch {
            return fault(message, "it is no block: \(error).")
        }
        if !batch.isEmpty { _ = try await log.append(batch, expecting: next) }
        let told = try BlockReader.events(of: block.span)
        let held = try log.events(in: first..<first + UInt64(told.count))
        if told != held { fault(message, "it tells other events than the messages before it.") }
    }

    private mutating func takeSealed(_ message: StoredMessage) async throws {
        guard let opened = OpenedBlock(encoded: message.payload) else {
            return fault(message, "it is no sealed block.")
        }
        let leaf = opened.leaf
        // A retry may be stored as well.
        if leaf == lastLeaf, opened.ordinal == tree.size - 1 { return }
        guard opened.ordinal == tree.size else {
            return fault(
                message, "it is block \(opened.ordinal), and block \(tree.size) is missing.")
        }
        tree.append(leaf)
        lastLeaf = leaf
        roots.append(tree.root)
        evidence.blocks = tree.size
        if let block = opened.block { try await take(block: block, message) }
    }

    private mutating func takeCheckpoint(_ message: StoredMessage) {
        let text = String(decoding: message.payload, as: UTF8.self)
        let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let key = NoteVerifier(vkey: String(parts[0])),
            let note = SignedNote(String(parts[1])), let head = Checkpoint(note, signedBy: key)
        else { return fault(message, "it is no signed checkpoint.") }
        guard key.name == "pulselog/\(name.id)" else {
            return fault(message, "it is a checkpoint of \(key.name).")
        }
        if let vkey = evidence.vkey, vkey != key.vkey {
            return fault(message, "it is signed with another key than the checkpoints before.")
        }
        let root =
            head.size == 0
            ? MerkleTree().root : head.size <= tree.size ? roots[Int(head.size) - 1] : nil
        guard root == head.root else {
            return fault(
                message,
                root == nil
                    ? "it vouches for \(head.size) blocks, of which \(tree.size) were sent."
                    : "it does not vouch for the blocks that were sent: history was rewritten.")
        }
        evidence.vkey = key.vkey
        evidence.checkpoints += 1
        evidence.signedBlocks = max(evidence.signedBlocks, head.size)
    }
}

extension BlockReader {
    /// The events of a block, decoded.
    fileprivate static func events(of block: Span<UInt8>) throws(DamagedBlock) -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        try forEach(in: block) { event in
            events.append(event.recorded)
            return true
        }
        return events
    }
}
