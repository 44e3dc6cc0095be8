import Deciding
import EventStore
import Events
import Fleet
import Projections
import TestSelection
import TestSupport
import Testing
import Walkers

/// Recorders and workers over a model of the cluster, in a time of their own: each tick somebody
/// does something, as a seed wants it.
private struct FleetHistory {
    private struct Walk {
        var name: FleetLog
        var log = InMemoryEventLog()
        var walker: SimulatedWalker
        var forwarder: Forwarder
        /// What a backup holds, and how many were restored from one.
        var backup = EventBatch()
        var restored = 0
    }

    private var random: SeededGenerator
    let cluster: ModelCluster
    private var walks: [Walk] = []
    private var workers: [ShareFolder?] = [nil, nil, nil]
    /// The states that each log must come to; a log that was restored leaves its former one.
    private var left: [FleetLog: LogState] = [:]

    init(seed: UInt64) async throws {
        random = SeededGenerator(seed: seed)
        cluster = ModelCluster(
            seed: seed,
            faults: ModelCluster.Faults(
                lost: Int(random.below(20)), unheard: Int(random.below(20)),
                late: Int(random.below(10)), twice: Int(random.below(10)),
                behind: Int(random.below(10))))
        for number in 0..<4 {
            var walker = SimulatedWalker(seed: seed &* 10 &+ UInt64(number))
            let log = try await walker.log()
            let name = Self.name(number, 0)
            walks.append(
                Walk(
                    name: name, log: log, walker: walker,
                    forwarder: Forwarder(of: log, as: name, to: cluster)))
        }
    }

    private static func name(_ number: Int, _ restored: Int) -> FleetLog {
        FleetLog(simulated: "p\(number)", "0\(number)\(restored % 10)")
    }

    mutating func tick() async throws {
        if random.chance(3) { cluster.isAway.toggle() }
        // What workers keep may get lost: the messages are what counts.
        if random.chance(1) { cluster.lose(random.next(), of: Subjects.states) }
        let number = Int(random.below(UInt64(walks.count)))
        let seconds = Int(random.below(8))
        try await walks[number].walker.walk(seconds: seconds, into: walks[number].log)
        if random.chance(5) { walks[number].backup = try walks[number].log.batch() }
        if random.chance(2), !walks[number].backup.isEmpty, walks[number].restored < 9 {
            try await restore(number)
        }
        // A recorder that is killed begins again with nothing but its log.
        if random.chance(5) { begin(number) }
        try await send(number)
        try await work(Int(random.below(UInt64(workers.count))))
    }

    private mutating func begin(_ number: Int) {
        let walk = walks[number]
        walks[number].forwarder = Forwarder(of: walk.log, as: walk.name, to: cluster)
    }

    /// A store that comes from a backup is a log of its own; the cluster keeps the former one as
    /// far as it was sent.
    private mutating func restore(_ number: Int) async throws {
        let isAway = cluster.isAway
        cluster.isAway = false
        try await sendAll(number)
        cluster.isAway = isAway
        walks[number].log = InMemoryEventLog()
        _ = try await walks[number].log.append(walks[number].backup, expecting: nil)
        walks[number].restored += 1
        walks[number].name = Self.name(number, walks[number].restored)
        begin(number)
    }

    private mutating func send(_ number: Int) async throws {
        do throws(ForwardingError) {
            _ = try await walks[number].forwarder.step()
        } catch {
            guard case .cluster(let failure) = error, failure.code == .lost else { throw error }
        }
    }

    private mutating func sendAll(_ number: Int) async throws {
        try await walks[number].forwarder.sendAll()
        left[walks[number].name] = try walks[number].log.state
    }

    /// A worker folds, keeps, or dies; there may be several of one share, as after a long pause.
    private mutating func work(_ number: Int) async throws {
        do throws(ClusterError) {
            guard var worker = workers[number] else {
                workers[number] = try await ShareFolder(of: "0", from: cluster)
                return
            }
            workers[number] = nil
            // One that was stopped keeps what others have left behind long ago.
            if random.chance(50) { _ = try await worker.fold(within: .zero) }
            if random.chance(30) { try await worker.keep() }
            if !random.chance(10) { workers[number] = worker }
        } catch {
            // It is gone, and begins again with what is kept.
            guard error.code == .lost || error.code == .conflict else { throw error }
        }
    }

    /// Ends: all is sent.
    ///
    /// - Returns: What each log must come to.
    mutating func finish() async throws -> [FleetLog: LogState] {
        cluster.recover()
        for number in walks.indices { try await sendAll(number) }
        return left
    }
}

@Suite("A fleet")
struct FleetHistoryTests {
    @Test(
        "comes to the walkers' own totals, whatever fails in whatever order",
        arguments: everythingIsTested ? 1...25 : 1...2)
    func histories(seed: UInt64) async throws {
        var history = try await FleetHistory(seed: seed)
        for _ in 0..<400 { try await history.tick() }
        let expected = try await history.finish()
        let logs = try await Study.logs(in: history.cluster)
        #expect(Set(logs.map(\.log)) == Set(expected.keys))
        for folded in logs {
            #expect(folded.state.digest == expected[folded.log]?.digest, "\(folded.log)")
            #expect(folded.setAsideCount == 0)
        }
        // Whoever takes over now has the same.
        var worker = try await ShareFolder.caughtUp(with: history.cluster)
        try await worker.keep()
        let kept = history.cluster.keptLogs
        #expect(kept.count == expected.count)
        for folded in kept { #expect(folded.state.digest == expected[folded.log]?.digest) }
    }
}
