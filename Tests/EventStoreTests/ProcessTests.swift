import EventStore
import EventStoreLMDB
import Events
import Foundation
import TestSelection
import TestSupport
import Testing

/// What takes a second process; an exit test is one.
@Suite("Store among processes")
struct ProcessTests {
    let directory = TemporaryDirectory.ofTest()

    @Test("gives the appends of several processes positions without gaps")
    func appendingTogether() async throws {
        let log = try LMDBEventLog.open(directory: directory.store, mode: .create(origin))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for author in 1...2 {
                group.addTask { [store = directory.store] in
                    await #expect(processExitsWith: .success) {
                        [store = store as String, author = author as Int] in
                        let log = try LMDBEventLog.open(directory: store, mode: .existing)
                        for number in 0..<100 {
                            let batch = try notes(number..<number + 5, author: "\(author)")
                            _ = try await log.append(batch, expecting: nil)
                        }
                    }
                }
            }
            group.addTask {
                for number in 0..<100 {
                    let batch = try notes(number..<number + 5, author: "0")
                    _ = try await log.append(batch, expecting: nil)
                }
            }
            try await group.waitForAll()
        }
        let found = try log.verify()
        #expect(found.damage == nil)
        #expect(found.next == 1_501)
        var numbers: [String: [String]] = [:]
        for recorded in try log.events(in: 1..<1_501) {
            guard case .noted(let note) = recorded.event else { continue }
            numbers[note.author, default: []].append(note.text)
        }
        let expected = (0..<100).flatMap { ($0..<$0 + 5).map(String.init) }
        #expect(numbers == ["0": expected, "1": expected, "2": expected])
    }

    @Test("wakes who waits for what another process appends")
    func waitingForOthers() async throws {
        let log = try LMDBEventLog.open(directory: directory.store, mode: .create(origin))
        let following = Task {
            var positions: [Position] = []
            while positions.count < 20 {
                try await log.waitForEvent(at: Position(positions.count))
                try log.read(from: Position(positions.count)) { event in
                    positions.append(event.header.position)
                    return true
                }
            }
            return positions
        }
        await #expect(processExitsWith: .success) { [store = directory.store as String] in
            let log = try LMDBEventLog.open(directory: store, mode: .existing)
            for number in 0..<19 {
                _ = try await log.append(notes(number..<number + 1), expecting: nil)
            }
        }
        #expect(try await following.value == Array(0..<20))
    }

    @Test("refuses the decision of who has not seen another process append")
    func decidingAgain() async throws {
        let log = try LMDBEventLog.open(directory: directory.store, mode: .create(origin))
        _ = try await log.append(notes(0..<1), expecting: 1)
        await #expect(processExitsWith: .success) { [store = directory.store as String] in
            let log = try LMDBEventLog.open(directory: store, mode: .existing)
            _ = try await log.append(heartbeats(0..<1_000), expecting: 2)
        }
        await #expect(throws: EventLogError(.wrongExpectedPosition(actual: 1_002))) {
            try await log.append(notes(1..<2), expecting: 2)
        }
        #expect(try await log.append(notes(1..<2), expecting: 1_002) == 1_002..<1_003)
        #expect(try log.verify().damage == nil)
    }

    /// The child appends batches of three and writes down the end of each that was acknowledged;
    /// after a number of them it kills itself from another thread, at any point of a commit.
    @Test(
        "keeps what a killed writer was told, and at most one commit more",
        arguments: sample(1...12, 3))
    func killedWriter(round: Int) async throws {
        try LMDBEventLog.open(directory: directory.store, mode: .create(origin)).close()
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = directory.path as String, round = round as Int] in
            let log = try LMDBEventLog.open(directory: path + "/store", mode: .existing)
            let acknowledged = Glibc.open(path + "/acknowledged", O_WRONLY | O_CREAT, 0o600)
            var killer: Task<Void, Never>?
            for number in 0..<100_000 {
                let positions = try await log.append(notes(number..<number + 3), expecting: nil)
                var end = positions.upperBound
                _ = pwrite(acknowledged, &end, 8, 0)
                if number == round * 5, killer == nil {
                    killer = Task {
                        for _ in 0..<round * 400 { await Task.yield() }
                        kill(getpid(), SIGKILL)
                    }
                }
            }
        }
        let bytes = try Data(contentsOf: URL(filePath: directory.path + "/acknowledged"))
        let acknowledged = bytes.enumerated().reduce(Position(0)) {
            $0 | Position($1.element) << Position(8 * $1.offset)
        }
        let log = try LMDBEventLog.open(directory: directory.store, mode: .existing)
        let next = try log.next
        #expect(next == acknowledged || next == acknowledged + 3)
        let found = try log.verify()
        #expect(found.damage == nil)
        #expect(found.next == next)
        #expect(try await log.append(notes(0..<1), expecting: next) == next..<next + 1)
    }
}
