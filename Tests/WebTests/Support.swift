import Clocks
import Deciding
import EventStore
import Events
import Foundation
import Projections
import Recording
import Synchronization
import TestSupport
import Testing
import WalkService

@testable import Web

/// A machine that never moves: one boot, UTC.
let machine = Machine(bootID: [UInt8](repeating: 7, count: 16)) { _ in (0, "UTC") }

/// 09:00 UTC on 2026-03-01.
private let arrival = Arrival(
    bootMilliseconds: 1_000_000, wallMilliseconds: 1_772_355_600_000, isWallTrusted: true)

/// Bytes that nobody can guess.
@Sendable
func randomBytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255) } }

/// A log on which another process records.
struct FollowedStore: WalkStore {
    let walks: any EventLog
    var savedWalks: (any SnapshotStore)? { nil }
    var isRecorderAlive: Bool { true }
    var awaitedWriter: String? { nil }

    func lockRecorder() -> (@Sendable () -> Void)? { nil }
    func seal(_ appender: Appender) async -> String? { nil }
}

/// A log in memory, before which something can be put in a reader's way.
final class ObstructedLog: RelayingLog {
    /// What is in the way.
    enum Obstacle {
        case nothing
        /// Nothing can be read.
        case unreadable
        /// Whoever reads the last event gets this block again and again, and never reaches it.
        case endless([UInt8])
    }

    let log: InMemoryEventLog
    private let obstacle = Mutex(Obstacle.nothing)
    private let held = Atomic(0)

    init(_ log: InMemoryEventLog) {
        self.log = log
    }

    /// How many read without an end just now.
    var heldReaders: Int { held.load(ordering: .relaxed) }

    /// Puts something in the way, in place of what was there.
    func put(_ obstacle: Obstacle) {
        self.obstacle.withLock { $0 = obstacle }
    }

    func readBlocks(
        from start: Position, _ body: (Span<UInt8>) -> Bool
    ) throws(EventLogError) {
        let next = try log.next
        switch obstacle.withLock({ $0 }) {
        case .unreadable: throw EventLogError(.damaged)
        // The service itself follows by batches.
        case .endless(let block) where start + 1 == next:
            held.add(1, ordering: .relaxed)
            defer { held.subtract(1, ordering: .relaxed) }
            while body(block.span) {}
        case .nothing, .endless: try log.readBlocks(from: start, body)
        }
    }
}

/// A server on a free port, before a log in memory.
struct Bench: Sendable {
    let log: InMemoryEventLog
    /// The same log, as the server reads it.
    let read: ObstructedLog
    let appender: Appender
    let listener: Listener
    let token = AccessToken(random: [UInt8](0..<32))
    let metricsToken = AccessToken(random: [UInt8](1..<33))

    /// Lets a server answer while `body` runs; to phones, as on a network, if there are some.
    static func serving(
        _ limits: WebServer.Limits = WebServer.Limits(), at arrival: Arrival = arrival,
        tiles: MapTiles? = nil, within limit: Duration = WalkService.limit,
        phones: PhoneFile? = nil, entrance: Entrance? = nil,
        _ body: (Bench) async throws -> Void
    ) async throws {
        let usual = phones == nil ? Entrance.loopback : .network(host: "127.0.0.1")
        let bench = try Bench(entrance ?? usual)
        let service = try await WalkService(
            FollowedStore(walks: bench.read), machine: machine,
            runtime: Runtime(
                now: { arrival }, sleep: { try await Task.sleep(for: $0) }, executor: nil))
        let following = Task { try await service.run() }
        defer { following.cancel() }
        let site = Site(
            service, token: bench.token, walkToken: bench.token, metricsToken: bench.metricsToken,
            phones: phones, tiles: tiles, limit: limit, offsetMinutes: { _ in 0 })
        let server = WebServer([bench.listener], site, limits: limits)
        let serving = Task { try await server.run() }
        let result = await outcome { try await body(bench) }
        serving.cancel()
        try await serving.value
        try result.get()
    }

