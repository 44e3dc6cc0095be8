/// All logs of a study, as the cluster has them now.
public enum Study {
    /// Folds all logs: the states that workers have kept, and what came after them.
    ///
    /// - Throws: ``ClusterError``.
    public static func logs(in cluster: any Cluster) async throws(ClusterError) -> [FoldedLog] {
        var all: [FoldedLog] = []
        for share in Subjects.shares {
            let kept = try await KeptShare(of: share, in: cluster)
            var logs = kept.logs
            let reader = try await cluster.reader(
                of: Subjects.events, Subjects.share(share), after: kept.sequence)
            try await reader.forEach { message in
                guard let (log, kind) = FleetLog.read(message.subject) else { return }
                logs[log, default: FoldedLog(log)].take(message, kind)
            }
            all += logs.values
        }
        return all.sorted { $0.log < $1.log }
    }
}
