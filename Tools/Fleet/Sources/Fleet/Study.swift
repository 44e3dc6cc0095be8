/// All logs of a study, as the cluster has them now.
public enum Study {
    /// Folds all logs: the states that workers have kept, and what came after them.
    ///
    /// - Throws: ``ClusterError``.
    public static func logs(in cluster: any Cluster) async throws(ClusterError) -> [FoldedLog] {
        var all: [FoldedLog] = []
        for share in Subjects.shares {
            var logs = try await ShareLogs(of: share, in: cluster)
            let reader = try await cluster.reader(
                of: Subjects.events, Subjects.share(share), after: logs.sequence)
            try await reader.forEach { _ = logs.take($0) }
            all += logs.logs.values
        }
        return all.sorted { $0.log < $1.log }
    }
}
