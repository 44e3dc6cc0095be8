internal import Projections

/// The logs of a share: those that workers have kept, with the cursor up to which they are
/// complete, and what came since.
///
/// Nothing is written over that another worker has written since it was read: a worker that was
/// stopped for a while finds out, and leaves the share to the other one.
struct ShareLogs: Sendable {
    /// How many logs of a share a person has at most, some kilobytes each.
    ///
    /// A walker has one for each store.
    static let personLimit = 1_000

    /// The last message that was taken in.
    private(set) var sequence: UInt64 = 0
    /// Whether there were states that do not belong together, as while a worker keeps them.
    private(set) var isTorn = false
    /// The logs.
    private(set) var logs: [FleetLog: FoldedLog] = [:]
    private let share: Character
    /// Which stream the sequences are of.
    private let stream: String
    private var counts: [String: Int] = [:]
    /// The messages in which the states and the cursor stand.
    private var stateSequences: [FleetLog: UInt64] = [:]
    private var cursorSequence: UInt64 = 0

    /// Reads what is kept.
    ///
    /// - Throws: ``ClusterError``.
    init(of share: Character, in cluster: any Cluster) async throws(ClusterError) {
        self.share = share
        stream = try await cluster.identity(of: Subjects.events)
        var (cursor, isWhole) = ([Substring](), true)
        // One reader for both: a server that is behind the others then has a cursor that belongs to
        // its states, for the cursor is written after them.
        let reader = try await cluster.reader(
            of: Subjects.states, Subjects.states(ofShare: share), after: 0)
        try await reader.forEach { message in
            guard let log = Subjects.log(ofState: message.subject) else {
                cursorSequence = message.sequence
                cursor = String(decoding: message.payload, as: UTF8.self).split(separator: " ")
                return
            }
            stateSequences[log] = message.sequence
            // Of a stream that was made anew since, it is of no use.
            guard let kept = message.payload.after(line: stream) else { return }
            guard let folded = FoldedLog(kept: kept), folded.log == log else {
                return isWhole = false
            }
            if logs.updateValue(folded, forKey: log) == nil { counts[log.person, default: 0] += 1 }
        }
        // States of other folds are of no use, nor are those of which a server has lost some: the
        // share is folded from its first message on.
        if isWhole, cursor.count > 1, cursor[1...].elementsEqual(fingerprint, by: ==) {
            sequence = UInt64(cursor[0]) ?? 0
        } else {
            isTorn = !cursor.isEmpty
            (logs, counts) = ([:], [:])
        }
    }

    /// What a cursor and its states must agree on: the version of the folds, the stream, how many
    /// states there are, and the sum of their places.
    private var fingerprint: [String] {
        let sum = logs.keys.reduce(0) { $0 &+ (stateSequences[$1] ?? 0) }
        return ["\(LogState.version)", stream, "\(logs.count)", "\(sum)"]
    }

    /// Takes a message in.
    ///
    /// - Returns: The log that it belongs to; nil if no recorder sends there, or one too many.
    mutating func take(_ message: StoredMessage) -> FleetLog? {
        sequence = message.sequence
        guard let (log, kind) = FleetLog.read(message.subject) else { return nil }
        if logs[log] == nil {
            guard counts[log.person, default: 0] < Self.personLimit else { return nil }
            counts[log.person, default: 0] += 1
        }
        logs[log, default: FoldedLog(log)].take(message, kind)
        return log
    }

    /// Keeps the states of logs that have changed, and then how far they go.
    ///
    /// - Throws: ``ClusterError``; after `conflict` another worker has the share.
    mutating func keep(
        _ changed: Set<FleetLog>, in cluster: any Cluster
    ) async throws(ClusterError) {
        // Some at once: while they are kept, nothing is folded.
        for part in changed.sorted().split(into: 64) {
            for (log, kept) in await keep(part.compactMap { logs[$0] }, in: cluster) {
                stateSequences[log] = try kept.get()
            }
        }
        cursorSequence = try await cluster.publish(
            NewMessage(
                Subjects.cursor(ofShare: share), expecting: cursorSequence,
                Array("\(sequence) \(fingerprint.joined(separator: " "))".utf8)))
    }

    private func keep(
        _ part: [FoldedLog], in cluster: any Cluster
    ) async -> [(FleetLog, Result<UInt64, ClusterError>)] {
        typealias Kept = (FleetLog, Result<UInt64, ClusterError>)
        return await withTaskGroup(of: Kept.self) { group in
            for folded in part {
                group.addTask {
                    do throws(ClusterError) {
                        let kept = try await keep(folded.kept, of: folded.log, in: cluster)
                        return (folded.log, .success(kept))
                    } catch {
                        return (folded.log, .failure(error))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Keeps a state; of one that is too large only that it cannot be kept, so that whoever takes
    /// over folds the share from its first message on.
    private func keep(
        _ bytes: [UInt8], of log: FleetLog, in cluster: any Cluster
    ) async throws(ClusterError) -> UInt64 {
        do throws(ClusterError) {
            return try await cluster.publish(
                NewMessage(
                    Subjects.state(of: log), expecting: stateSequences[log] ?? 0,
                    Array("\(stream)\n".utf8) + bytes))
        } catch {
            guard error.code == .refused, !bytes.isEmpty else { throw error }
            return try await keep([], of: log, in: cluster)
        }
    }
}

extension [UInt8] {
    /// What follows a first line; nil if that is another one.
    fileprivate func after(line: String) -> [UInt8]? {
        let head = Array("\(line)\n".utf8)
        return starts(with: head) ? Array(self[head.count...]) : nil
    }
}

extension MessageReader {
    /// Hands on all messages that are there.
    func forEach(_ body: (StoredMessage) -> Void) async throws(ClusterError) {
        while true {
            let (messages, pending) = try await next(1_000, within: .zero)
            messages.forEach(body)
            if pending == 0 { return }
        }
    }
}
