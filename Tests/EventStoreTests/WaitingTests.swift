import EventStore
import Events
import TestSupport
import Testing

@Suite("Waiting for an event")
struct WaitingTests {
    let directory = TemporaryDirectory.ofTest()

    @Test("returns at once for an event that is there", arguments: LogKind.allCases)
    func isThere(kind: LogKind) async throws {
        let log = try await kind.make(in: directory)
        try await log.waitForEvent(at: 0)
    }

    @Test("wakes everyone whose event has come, and nobody else", arguments: LogKind.allCases)
    func wakes(kind: LogKind) async throws {
        let log = try await kind.make(in: directory)
        try await withThrowingTaskGroup(of: (awaited: Position, next: Position).self) { group in
            for position in Position(1)...6 {
                group.addTask {
                    try await log.waitForEvent(at: position)
                    return (position, try log.next)
                }
            }
            // Everybody waits before anything comes, if they are as quick as usual.
            for _ in 0..<100 { await Task.yield() }
            for number in 0..<3 {
                let range = try await log.append(
                    notes(number * 2..<number * 2 + 2), expecting: nil)
                var woken: Set<Position> = []
                for _ in range {
                    let waiter = try #require(try await group.next())
                    #expect(waiter.next > waiter.awaited)
                    woken.insert(waiter.awaited)
                }
                // Nothing more is appended before they have come, so nobody else was woken.
                #expect(woken == Set(range))
            }
            #expect(try await group.next() == nil)
        }
    }

    @Test("returns when the task is cancelled", arguments: LogKind.allCases)
    func cancellation(kind: LogKind) async throws {
        let log = try await kind.make(in: directory)
        let waiting = Task { try await log.waitForEvent(at: 100) }
        await Task.yield()
        waiting.cancel()
        try await waiting.value
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await log.waitForEvent(at: 100)
        }
        try await late.value
    }

    @Test("follows the log live, without a gap", arguments: LogKind.allCases)
    func follows(kind: LogKind) async throws {
        let log = try await kind.make(in: directory)
        let following = Task {
            var next: Position = 0
            while next < 101 {
                try await log.waitForEvent(at: next)
                try log.read(from: next) { event in
                    let position = event.header.position
                    #expect(position == next)
                    next += 1
                    return true
                }
            }
            return next
        }
        for number in 0..<100 {
            _ = try await log.append(notes(number..<number + 1), expecting: nil)
        }
        #expect(try await following.value == 101)
    }
}
