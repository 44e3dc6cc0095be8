internal import ArgumentParser
internal import Fleet
internal import FleetClient
internal import Glibc

/// Folds logs, as many shares as nobody else does.
struct Work: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "work",
        abstract: "Folds the logs of the study; start as many workers as there are machines.",
        discussion: """
            The logs are in sixteen shares. A worker takes those that nobody folds, more slowly \
            the more it has; the shares of one that died are taken over after ten seconds.
            """)

    @OptionGroup var options: ClusterOptions

    func run() async throws {
        let cluster = try options.cluster(as: StudyConfiguration.keeper)
        let worker = Worker(cluster, name: "process \(getpid())")
        try await withThrowingTaskGroup { group in
            for share in Subjects.shares {
                group.addTask { try await worker.run(share) }
            }
            try await group.waitForAll()
        }
    }
}

/// One process that folds shares.
actor Worker {
    private let cluster: JetStreamCluster
    private let name: String
    private var shares: Set<Character> = []
    private var complaint: String?

    init(_ cluster: JetStreamCluster, name: String) {
        self.cluster = cluster
        self.name = name
    }

    /// Folds a share whenever nobody else does.
    ///
    /// - Throws: `ClusterError` when the cluster lets this worker in no more.
    func run(_ share: Character) async throws {
        while !Task.isCancelled {
            // Who has more shares is slower to take another one.
            await pause(.milliseconds(500 + 400 * shares.count))
            do throws(ClusterError) {
                guard
                    let lease = try await Lease.take(share, for: name, in: cluster, at: .now)
                else {
                    continue
                }
                shares.insert(share)
                defer { shares.remove(share) }
                tell("Share \(share) is folded here.")
                try await fold(share, lease)
                tell("Share \(share) is folded elsewhere now.")
            } catch {
                guard error.code != .shutOut else { throw error }
                if complaint != error.description { say(error.description) }
                complaint = error.description
                await pause(.seconds(2))
            }
        }
    }

    /// Folds until the lease is lost, which is renewed next to it: a share takes its time to load.
    private nonisolated func fold(
        _ share: Character, _ lease: Lease
    ) async throws(ClusterError) {
        let error = await withTaskGroup(of: ClusterError?.self) { group in
            group.addTask { [cluster] in
                var lease = lease
                while !Task.isCancelled, await lease.renew(in: cluster, at: .now) {
                    await pause(.seconds(1))
                }
                return nil
            }
            group.addTask {
                do throws(ClusterError) {
                    try await self.fold(share)
                    return nil
                } catch {
                    return error
                }
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? nil
        }
        // Another worker has it.
        if let error, error.code != .conflict { throw error }
    }

    private nonisolated func fold(_ share: Character) async throws(ClusterError) {
        var folder = try await ShareFolder(of: share, from: cluster)
        var (told, kept) = (ContinuousClock.now, ContinuousClock.now)
        while !Task.isCancelled {
            let count = try await folder.fold(within: .milliseconds(500))
            if count < ShareFolder.portion { await pause(ShareFolder.gatherInterval) }
            if told.duration(to: .now) >= ShareFolder.glanceInterval {
                for stray in folder.strays {
                    say(
                        "Message \(stray.sequence) on \(stray.subject) belongs to no log, or to "
                            + "one too many of a person; it is passed over.")
                }
                folder.tell()
                told = .now
            }
            if kept.duration(to: .now) >= ShareFolder.keepInterval {
                try await folder.keep()
                kept = .now
            }
        }
    }
}
