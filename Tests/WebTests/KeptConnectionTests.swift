import Clocks
import Foundation
import TestSupport
import Testing

@testable import Web

@Suite("A kept connection", .timeLimit(.minutes(5)))
struct KeptConnectionTests {
    private static let get = "GET /api/sessions"
    private static let chunk = Array("hello".utf8)

    private func connection(_ bench: Bench) throws -> Peer.Connection {
        try Peer.Connection(to: bench.listener.port)
    }

    /// A connection that has got one answer, and stays open.
    private func kept(_ bench: Bench) async throws -> Peer.Connection {
        let connection = try connection(bench)
        try await use(connection, bench)
        return connection
    }

    private func use(_ connection: Peer.Connection, _ bench: Bench) async throws {
        connection.send(bench.head(Self.get))
        let reply = await connection.reply()
        #expect(reply.status == 200 && reply.text.contains("Keep-Alive: timeout="), "\(reply.text)")
    }

    @Test("brings a hundred requests, whether or not they come at a stretch")
    func hundred() async throws {
        try await Bench.serving { bench in
            let connection = try await kept(bench)
            for _ in 2..<ExchangeHandler.requestLimit { try await use(connection, bench) }
            for byte in bench.head(Self.get) { connection.send([byte]) }
            #expect(await connection.reply().has("Connection: close"))
            #expect(await connection.receive() == [])
        }
    }

    /// What a connection brings, the status of its only answer, and how many totals are recorded.
    private static let last: [(@Sendable (Bench) -> [UInt8], status: Int, totals: Int)] = [
        ({ $0.head(get, "Connection: close\r\n") }, 200, 0),
        ({ $0.head(get, "Content-Length: 0\r\n") }, 200, 0),
        ({ $0.head(get, "Connection: Upgrade\r\nUpgrade: h2c\r\n") }, 200, 0),
        ({ Array("\(get) HTTP/1.0\r\n".utf8) + $0.head("").dropFirst(11) }, 200, 0),
        ({ $0.head(get) + $0.head(get) }, 200, 0),
        ({ $0.head(get) + Request($0.token).bytes }, 200, 0),
        ({ $0.head(get) + Array("GET /x".utf8) }, 200, 0),
        ({ bench in (0..<1_000).flatMap { _ in bench.head(get) } }, 200, 0),
        ({ Request($0.token).bytes + chunk }, 200, 1),
        ({ Request($0.token).bytes + Request($0.token).bytes }, 200, 1),
    ]

    @Test("ends with what is refused, or followed too soon, or not sure where it ends")
    func ends() async throws {
        for (bytes, status, totals) in Self.last {
            try await Bench.serving { bench in
                for connection in [try await kept(bench), try connection(bench)] {
                    connection.send(bytes(bench))
                    let reply = await connection.reply()
                    #expect(reply.status == status && reply.has("Connection: close"), "\(reply)")
                    #expect(reply.text.ranges(of: "HTTP/1.1").count == 1, "\(reply.text)")
                }
                #expect(try bench.totals().count == totals)
            }
        }
    }

    @Test("ends with a stream, with half a request, and without another in time")
    func halves() async throws {
        var limits = WebServer.Limits()
        limits.request = .seconds(1)
        try await Bench.serving(limits) { bench in
            let listener = try await kept(bench)
            listener.send(bench.head("GET /api/events"))
            #expect(String(decoding: await listener.receive(), as: UTF8.self).contains("close\r\n"))
            let whole = Request(bench.token).bytes
            for cut in [0, 1, 30, whole.count - 1] {
                let connection = try connection(bench)
                connection.send(whole.prefix(cut))
                #expect(await connection.reply().status == 408)
            }
            for (bytes, atEnd, late) in [
                ([], 0, 0), (bench.head(Self.get).dropLast(), 400, 0), (whole.dropLast(), 400, 408),
                (whole, 200, 200),
            ] {
                for (isClosing, status) in [(true, atEnd), (false, late)] {
                    let connection = try await kept(bench)
                    connection.send(bytes)
                    if isClosing { connection.endInput() }
                    #expect(await connection.reply().status == status)
                }
            }
        }
    }

    @Test("makes room for others where it has been idle for longest")
    func idle() async throws {
        var limits = WebServer.Limits()
        (limits.connections, limits.request) = (8, .seconds(3_600))
        try await Bench.serving(limits) { bench in
            var all: [Peer.Connection] = []
            for index in 0..<8 {
                // Some have never said more than a part.
                all.append(index % 2 == 0 ? try await kept(bench) : try connection(bench))
                if index % 2 != 0 { all[index].send(bench.head(Self.get).prefix(index - 1)) }
            }
            for _ in 0..<50 {
                try await use(all[0], bench)
                all.append(try await kept(bench))
                #expect(await all.remove(at: 1).receive() == [])
            }
        }
    }

    @Test("is let in anew with each request, as its phone is let in then")
    func phones() async throws {
        let folder = TemporaryDirectory.ofTest()
        try await Bench.serving(phones: PhoneFile(inStore: folder.path)) { bench in
            // Another process changes the file.
            func change(_ body: (inout PhoneBook) -> Void) throws {
                try PhoneFile(inStore: folder.path).change(body)
            }
            func status(_ path: String, _ connection: Peer.Connection) async -> Int {
                connection.send(bench.head("GET \(path)"))
                return await connection.reply().status
            }
            let (one, other) = (try connection(bench), try connection(bench))
            #expect(await status("/", one) == 200)
            try change { _ = $0.add("A", .all, bench.token, at: .now()) }
            #expect(await status("/api/sessions", one) == 200)
            #expect(await status("/api/profile", other) == 200)
            try change { $0.phones[0].kind = .watch }
            #expect(await status("/api/profile", other) == 403)
            try change { $0.phones[0].kind = .all }
            let late = try await kept(bench)
            late.send(bench.head("GET /api/profile").dropLast())
            #expect(await status("/api/sessions", one) == 200)
            try change { $0.phones[0].kind = .watch }
            late.send(Array("\n".utf8))
            #expect(await late.reply().status == 403)
            try change { $0.phones = [] }
            #expect(await status("/api/sessions", one) == 401)
            #expect(await one.receive() == [])
        }
    }
}
