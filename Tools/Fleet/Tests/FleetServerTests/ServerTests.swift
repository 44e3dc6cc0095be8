import EventStore
import Fleet
import FleetClient
import Foundation
import JSON
import Projections
import TestSupport
import Testing
import Walkers

@testable import NATS

/// A real server with a study of two people.
private final class Server: Sendable {
    private static let path = ["/usr/sbin/nats-server", "/usr/bin/nats-server"]
        .first(where: FileManager.default.isExecutableFile)
    static let isInstalled = path != nil

    private let folder: TemporaryDirectory
    private let program: RunningProgram
    private let url: String

    init() async throws {
        folder = try TemporaryDirectory()
        let study = StudyFolder(folder.path)
        try study.add(["ann", "bob"])
        // Any port that is free.
        try study.writeServer(port: -1)
        program = try RunningProgram(
            "/usr/bin/env",
            [
                "-C", folder.path, try #require(Self.path), "-a", "127.0.0.1", "-c", "nats.conf",
            ], environment: [:])
        let line = try await program.message(containing: "Listening for client connections on ")
        let place = try #require(line.text.split(separator: " ").last)
        url = "nats://\(place)"
        try await program.message(containing: "Server is ready")
        try await cluster(of: StudyConfiguration.keeper).makeStreams(replicas: nil)
    }

    deinit {
        // Nothing is written any more when the folder is removed.
        let ended = DispatchSemaphore(value: 0)
        program.whenEnded { _ in ended.signal() }
        program.signal(SIGKILL)
        ended.wait()
    }

    func connection(of person: String) throws -> Connection {
        var credentials = Credentials(servers: [url])
        let seed = "\(folder.path)/\(person).seed"
        credentials.seedFile = seed
        credentials.publicKey = try Nkey(seedFile: seed).publicKey
        return try Connection(to: credentials, name: person)
    }

    func cluster(of person: String) throws -> JetStreamCluster {
        JetStreamCluster(try connection(of: person))
    }
}

@Suite("On a real server", .enabled(if: Server.isInstalled), .serialized)
struct ServerTests {
    /// A walk, and where it is sent.
    private func walk(_ person: String, seconds: Int) async throws -> (InMemoryEventLog, FleetLog) {
        var walker = SimulatedWalker(seed: 5)
        let name = FleetLog(simulated: person, person == "ann" ? "0a" : "0b")
        return (try await walker.log(seconds: seconds), name)
    }

    @Test("a person's answers go nowhere but to that person")
    func answers() async throws {
        let server = try await Server()
        let (log, name) = try await walk("ann", seconds: 5)
        let (_, bob) = try await walk("bob", seconds: 5)
        let ann = try server.connection(of: "ann")
        try await Forwarder.send(log, as: name, to: JetStreamCluster(ann))
        let last = "$JS.API.DIRECT.GET.PULSELOG.\(name.subject(.events))"
        let attacks = [
            (name.subject(.checkpoint), bob.subject(.checkpoint)), (last, bob.subject(.events)),
            (last, "$JS.API.STREAM.PURGE.PULSELOG"), (last, "$JS.API.STREAM.DELETE.PULSELOG"),
        ]
        for (subject, reply) in attacks { try ann.handle.send(subject, reply, [], []) }
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
        try await Forwarder.send(log, as: bob, to: try server.cluster(of: "bob"))
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
            try await Forwarder.send(log, as: name, to: try server.cluster(of: person))
        }
        let keeper = try server.cluster(of: StudyConfiguration.keeper)
        var worker = try await ShareFolder.caughtUp(with: keeper, within: .milliseconds(200))
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
        #expect(try await forwarder.sendAll(tries: 100) == 1)
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
        try await Forwarder.send(others, as: bob, to: try server.cluster(of: "bob"))
        let keeper = try server.cluster(of: StudyConfiguration.keeper)
        var worker = try await ShareFolder.caughtUp(with: keeper, within: .milliseconds(200))
        try await worker.keep()
        let logs = try await Study.logs(in: keeper)
        #expect(logs.map(\.log.person) == ["ann", "bob"])
        #expect(logs.first?.setAsideCount == 2)
        #expect(logs.last?.state.events == (try others.next))
    }
}
