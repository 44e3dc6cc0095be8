import EventStore
import Events
import Fleet
import FleetClient
import Foundation
import JSON
import Projections
import Testing
import Walkers

@testable import NATS

/// A real server with a study of two people.
private final class Server: Sendable {
    static let isInstalled =
        FileManager.default.isExecutableFile(atPath: "/usr/sbin/nats-server")
        || FileManager.default.isExecutableFile(atPath: "/usr/bin/nats-server")

    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "fleet-\(UUID().uuidString)").path
    private let process: Int32
    private let port = Int.random(in: 20_000..<30_000)

    init() async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var keys: [String: Nkey] = [:]
        for (number, person) in [StudyConfiguration.keeper, "ann", "bob"].enumerated() {
            let key = try #require(Nkey(seed: [UInt8](repeating: UInt8(number), count: 32)))
            keys[person] = key
            try Data(key.seedText.utf8).write(to: URL(filePath: "\(folder)/\(person).seed"))
        }
        func key(_ person: String) -> String { keys[person]?.publicKey ?? "" }
        let study = StudyConfiguration(
            keeperKey: key(StudyConfiguration.keeper),
            people: ["ann", "bob"].map { ($0, key($0)) })
        try Data(study.accounts.utf8).write(to: URL(filePath: "\(folder)/accounts.conf"))
        try Data(StudyConfiguration.server(port: port).utf8)
            .write(to: URL(filePath: "\(folder)/nats.conf"))
        let server = Process()
        server.executableURL = URL(filePath: "/usr/bin/env")
        server.arguments = ["nats-server", "-a", "127.0.0.1", "-c", "nats.conf", "-l", "log"]
        server.currentDirectoryURL = URL(filePath: folder)
        try server.run()
        process = server.processIdentifier
        for _ in 0..<100 {
            do throws(ClusterError) {
                try await cluster(of: StudyConfiguration.keeper).makeStreams(replicas: nil)
                return
            } catch {
                await pause(.milliseconds(100))
            }
        }
        Issue.record("The server does not answer.")
    }

    deinit {
        kill(process, SIGKILL)
        do {
            try FileManager.default.removeItem(atPath: folder)
        } catch {
            Issue.record("\(folder) stays: \(error)")
        }
    }

    func connection(of person: String) throws(NATSError) -> Connection {
        var credentials = Credentials(servers: ["nats://127.0.0.1:\(port)"])
        credentials.seedFile = "\(folder)/\(person).seed"
        let number = [StudyConfiguration.keeper, "ann", "bob"].firstIndex(of: person) ?? 0
        credentials.publicKey =
            Nkey(seed: [UInt8](repeating: UInt8(number), count: 32))?.publicKey
        return try Connection(to: credentials, name: person)
    }

    func cluster(of person: String) throws(ClusterError) -> JetStreamCluster {
        do throws(NATSError) {
            return JetStreamCluster(try connection(of: person))
        } catch {
            throw ClusterError(.lost, "\(error)")
        }
    }
}

@Suite("On a real server", .enabled(if: Server.isInstalled), .serialized)
struct ServerTests {
    /// A walk, and where it is sent.
    private func walk(_ person: String, seconds: Int) async throws -> (InMemoryEventLog, FleetLog) {
        let log = InMemoryEventLog()
        let id = String(repeating: person == "ann" ? "a" : "b", count: 31)
        let name = try #require(FleetLog(person: person, id: "0" + id))
        var walker = MadeUpWalker(seed: 5)
        _ = try await log.append(try walker.begin(), expecting: nil)
        for _ in 0..<seconds { _ = try await log.append(try walker.second(), expecting: nil) }
        return (log, name)
    }

