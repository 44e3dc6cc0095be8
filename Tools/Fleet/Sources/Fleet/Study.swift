internal import Projections

/// All logs of a study, as the cluster has them now.
public enum Study {
    /// How many messages are asked for at once.
    private static let portion = 1_000

    /// Folds all logs: the states that workers have kept, and what came after them.
    ///
    /// - Throws: ``ClusterError``.
    public static func logs(in cluster: any Cluster) async throws(ClusterError) -> [FoldedLog] {
        var logs: [FleetLog: FoldedLog] = [:]
        let states = try await cluster.reader(of: Subjects.states, Subjects.allStates, after: 0)
        try await forEach(of: states) { message in
            guard let folded = FoldedLog(kept: message.payload) else { return }
            logs[folded.log] = folded
        }
        for share in Subjects.shares {
            let reader = try await cluster.reader(
                of: Subjects.events, Subjects.share(share),
                after: try await cursor(of: share, in: cluster))
            try await forEach(of: reader) { message in
                guard let (log, kind) = FleetLog.read(message.subject) else { return }
                logs[log, default: FoldedLog(log)].take(message, kind)
            }
        }
        return logs.values.sorted { $0.log < $1.log }
    }

    /// Folds a log from its first message on.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - end: The first sequence that is not of interest.
    ///   - cluster: Where it is.
    /// - Returns: The folded log.
    /// - Throws: ``ClusterError``.
    public static func folded(
        _ log: FleetLog, before end: UInt64, from cluster: any Cluster
    ) async throws(ClusterError) -> FoldedLog {
        var folded = FoldedLog(log)
        let reader = try await cluster.reader(of: Subjects.events, log.subjects, after: 0)
        try await forEach(of: reader) { message in
            guard message.sequence < end, let (_, kind) = FleetLog.read(message.subject) else {
                return
            }
            folded.take(message, kind)
        }
        return folded
    }

    // MARK: - Up to where states are kept

    /// The last message of a share that is in the kept states; 0 if they are of another version
    /// of the folds.
    static func cursor(
        of share: Character, in cluster: any Cluster
    ) async throws(ClusterError) -> UInt64 {
        let kept = try await cluster.lastMessage(
            of: Subjects.cursor(ofShare: share), in: Subjects.states)
        let words = kept.map { String(decoding: $0.payload, as: UTF8.self).split(separator: " ") }
        guard let words, words.count == 2, words[1] == "\(LogState.version)" else { return 0 }
        return UInt64(words[0]) ?? 0
    }

    /// What is kept as the cursor.
    static func cursor(at sequence: UInt64) -> [UInt8] {
        Array("\(sequence) \(LogState.version)".utf8)
    }

    /// Hands on all messages that are there.
    static func forEach(
        of reader: any MessageReader, _ body: (StoredMessage) -> Void
    ) async throws(ClusterError) {
        while true {
            let (messages, pending) = try await reader.next(portion, within: .zero)
            messages.forEach(body)
            if pending == 0 { return }
        }
    }
}
