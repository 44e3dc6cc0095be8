import EventStore
import Projections
import TestSupport
import Testing

@testable import Web

@Suite("Whoever has gone", .timeLimit(.minutes(2)))
struct GoneTests {
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
        within limit: Duration, _ body: (Bench) async throws -> Void
    ) async throws {
        try await Bench.serving(within: limit) { bench in
            try await bench.record([.start(), .mark("the bridge")])
            var block: [UInt8] = []
            try bench.log.readBlocks(from: 0) { bytes in
                block = bytes.withUnsafeBufferPointer { [UInt8]($0) }
                return false
            }
            bench.read.put(.endless(block))
            try await bench.record([.mark("the church"), .mark("the mill")])
            try await body(bench)
        }
    }

    @Test("is read for no longer, and holds nobody up", arguments: [false, true])
    func gone(isClosing: Bool) async throws {
        try await servingEndless(within: .seconds(600)) { bench in
            let head = try bench.log.next - 1
            var connections: [Peer.Connection] = []
            for _ in 0..<8 {
                let connection = try Peer.Connection(to: bench.listener.port)
                connection.send(bench.head("GET /api/log?at=\(head)"))
                connections.append(connection)
            }
            await eventually { bench.read.heldReaders > 0 }
            if isClosing { for connection in connections { connection.endInput() } }
            let kept = isClosing ? connections : []
            connections = []
            let other = try await bench.get("/api/log?from=0&count=1")
            #expect(other.status == 200)
            await eventually { bench.read.heldReaders == 0 }
            _ = kept
        }
    }

    @Test("no longer than the limit is anybody kept waiting, whatever the log does")
    func limit() async throws {
        try await servingEndless(within: .milliseconds(50)) { bench in
            let head = try bench.log.next - 1
            let late = try await bench.get("/api/log?at=\(head)")
            #expect(late.status == 503)
            #expect(late.body.contains("notReadInTime"))
            await eventually { bench.read.heldReaders == 0 }
        }
    }

    @Test("does not keep a server from its end")
    func end() async throws {
        try await servingEndless(within: .seconds(600)) { bench in
            let connection = try Peer.Connection(to: bench.listener.port)
            connection.send(bench.head("GET /api/log?at=\(try bench.log.next - 1)"))
            await eventually { bench.read.heldReaders > 0 }
            // The server ends while it reads: Bench.serving waits for it.
            withExtendedLifetime(connection) {}
        }
    }
}
