import Deciding
import EventStore
import Events
import Fleet
import Projections
import Testing
import Walkers

@Suite("A forwarded log")
struct ForwarderTests {
    @Test("comes to the same totals, byte for byte, whatever the cluster loses", arguments: 1...40)
    func faults(seed: UInt64) async throws {
        var random = SplitMix64(state: seed)
        let faults = ModelCluster.Faults(
            lost: Int(random.next() % 20), unheard: Int(random.next() % 20),
            late: Int(random.next() % 20), twice: Int(random.next() % 20),
            behind: Int(random.next() % 30))
        let cluster = ModelCluster(seed: seed, faults: faults)
        let log = InMemoryEventLog()
        let name = try #require(
            FleetLog(person: "ann", id: String(repeating: "a", count: 32)))
        var walker = MadeUpWalker(seed: seed)
        _ = try await log.append(try walker.begin(), expecting: nil)
        var forwarder = Forwarder(of: log, as: name, to: cluster)
        for _ in 0..<20 {
            for _ in 0..<random.next() % 60 {
                _ = try await log.append(try walker.second(), expecting: nil)
            }
            // A recorder that is killed begins again with nothing but its log.
            if random.next() % 3 == 0 { forwarder = Forwarder(of: log, as: name, to: cluster) }
            try await forwardAll(&forwarder)
        }
        cluster.recover()
        try await forwardAll(&forwarder)

        var state = LogState()
        try log.fold(into: &state)
        let logs = try await Study.logs(in: cluster)
        #expect(logs.map(\.state.digest) == [state.digest])
        #expect(logs.first?.setAsideCount == 0)
        let collected = try await CollectedLog(name, from: cluster)
        #expect(collected.evidence.faults == [])
        #expect(
            try collected.log.events(in: 0..<state.next) == log.events(in: 0..<state.next))
    }

    @Test("is sent as its sealed blocks, for which its checkpoints vouch")
    func evidence() async throws {
        var recorder = try Recorder(seed: 7)
        defer { recorder.remove() }
        let cluster = ModelCluster(seed: 7, faults: ModelCluster.Faults(twice: 30))
        let name = try recorder.name
        var forwarder = Forwarder(of: recorder.log, as: name, to: cluster)
        for _ in 0..<3 {
            try await recorder.walk(seconds: 900)
            try await forwardAll(&forwarder)
            try await recorder.sign()
            try await forwardAll(&forwarder)
        }
        #expect(try await Study.logs(in: cluster).map(\.state.digest) == [recorder.state.digest])
        let evidence = try await CollectedLog(name, from: cluster).evidence
        #expect(evidence.faults == [])
        #expect(evidence.checkpoints == 3)
        #expect(evidence.blocks > 3 && evidence.signedBlocks == evidence.blocks)
    }

    @Test(
        "withholds what is not shared, and what is shared still verifies",
        arguments: Sharing.allCases)
    func sharing(_ sharing: Sharing) async throws {
        var recorder = try Recorder(seed: 11)
        defer { recorder.remove() }
        let (cluster, name) = (ModelCluster(), try recorder.name)
        var forwarder = Forwarder(of: recorder.log, as: name, to: cluster, sharing: sharing)
        try await recorder.walk(seconds: 1_200)
        try await forwardAll(&forwarder)
        try await recorder.sign()
        try await forwardAll(&forwarder)

        let collected = try await CollectedLog(name, from: cluster)
        #expect(collected.evidence.faults == [])
        #expect(collected.evidence.signedBlocks > 0)
        let state = try recorder.state
        let told = try collected.log.events(in: 0..<state.next)
        for (mine, theirs) in zip(try recorder.log.events(in: 0..<state.next), told) {
            #expect(
                sharing.includes(mine.header.kind)
                    ? mine == theirs : theirs.header.kind != mine.header.kind)
        }
        let folded = try #require(try await Study.logs(in: cluster).first)
        #expect(folded.state.live.steps == state.live.steps)
        #expect(sharing != .everything || folded.state.digest == state.digest)
        // No byte of a strap's name is in any message.
        let strap = Array("Strap".utf8)
        let isNamed = cluster.messages(of: Subjects.events).contains { message in
            message.payload.indices.contains { message.payload[$0...].starts(with: strap) }
        }
        #expect(isNamed == (sharing != .steps))
    }

    @Test("is refused if the cluster knows more of it, or other events")
    func histories() async throws {
        let (cluster, log, older, other) = (
            ModelCluster(), InMemoryEventLog(), InMemoryEventLog(), InMemoryEventLog()
        )
        let name = try #require(FleetLog(person: "ann", id: String(repeating: "b", count: 32)))
        var (walker, stranger) = (MadeUpWalker(seed: 1), MadeUpWalker(seed: 2))
        for second in 0..<50 {
            let batch = second == 0 ? try walker.begin() : try walker.second()
            _ = try await log.append(batch, expecting: nil)
            if second < 20 { _ = try await older.append(batch, expecting: nil) }
            _ = try await other.append(
                second == 0 ? try stranger.begin() : try stranger.second(), expecting: nil)
            if second == 45 { _ = try await other.append(try stranger.second(), expecting: nil) }
        }
        for _ in 0..<20 { _ = try await other.append(try stranger.second(), expecting: nil) }
        var forwarder = Forwarder(of: log, as: name, to: cluster)
        try await forwardAll(&forwarder)
        for (store, isOlder) in [(older, true), (other, false)] {
            var forwarder = Forwarder(of: store, as: name, to: cluster)
            let error = await #expect(throws: ForwardingError.self) {
                try await forwarder.step()
            }
            switch error {
            case .olderLog: #expect(isOlder)
            case .otherHistory: #expect(!isOlder)
            default: Issue.record("\(String(describing: error))")
            }
        }
    }
}
