import EventStore
import Events
import Fleet
import FleetPage
import Foundation
import FoundationNetworking
import JSON
import Testing
import Walkers

@Suite("The fleet's page", .serialized)
struct PageTests {
    private func ask(_ url: String) async throws -> (status: Int, body: [UInt8]) {
        let (data, response) = try await URLSession.shared.data(
            from: try #require(URL(string: url)))
        return (try #require(response as? HTTPURLResponse).statusCode, Array(data))
    }

    @Test("tells how everybody stands, and a walker's day as his own page does")
    func answers() async throws {
        let cluster = ModelCluster()
        let name = try #require(FleetLog(person: "ann", id: String(repeating: "a", count: 32)))
        let log = InMemoryEventLog()
        var walker = MadeUpWalker(seed: 4)
        _ = try await log.append(try walker.begin(), expecting: nil)
        for _ in 0..<300 { _ = try await log.append(try walker.second(), expecting: nil) }
        var forwarder = Forwarder(of: log, as: name, to: cluster)
        try await forwardAll(&forwarder)

        let walkers = Walkers()
        walkers.replace(with: try await Study.logs(in: cluster))
        let port = Int.random(in: 20_000..<30_000)
        let (ready, isReady) = AsyncStream<Void>.makeStream()
        let server = Task {
            try await PageServer(walkers, of: cluster, secret: "secret").run(port: port) {
                isReady.finish()
            }
        }
        defer { server.cancel() }
        for await _ in ready {}

        let here = "http://127.0.0.1:\(port)"
        #expect(try await ask("\(here)/").status == 404)
        #expect(try await ask("\(here)/secreT/walkers").status == 404)
        #expect(try await ask("\(here)/secret/").status == 200)
        let all = try #require(JSONValue(parsing: try await ask("\(here)/secret/walkers").body))
        let glance = try #require(all.elements?.first)
        #expect(glance["person"]?.text == "ann")
        let shown = try await ask("\(here)/secret/walkers/ann/\(name.id)")
        let view = try #require(JSONValue(parsing: shown.body))
        #expect(view["day"]?["certificate"]?["title"]?.text == "Never fell")
        let steps = try #require(glance["steps"]?.integer(as: Int.self))
        #expect(view["day"]?["count"]?.text == "\(steps)")
        #expect(view["day"]?["chart"]?["points"]?.elements?.isEmpty == false)
        #expect(view["vouched"]?.text == "No block is sealed yet: nothing vouches for the log.")
        #expect(try await ask("\(here)/secret/walkers/ann/none").status == 404)

        // Who leaves is forgotten.
        walkers.replace(with: [])
        #expect(try await ask("\(here)/secret/walkers").body == Array("[]".utf8))
    }
}
