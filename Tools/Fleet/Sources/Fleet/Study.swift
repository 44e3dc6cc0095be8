/// All logs of a study, as the cluster has them now.
package enum Study {
    /// Folds all logs: the states that workers have kept, and what came after them.
    ///
    /// - Throws: ``ClusterError``.
    package static func logs(in cluster: any Cluster) async throws(ClusterError) -> [FoldedLog] {
        let shares = await withTaskGroup(of: Result<[FoldedLog], ClusterError>.self) { group in
            for share in Subjects.shares {
                group.addTask {
                    do throws(ClusterError) {
                        return .success(try await logs(of: share, in: cluster))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var all: [FoldedLog] = []
        for share in shares { all += try share.get() }
        return all.sorted { $0.log < $1.log }
    }

    private static func logs(
        of share: Character, in cluster: any Cluster
    ) async throws(ClusterError) -> [FoldedLog] {
        var logs = try await ShareLogs(of: share, in: cluster)
        // It takes a moment to keep states; to fold all messages of a share may take minutes.
        for _ in 0..<4 where logs.isTorn {
            do {
                try await Task.sleep(for: .milliseconds(250))
            } catch {
                break
            }
            logs = try await ShareLogs(of: share, in: cluster)
        }
        let reader = try await cluster.reader(
            of: Subjects.events, Subjects.share(share), after: logs.sequence)
        try await reader.forEach { _ = logs.take($0) }
        return Array(logs.logs.values)
    }
}