    @Test("a person's answers go nowhere but to that person")
    func answers() async throws {
        let server = try await Server()
        let (log, name) = try await walk("ann", seconds: 5)
        let (_, bob) = try await walk("bob", seconds: 5)
        let ann = try server.connection(of: "ann")
        var forwarder = Forwarder(of: log, as: name, to: JetStreamCluster(ann))
        try await forwardAll(&forwarder)
        let last = "$JS.API.DIRECT.GET.PULSELOG.\(name.subject(.events))"
        let attacks = [
            (name.subject(.checkpoint), bob.subject(.checkpoint)), (last, bob.subject(.events)),
            (last, "$JS.API.STREAM.PURGE.PULSELOG"), (last, "$JS.API.STREAM.DELETE.PULSELOG"),
        ]
        for (subject, reply) in attacks {
            try ann.handle.send(subject, reply, [], [])
        }
        for subject in [bob.subject(.events), "$JS.API.STREAM.INFO.PULSELOG"] {
            let replies = try await ann.ask(subject, [], within: .seconds(1))
            #expect(
                replies.allSatisfy { reply in
                    reply.headers.status == "503"
                        || JSONValue(parsing: reply.payload)?["error"] != nil
                })
        }
        await pause(.milliseconds(300))
        let logs = try await Study.logs(in: try server.cluster(of: StudyConfiguration.keeper))
        #expect(logs.map(\.log) == [name])
        #expect(logs.first?.state.events == (try log.next))
    }

    @Test("a person's wildcards reach nothing of anybody else")
    func wildcards() async throws {
        let server = try await Server()
        let (log, bob) = try await walk("bob", seconds: 5)
        var forwarder = Forwarder(of: log, as: bob, to: try server.cluster(of: "bob"))
        try await forwardAll(&forwarder)
        let ann = try server.connection(of: "ann")
        let subjects = [
            ">", "*.>", ">.ann.x", ">.ann.>", "*.ann.>", "bob.>", "ann.>", "ann.>.events",
            "ann.0.*.events",
        ]
        for subject in subjects {
            let replies = try await ann.ask(
                "$JS.API.DIRECT.GET.PULSELOG.pulselog.\(subject)", [],
                within: .milliseconds(300))
            #expect(replies.allSatisfy { $0.headers.sequence == nil }, "\(subject)")
        }
        // What is sent with a wildcard goes with its person, too.
        for subject in subjects { try ann.handle.send("pulselog.\(subject)", nil, [1], []) }
        await pause(.milliseconds(300))
        let keeper = try server.cluster(of: StudyConfiguration.keeper)
        #expect(try await keeper.remove("ann") == 3)
        #expect(try await keeper.remove("bob") == 1)
    }

    @Test("a share that somebody has left is folded anew, and once")
    func leaving() async throws {
        let server = try await Server()
        for person in ["ann", "bob"] {
            let (log, name) = try await walk(person, seconds: 5)
            var forwarder = Forwarder(of: log, as: name, to: try server.cluster(of: person))
            try await forwardAll(&forwarder)
        }
        let keeper = try server.cluster(of: StudyConfiguration.keeper)
        var worker = try await ShareFolder(of: "0", from: keeper)
        while try await worker.fold(within: .milliseconds(200)) > 0 {}
        try await worker.keep()
        #expect(try await keeper.remove("ann") == 1)
        // The worker finds out, though nobody sends anything.
        let error = await #expect(throws: ClusterError.self) { try await worker.keep() }
        #expect(error?.code == .conflict)
        for count in [1, 0] {
            var next = try await ShareFolder(of: "0", from: keeper)
            #expect(try await next.fold(within: .milliseconds(200)) == count)
            try await next.keep()
            #expect(try await keeper.remove("ann") == 0)
        }
    }

    @Test("a key that is accepted once is accepted always")
    func keys() async throws {
        let server = try await Server()
        for _ in 0..<800 { _ = try server.connection(of: "ann") }
    }

    @Test("an id that a person makes up keeps nobody else's message away")
    func ids() async throws {
        let server = try await Server()
        let (_, ann) = try await walk("ann", seconds: 5)
        let (log, bob) = try await walk("bob", seconds: 5)
        let connection = try server.connection(of: "ann")
        let id = "\(bob.id)-events-\(try log.next)"
        _ = try await connection.ask(ann.subject(.events), [1], headers: [("Nats-Msg-Id", id)])
        var forwarder = Forwarder(of: log, as: bob, to: try server.cluster(of: "bob"))
        #expect(try await forwardAll(&forwarder, tries: 100) == 1)
    }

    @Test("a status that a person makes up stops nobody's fold", arguments: ["404", "409", "503"])
    func status(_ code: String) async throws {
        let server = try await Server()
        let (_, name) = try await walk("ann", seconds: 5)
        let (others, bob) = try await walk("bob", seconds: 5)
        let ann = try server.connection(of: "ann")
        let stray = name.subject(.events)
        for payload: [UInt8] in [[], [1]] {
            try ann.handle.send(stray, nil, payload, [("Status", code)])
        }
        var forwarder = Forwarder(of: others, as: bob, to: try server.cluster(of: "bob"))
        try await forwardAll(&forwarder)
        let keeper = try server.cluster(of: StudyConfiguration.keeper)
        var worker = try await ShareFolder(of: "0", from: keeper)
        while try await worker.fold(within: .milliseconds(200)) > 0 {}
        try await worker.keep()
        let logs = try await Study.logs(in: keeper)
        #expect(logs.map(\.log.person) == ["ann", "bob"])
        #expect(logs.first?.setAsideCount == 2)
        #expect(logs.last?.state.events == (try others.next))
    }
}
