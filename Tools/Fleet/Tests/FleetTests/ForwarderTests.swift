import Deciding
import EventStore
import EventStoreLMDB
import Events
import Fleet
import Projections
import TestSelection
import TestSupport
import Testing
import Walkers

@Suite("A forwarded log")
struct ForwarderTests {
    @Test(
        "comes to the same totals, byte for byte, whatever the cluster loses",
        arguments: everythingIsTested ? 1...40 : 1...4)
    func faults(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let faults = ModelCluster.Faults(
            lost: Int(random.below(20)), unheard: Int(random.below(20)),
            late: Int(random.below(20)), twice: Int(random.below(20)),
            behind: Int(random.below(30)))
        let cluster = ModelCluster(seed: seed, faults: faults)
        let name = FleetLog(simulated: "ann", "a")
        var walker = SimulatedWalker(seed: seed)
        let log = try await walker.log()
        var forwarder = Forwarder(of: log, as: name, to: cluster)
        for _ in 0..<20 {
            try await walker.walk(seconds: Int(random.below(60)), into: log)
            // A recorder that is killed begins again with nothing but its log.
            if random.below(3) == 0 { forwarder = Forwarder(of: log, as: name, to: cluster) }
            try await forwarder.sendAll()
        }
        cluster.recover()
        try await forwarder.sendAll()

        let state = try log.state
        let logs = try await Study.logs(in: cluster)
        #expect(logs.map(\.state.digest) == [state.digest])
        #expect(logs.first?.setAsideCount == 0)
        let collected = try await CollectedLog(name, from: cluster)
        #expect(collected.evidence.faults == [])
        #expect(
            try collected.log.events(in: 0..<state.next) == log.events(in: 0..<state.next))
    }

    @Test("has the same day, certified, as on the walker's machine")
    func day() async throws {
        let (cluster, name) = (ModelCluster(), FleetLog(simulated: "ann", "a"))
        var walker = SimulatedWalker(seed: 4)
        let log = try await walker.log(seconds: 300)
        try await Forwarder.send(log, as: name, to: cluster)
        let collected = try await CollectedLog(name, from: cluster)
        let (state, none) = (try log.state, EarlierStates())
        let day = try #require(state.dayReports().last)
        let changes = try collected.log.staircase(of: day.date, until: state, from: none)
        #expect(day.displayed > 0 && !changes.isEmpty)
        #expect(try changes == log.staircase(of: day.date, until: state, from: none))
        var certifiers = log.certifiers(in: nil)
        _ = try collected.log.certify(day.date, until: state, from: none, &certifiers).get()
        #expect(
            collected.evidence.sentence == "No block is sealed yet: nothing vouches for the log.")
        let folded = try #require(try await Study.logs(in: cluster).first)
        #expect(Glance(folded).steps == day.displayed)
    }

    @Test("is sent as its sealed blocks, for which its checkpoints vouch")
    func evidence() async throws {
        var recorder = try Recorder(seed: 7)
        defer { recorder.log.close() }
        let cluster = ModelCluster(seed: 7, faults: ModelCluster.Faults(twice: 30))
        var forwarder = Forwarder(of: recorder.log, as: recorder.name, to: cluster)
        for _ in 0..<3 {
            try await recorder.walk(seconds: 900)
            try await forwarder.sendAll()
            try await recorder.sign()
            try await forwarder.sendAll()
        }
        #expect(
            try await Study.logs(in: cluster).map(\.state.digest) == [recorder.log.state.digest])
        let evidence = try await CollectedLog(recorder.name, from: cluster).evidence
        #expect(evidence.faults == [])
        #expect(evidence.checkpoints == 3)
        #expect(evidence.blocks > 3 && evidence.signedBlocks == evidence.blocks)
    }

    @Test(
        "withholds what is not shared, and what is shared still verifies",
        arguments: Sharing.allCases)
    func sharing(_ sharing: Sharing) async throws {
        var recorder = try Recorder(seed: 11)
        defer { recorder.log.close() }
        let cluster = ModelCluster()
        var forwarder = Forwarder(
            of: recorder.log, as: recorder.name, to: cluster, sharing: sharing)
        try await recorder.walk(seconds: 1_200)
        try await forwarder.sendAll()
        try await recorder.sign()
        try await forwarder.sendAll()

        let collected = try await CollectedLog(recorder.name, from: cluster)
        #expect(collected.evidence.faults == [])
        #expect(collected.evidence.signedBlocks > 0)
        let state = try recorder.log.state
        let told = try collected.log.events(in: 0..<state.next)
        for (mine, theirs) in zip(try recorder.log.events(in: 0..<state.next), told) {
            #expect(
                sharing.includes(mine.header.kind)
                    ? mine == theirs : theirs.header.kind != mine.header.kind)
        }
        let folded = try #require(try await Study.logs(in: cluster).first)
        #expect(folded.state.own.steps == state.own.steps)
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
        let name = FleetLog(simulated: "ann", "b")
        var (walker, stranger) = (SimulatedWalker(seed: 1), SimulatedWalker(seed: 2))
        for second in 0..<50 {
            let batch = second == 0 ? try walker.begin() : try walker.second()
            _ = try await log.append(batch, expecting: nil)
            if second < 20 { _ = try await older.append(batch, expecting: nil) }
            _ = try await other.append(
                second == 0 ? try stranger.begin() : try stranger.second(), expecting: nil)
            if second == 45 { _ = try await other.append(try stranger.second(), expecting: nil) }
        }
        try await stranger.walk(seconds: 20, into: other)
        var forwarder = Forwarder(of: log, as: name, to: cluster)
        try await forwarder.sendAll()
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
