import Deciding
import EventStore
import Fleet
import Projections
import Testing
import Walkers

@Suite("A worker")
struct ShareFolderTests {
    /// Sends some walks of some people, all of one share.
    private func walks(_ people: [String], to cluster: ModelCluster, seconds: Int) async throws
        -> [FleetLog: LogState]
    {
        var states: [FleetLog: LogState] = [:]
        for (number, person) in people.enumerated() {
            var walker = SimulatedWalker(seed: UInt64(number))
            let log = try await walker.log(seconds: seconds)
            let name = FleetLog(simulated: person, "0\(number)")
            try await Forwarder.send(log, as: name, to: cluster)
            states[name] = try log.state
        }
        return states
    }

    @Test("goes on where another one died, whatever that one had kept", arguments: 0...3)
    func takeover(round: Int) async throws {
        let cluster = ModelCluster()
        let first = try await walks(["ann", "bob"], to: cluster, seconds: 40)
        var worker = try await ShareFolder.caughtUp(with: cluster)
        if round > 0 { try await worker.keep() }
        // Longer now, and one more.
        let all = try await walks(["ann", "bob", "eve"], to: cluster, seconds: 60)
        #expect(first.count == 2)
        if round > 1 { while try await worker.fold(within: .zero) > 0 {} }
        if round > 2 { try await worker.keep() }

        var next = try await ShareFolder.caughtUp(with: cluster)
        try await next.keep()
        for folded in try await Study.logs(in: cluster) {
            #expect(folded.state.digest == all[folded.log]?.digest)
        }
        let kept = cluster.keptLogs
        #expect(kept.count == 3)
        for folded in kept { #expect(folded.state.digest == all[folded.log]?.digest) }
    }

    @Test("that was stopped for a while writes over nothing that another one has kept")
    func stopped() async throws {
        let cluster = ModelCluster()
        _ = try await walks(["ann", "bob"], to: cluster, seconds: 40)
        var stopped = try await ShareFolder.caughtUp(with: cluster)
        let all = try await walks(["ann", "bob"], to: cluster, seconds: 80)
        var next = try await ShareFolder.caughtUp(with: cluster)
        try await next.keep()
        let error = await #expect(throws: ClusterError.self) { try await stopped.keep() }
        #expect(error?.code == .conflict)
        for folded in try await Study.logs(in: cluster) {
            #expect(folded.state.digest == all[folded.log]?.digest)
            #expect(folded.setAsideCount == 0)
        }
    }

    @Test("sets aside what no recorder sends, and folds the rest")
    func strangers() async throws {
        let cluster = ModelCluster()
        let name = FleetLog(simulated: "mallory", "0f")
        var walker = SimulatedWalker(seed: 3)
        let log = try await walker.log(seconds: 1_500)
        var blocks: [[UInt8]] = []
        try log.readBlocks(from: 0) { block in
            blocks.append(block.indices.map { block[$0] })
            return true
        }
        try #require(blocks.count > 1)
        var flipped = blocks[0]
        flipped[100] ^= 1
        let bad: [(FleetLog.Kind, [UInt8])] = [
            (.events, []), (.events, flipped), (.events, blocks[1]),
            (.events, [UInt8](repeating: 0, count: 10_000_000)), (.sealed, [1, 2, 3]),
            (.sealed, flipped), (.checkpoint, [0]),
        ]
        for (kind, payload) in bad {
            try await cluster.publish(NewMessage(name.subject(kind), payload))
        }
        try await cluster.publish(NewMessage("pulselog.eve.0.short.events", blocks[0]))
        let honest = try await walks(["ann"], to: cluster, seconds: 30)
        var worker = try await ShareFolder.caughtUp(with: cluster)
        try await worker.keep()
        #expect(worker.strays.map(\.subject) == ["pulselog.eve.0.short.events"])
        let logs = try await Study.logs(in: cluster)
        #expect(logs.map(\.log.person) == ["ann", "mallory"])
        #expect(logs[0].state.digest == honest[logs[0].log]?.digest)
        #expect(logs[1].state.events == 0)
        // A checkpoint is looked at by whoever verifies.
        #expect(logs[1].setAsideCount == bad.count - 1)
        #expect(try await CollectedLog(name, from: cluster).evidence.faults.count == bad.count)
    }

    @Test("folds no more logs of a person than any walker has")
    func manyLogs() async throws {
        let cluster = ModelCluster()
        for number in 0...1_000 {
            let name = FleetLog(simulated: "mallory", "0\(number + 1_000)0")
            try await cluster.publish(NewMessage(name.subject(.events), [1]))
        }
        let honest = try await walks(["ann"], to: cluster, seconds: 10)
        let worker = try await ShareFolder.caughtUp(with: cluster)
        #expect(worker.strays.count == 1)
        let logs = try await Study.logs(in: cluster)
        #expect(logs.count == 1_001)
        #expect(logs[0].state.digest == honest[logs[0].log]?.digest)
    }

    @Test("folds a stream from its first message on if it was made anew")
    func madeAnew() async throws {
        let cluster = ModelCluster()
        _ = try await walks(["ann", "bob"], to: cluster, seconds: 80)
        var worker = try await ShareFolder.caughtUp(with: cluster)
        try await worker.keep()
        cluster.makeAnew(Subjects.events)
        let all = try await walks(["ann"], to: cluster, seconds: 20)
        var next = try await ShareFolder.caughtUp(with: cluster)
        try await next.keep()
        let logs = try await Study.logs(in: cluster)
        #expect(logs.map(\.state.digest) == logs.map { all[$0.log]?.digest })
        #expect(logs.count == 1)
    }

    @Test("has a share for itself")
    func leases() async throws {
        let cluster = ModelCluster()
        let now = ContinuousClock.now
        var mine = try #require(try await Lease.take("0", for: "one", in: cluster, at: now))
        #expect(try await Lease.take("0", for: "two", in: cluster, at: now) == nil)
        #expect(await mine.renew(in: cluster, at: now + .seconds(5)))
        // Who gives it back need not be waited for.
        try await mine.giveBack(in: cluster)
        mine = try #require(try await Lease.take("0", for: "three", in: cluster, at: now))
        // Another one took it, after it had ended.
        try await cluster.publish(NewMessage(Subjects.lease(ofShare: "0"), Array("two".utf8)))
        #expect(await !mine.renew(in: cluster, at: now + .seconds(20)))
    }
}
