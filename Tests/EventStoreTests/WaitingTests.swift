import EventStore
import Events
import TestSupport
import Testing

@Suite("Waiting for an event")
struct WaitingTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("returns at once for an event that is there", arguments: LogKind.allCases)
    func isThere(kind: LogKind) async throws {
        let log = try await kind.make(in: directory)
        try await log.waitForEvent(at: 0)
    }

    @Test("wakes everyone whose event has come, and nobody else", arguments: LogKind.allCases)
    func wakes(kind: LogKind) async throws {
        let log = try await kind.make(in: directory)
        let heads = try await withThrowingTaskGroup(of: Position.self) { group in
            for position in Position(1)...6 {
                group.addTask {
                    try await log.waitForEvent(at: position)
                    return try log.next
                }
            }
            for number in 0..<3 {
                _ = try await log.append(notes(number * 2..<number * 2 + 2), expecting: nil)
            }
            return try await group.reduce(into: [Position]()) { $0.append($1) }
        }
        #expect(heads.count == 6)
        #expect(heads.allSatisfy { (3...7).contains($0) })
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