    private init(_ entrance: Entrance) throws {
        log = InMemoryEventLog()
        read = ObstructedLog(log)
        appender = Appender(log, machine: machine)
        let free = try Listener(port: 0)
        listener = Listener(descriptor: free.descriptor, port: free.port, entrance: entrance)
    }

    /// Sends bytes, and gives the answer.
    func send(_ request: [UInt8], thenCloses: Bool = false) async throws -> Reply {
        try await Peer.send(request, to: listener.port, thenCloses: thenCloses)
    }

    /// Decides commands, as another process does.
    func record(_ commands: [Command]) async throws {
        _ = try await appender.record(commands.map { Input($0, at: arrival) })
    }

    /// The bytes of a request without a body, with the token and perhaps more fields.
    func head(_ line: String, token other: String? = nil, _ fields: String = "") -> [UInt8] {
        Array(
            """
            \(line) HTTP/1.1\r
            Host: 127.0.0.1\r
            Authorization: Bearer \(other ?? token.text)\r
            \(fields)\r

            """.utf8)
    }

    func get(_ path: String, token: String? = nil) async throws -> Reply {
        try await send(head("GET \(path)", token: token))
    }

    /// The object that a path answers with.
    func object(_ path: String, status: Int = 200) async throws -> [String: Any] {
        let reply = try await get(path)
        #expect(reply.status == status, "\(reply.text)")
        return try reply.object
    }

    /// The position of the first walk that is listed.
    var firstWalk: Int {
        get async throws {
            let list = try await object("/api/sessions")["sessions"] as? [[String: Any]]
            return try #require(list?.first?["position"] as? Int)
        }
    }

    /// Posts a walker's command.
    func command(_ body: String) async throws -> Reply {
        try await send(Request(token, body).with(line: "POST /api/commands HTTP/1.1").bytes)
    }

    /// Posts a body as it should be done.
    func post(_ body: String) async throws -> Reply {
        try await send(Request(token, body).bytes)
    }

    /// What the log holds of totals, in order.
    func totals() throws -> [UInt64] {
        try log.events(in: 0..<log.next).compactMap { event in
            if case .healthTotalObserved(let observed) = event.event { observed.total } else { nil }
        }
    }
}

extension Reply {
    /// The body, read as a JSON object.
    var object: [String: Any] {
        get throws {
            let value = try JSONSerialization.jsonObject(with: Data(body.utf8))
            return try #require(value as? [String: Any])
        }
    }
}

/// A request, good until it is changed.
struct Request {
    var line = "POST /health HTTP/1.1"
    var fields: [(String, String)]
    var body: [UInt8]

    init(_ token: AccessToken, _ body: String = #"{"date":"2026-03-01","steps":8123}"#) {
        self.body = Array(body.utf8)
        fields = [
            ("Host", "127.0.0.1:8367"), ("Authorization", "Bearer \(token.text)"),
            ("Content-Type", "application/json"), ("Content-Length", String(body.utf8.count)),
        ]
    }

    /// The request with a field changed, added, or left out.
    func with(_ name: String, _ value: String?) -> Request {
        var request = self
        request.fields.removeAll { $0.0 == name }
        if let value { request.fields.append((name, value)) }
        return request
    }

    func with(line: String) -> Request {
        var request = self
        request.line = line
        return request
    }

    /// The request with its body in one chunk of these bytes.
    func with(chunked bytes: String) -> Request {
        var request = with("Content-Length", nil).with("Transfer-Encoding", "chunked")
        request.body = Array(bytes.utf8)
        return request
    }

    var bytes: [UInt8] {
        let head = fields.reduce("\(line)\r\n") { "\($0)\($1.0): \($1.1)\r\n" } + "\r\n"
        return Array(head.utf8) + body
    }
}
