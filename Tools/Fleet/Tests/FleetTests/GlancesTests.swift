import Fleet
import JSON
import Testing
import Walkers

@Suite("Glances")
struct GlancesTests {
    /// How somebody's log stands after some seconds, as the cluster has it.
    private func folded(_ person: String, seconds: Int) async throws -> FoldedLog {
        let cluster = ModelCluster()
        var walker = SimulatedWalker(seed: 4)
        let log = try await walker.log(seconds: seconds)
        try await Forwarder.send(log, as: FleetLog(simulated: person, "a"), to: cluster)
        return try #require(try await Study.logs(in: cluster).first)
    }

    @Test("are read as they were told, whatever is not known", arguments: [0, 1, 300])
    func lines(seconds: Int) async throws {
        let glance = Glance(try await folded("ann", seconds: seconds))
        #expect(Glance(line: Array(glance.jsonLine.dropLast())) == glance)
        #expect((glance.steps != nil) == (seconds == 300))
        #expect(Glance(line: Array("{}".utf8)) == nil)
    }

    @Test("are the newest that came, and nobody's who has left")
    func newest() async throws {
        let (early, late) = (
            try await folded("ann", seconds: 10), try await folded("ann", seconds: 300)
        )
        let bob = try await folded("bob", seconds: 10)
        let glances = Glances()
        glances.replace(with: [bob, early])
        #expect(glances.all == [Glance(early), Glance(bob)])
        // Of two lines in a message, in any order.
        glances.take(Glance(late).jsonLine + [0x0A] + Array("?\n".utf8) + Glance(early).jsonLine)
        #expect(glances.all == [Glance(late), Glance(bob)])
        // What is kept may be older than what was told.
        glances.replace(with: [early])
        #expect(glances.all == [Glance(late)])
    }

    @Test("say who is not heard, of those who walk")
    func silence() async throws {
        let glance = Glance(try await folded("ann", seconds: 10))
        let heard = glance.lastHeardMilliseconds
        #expect(glance.activity == .walking)
        #expect(!glance.isSilent(at: heard + 60_000) && glance.isSilent(at: heard + 60_001))
    }
}
