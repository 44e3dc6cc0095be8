import EventStore
import Events
import Foundation
import Glibc
import Projections
import Synchronization
import TestSupport
import Testing

@testable import Web

@Suite("Whoever has gone", .timeLimit(.minutes(2)))
struct GoneTests {
    private static func question(_ path: String, _ bench: Bench) -> [UInt8] {
        Array(
            """
            GET \(path) HTTP/1.1\r
            Host: 127.0.0.1\r
            Authorization: Bearer \(bench.token.text)\r
            \r

            """.utf8)
    }

    private func eventually(_ holds: () -> Bool) async {
        while !holds() {
            do {
                try await Task.sleep(for: .milliseconds(5))
            } catch {
                return
            }
        }
    }

    /// Serves a log on which reading of what was appended last never ends.
    private func servingEndless(
        within limit: Duration, _ body: (Bench, EndlessLog) async throws -> Void
    ) async throws {
        let log = EndlessLog()
        try await Bench.serving(within: limit, following: log.wrap) { bench in
            try await bench.record([.start(), .mark("the bridge")])
            try log.freeze()
            try await bench.record([.mark("the church"), .mark("the mill")])
            try await body(bench, log)
            log.thaw()
        }
    }

    @Test("is read for no longer, and holds nobody up", arguments: [false, true])
    func gone(isClosing: Bool) async throws {
        try await servingEndless(within: .seconds(600)) { bench, log in
            let head = try bench.log.next - 1
            var connections: [Peer.Connection] = []
            for _ in 0..<8 {
                let connection = try Peer.Connection(to: bench.listener.port)
                connection.send(Self.question("/api/log?at=\(head)", bench))
                connections.append(connection)
            }
            await eventually { log.readers > 0 }
            if isClosing { for connection in connections { connection.endInput() } }
            let kept = isClosing ? connections : []
            connections = []
            let other = try await bench.send(Self.question("/api/log?from=0&count=1", bench))
            #expect(other.status == 200)
            await eventually { log.readers == 0 }
            _ = kept
        }
    }

    @Test("no longer than the limit is anybody kept waiting, whatever the log does")
    func limit() async throws {
        try await servingEndless(within: .milliseconds(50)) { bench, log in
            let head = try bench.log.next - 1
            let late = try await bench.send(Self.question("/api/log?at=\(head)", bench))
            #expect(late.status == 503)
            #expect(late.body.contains("notReadInTime"))
            await eventually { log.readers == 0 }
        }
    }

    @Test("does not keep a server from its end")
    func end() async throws {
        try await servingEndless(within: .seconds(600)) { bench, log in
            let connection = try Peer.Connection(to: bench.listener.port)
            connection.send(Self.question("/api/log?at=\(try bench.log.next - 1)", bench))
            await eventually { log.readers > 0 }
            // The server ends while it reads: Bench.serving waits for it.
            withExtendedLifetime(connection) {}
            log.staysFrozen()
        }
    }
}

/// A log on which the blocks after the first ones are never reached, while it is frozen.
final class EndlessLog: EventLog, @unchecked Sendable {
    // Set once, before anybody reads.
    private var log = InMemoryEventLog()
    private let frozen = Mutex<[UInt8]?>(nil)
    private let reading = Atomic(0)
    private let stays = Atomic(false)

    /// Stands before a log.
    func wrap(_ log: InMemoryEventLog) -> any EventLog {
        self.log = log
        return self
    }

    /// How many read just now.
    var readers: Int { reading.load(ordering: .relaxed) }

    func freeze() throws {
        try log.readBlocks(from: 0) { block in
            let bytes = block.withUnsafeBufferPointer { [UInt8]($0) }
            frozen.withLock { $0 = bytes }
            return false
        }
    }

    func thaw() {
        if !stays.load(ordering: .relaxed) { frozen.withLock { $0 = nil } }
    }

    func staysFrozen() { stays.store(true, ordering: .relaxed) }

    var next: Position {
        get throws(EventLogError) { try log.next }
    }

    func append(
        _ batch: EventBatch, expecting expected: Position?
    ) async throws(EventLogError) -> Range<Position> {
        try await log.append(batch, expecting: expected)
    }

    func readBlocks(
        from start: Position, _ body: (Span<UInt8>) -> Bool
    ) throws(EventLogError) {
        // Only the last event is out of reach: the service follows by batches.
        let next = try log.next
        guard start + 1 == next, let block = frozen.withLock(\.self) else {
            return try log.readBlocks(from: start, body)
        }
        reading.add(1, ordering: .relaxed)
        defer { reading.subtract(1, ordering: .relaxed) }
        while body(block.span) { usleep(1_000) }
    }

    func waitForEvent(at position: Position) async throws(EventLogError) {
        try await log.waitForEvent(at: position)
    }
}
