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
            The logs are in sixteen shares, which workers divide among themselves. The shares of \
            one that died are taken over after ten seconds.
            """)

    @OptionGroup var options: ClusterOptions

    func run() async throws {
        let cluster = try options.cluster(as: StudyConfiguration.keeper)
        var random = SystemRandomNumberGenerator()
        let name = "\(getpid())-\(UInt32.random(in: 0 ... .max, using: &random))"
        let worker = Worker(cluster, name: name)
        try await withThrowingTaskGroup { group in
            group.addTask { try await worker.beThere() }
            for share in Subjects.shares {
                group.addTask { try await worker.run(share) }
            }
            try await group.waitForAll()
        }
    }
}

/// One process that folds shares: as many as each worker has if all have equally many.
actor Worker {
    private let cluster: JetStreamCluster
    private let name: String
    private var shares: Set<Character> = []
    /// How many workers there were when it was looked, the last time last.
    private var looks: [Int] = []
    private var complaint: String?

    init(_ cluster: JetStreamCluster, name: String) { (self.cluster, self.name) = (cluster, name) }

    /// Says again and again that this worker is there, and looks how many there are.
    ///
    /// - Throws: `ClusterError` when the cluster lets this worker in no more.
    func beThere() async throws {
        let message = NewMessage(Subjects.presence(ofWorker: name), Array(name.utf8))
        while !Task.isCancelled {
            do throws(ClusterError) {
                _ = try await cluster.publish(message)
                looks = looks.suffix(Self.lookLimit - 1) + [try await cluster.workerCount()]
            } catch {
                try complain(error)
            }
            await pause(Lease.renewInterval)
        }
    }

    /// How many shares this worker has at most.
    ///
    /// Of some looks the one with the fewest workers counts: in an outage some only seem to be
    /// away, and shares do not go to and fro for them.
    private var fairCount: Int {
        let workers = max(1, looks.min() ?? 1)
        return (Subjects.shares.count + workers - 1) / workers
    }

    /// A new worker has its shares after half a minute.
    private static let lookLimit = 10

    /// Folds a share whenever nobody else does.
    ///
    /// - Throws: `ClusterError` when the cluster lets this worker in no more.
    func run(_ share: Character) async throws {
        while !Task.isCancelled {
            await pause(.milliseconds(500 + 400 * shares.count))
            // Taken before it is asked for, so that all tasks together take no more than is fair.
            guard shares.count < fairCount else { continue }
            shares.insert(share)
            defer { shares.remove(share) }
            do throws(ClusterError) {
                guard
                    let lease = try await Lease.take(share, for: name, in: cluster, at: .now)
                else { continue }
                tell("Share \(share) is folded here.")
                try await fold(share, lease)
                tell("Share \(share) is no longer folded here.")
            } catch {
                try complain(error)
                await pause(.seconds(2))
            }
        }
    }

    private func complain(_ error: ClusterError) throws(ClusterError) {
        guard error.code != .shutOut else { throw error }
        if complaint != error.description { say(error.description) }
        complaint = error.description
    }

    /// Whether another worker should have a share of this one: then it is given up.
    private func givesUp(_ share: Character) -> Bool {
        guard shares.count > fairCount else { return false }
        return shares.remove(share) != nil
    }

    /// Folds until the lease is lost, which is renewed next to it: a share takes its time to load.
    private nonisolated func fold(
        _ share: Character, _ lease: Lease
    ) async throws(ClusterError) {
        enum Part: Sendable { case held(Lease?), folded(ClusterError?) }
        let (held, error) = await withTaskGroup(of: Part.self) { group in
            group.addTask { [cluster] in
                var lease = lease
                while !Task.isCancelled {
                    guard await lease.renew(in: cluster, at: .now) else { return .held(nil) }
                    await pause(.seconds(1))
                }
                return .held(lease)
            }
            group.addTask {
                do throws(ClusterError) {
                    try await self.fold(share)
                    return .folded(nil)
                } catch {
                    return .folded(error)
                }
            }
            var (held, error): (Lease?, ClusterError?)
            for await part in group {
                group.cancelAll()
                switch part {
                case .held(let lease): held = lease
                case .folded(let fault): error = fault
                }
            }
            return (held, error)
        }
        // After a conflict another worker has it, or it is loaded anew.
        if let error, error.code != .conflict { throw error }
        try await held?.giveBack(in: cluster)
    }

    private nonisolated func fold(_ share: Character) async throws(ClusterError) {
        var folder = try await ShareFolder(of: share, from: cluster)
        var told = ContinuousClock.now
        // Soon for the first time: questions begin after what is kept.
        var kept = told - ShareFolder.keepInterval
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
            let isGivenUp = await givesUp(share)
            if isGivenUp || kept.duration(to: .now) >= ShareFolder.keepInterval {
                try await folder.keep()
                kept = .now
            }
            if isGivenUp { return }
        }
    }
}
