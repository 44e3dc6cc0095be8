internal import JSON

/// Folds the logs of a share, as long as this worker holds the share's lease.
///
/// What a worker leaves behind is for the next one to begin with, and may be lost: the messages are
/// what counts.
package struct ShareFolder: Sendable {
    /// How often the states that have changed are kept.
    package static let keepInterval: Duration = .seconds(15)
    /// How often it is told how logs stand.
    package static let glanceInterval: Duration = .milliseconds(500)
    /// The most messages that are asked for at once.
    package static let portion = 512
    /// How long messages gather while there are few: ten questions a second are enough.
    package static let gatherInterval: Duration = .milliseconds(100)

    /// Which share.
    package let share: Character
    private let cluster: any Cluster
    private var logs: ShareLogs
    private var unkept: Set<FleetLog> = []
    private var untold: Set<FleetLog> = []
    private var reader: any MessageReader
    /// The first messages since ``tell()`` that belong to no log: they are passed over.
    package private(set) var strays: [StoredMessage] = []

    /// Begins after what is kept of a share.
    ///
    /// - Throws: ``ClusterError``.
    package init(of share: Character, from cluster: any Cluster) async throws(ClusterError) {
        (self.share, self.cluster) = (share, cluster)
        logs = try await ShareLogs(of: share, in: cluster)
        reader = try await cluster.reader(
            of: Subjects.events, Subjects.share(share), after: logs.sequence)
    }

    /// Folds the next messages.
    ///
    /// - Returns: How many there were.
    /// - Throws: ``ClusterError``.
    package mutating func fold(within patience: Duration) async throws(ClusterError) -> Int {
        let messages = try await reader.next(Self.portion, within: patience).messages
        for message in messages {
            if let log = logs.take(message) {
                unkept.insert(log)
                untold.insert(log)
            } else if strays.count < FoldedLog.namedLimit {
                strays.append(message)
            }
        }
        return messages.count
    }

    /// Tells how the logs stand that have changed, a line of JSON for each.
    package mutating func tell() {
        strays = []
        guard !untold.isEmpty else { return }
        // The server takes a message of a megabyte: some thousand glances.
        for part in untold.sorted().split(into: 2_000) {
            let lines = part.compactMap { logs.logs[$0].map { Glance($0).jsonLine } }
            cluster.tell(Subjects.glances(ofShare: share), Array(lines.joined()))
        }
        untold = []
    }

    /// Keeps the states that have changed, and how far they go.
    ///
    /// - Throws: ``ClusterError``; after `conflict` another worker has the share, or somebody has
    ///   left it, and it is to be loaded anew.
    package mutating func keep() async throws(ClusterError) {
        try await logs.keep(unkept, in: cluster)
        unkept = []
    }
}

extension Array {
    func split(into limit: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: limit).map { self[$0..<Swift.min($0 + limit, count)] }
    }
}
