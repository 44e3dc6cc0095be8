import EventStore
import EventStoreLMDB
import Events
import TestSupport
import Testing

/// The logs that keep the contract of ``EventLog``, each beginning with the origin's event.
enum LogKind: CaseIterable {
    case inMemory
    case lmdb

    func make(in directory: TemporaryDirectory) async throws -> any EventLog {
        switch self {
        case .inMemory:
            let log = InMemoryEventLog()
            _ = try await log.append(origin.events, expecting: 0)
            return log
        case .lmdb:
            return try LMDBEventLog.open(directory: directory.store, mode: .create(origin))
        }
    }
}

/// What every log keeps to, whatever it stores its blocks in.
@Suite("Event log")
struct EventLogTests {
    let directory = TemporaryDirectory.ofTest()

    @Test("gives back what was appended", arguments: LogKind.allCases)
    func givesBack(kind: LogKind) async throws {
        let log = try await kind.make(in: directory)
        let batch = try notes(0..<10)
        #expect(try await log.append(batch, expecting: nil) == 1..<11)
        #expect(try log.next == 11)
        #expect(try log.contents() == PlainLog([batch]).events)
        #expect(try log.events(in: 3..<5).map(\.event) == [batch.event(at: 2), batch.event(at: 3)])
    }

    @Test("refuses a batch that expects another position", arguments: LogKind.allCases)
    func expectedPosition(kind: LogKind) async throws {
        let log = try await kind.make(in: directory)
        #expect(try await log.append(notes(0..<2), expecting: 1) == 1..<3)
        for wrong in [0, 1, 2, 4, Position.max] {
            let error = try await #require(throws: EventLogError.self) {
                try await log.append(notes(0..<2), expecting: wrong)
            }
            #expect(error.code == .wrongExpectedPosition(actual: 3))
        }
        #expect(try log.next == 3)
        #expect(try await log.append(notes(2..<3), expecting: 3) == 3..<4)
    }

    @Test("appends nothing for a task that is cancelled", arguments: LogKind.allCases)
    func cancelledTask(kind: LogKind) async throws {
        let log = try await kind.make(in: directory)
        let appending = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await log.append(notes(0..<1), expecting: nil)
        }
        await #expect(throws: EventLogError(.cancelled)) { try await appending.value }
        #expect(try await log.append(notes(1..<2), expecting: 1) == 1..<2)
    }

    @Test("appends nothing for an empty batch, but checks it", arguments: LogKind.allCases)
    func emptyBatch(kind: LogKind) async throws {
        let log = try await kind.make(in: directory)
        #expect(try await log.append(EventBatch(), expecting: nil) == 1..<1)
        #expect(try await log.append(EventBatch(), expecting: 1) == 1..<1)
        await #expect(throws: EventLogError(.wrongExpectedPosition(actual: 1))) {
            try await log.append(EventBatch(), expecting: 0)
        }
        #expect(try log.contents().count == 1)
    }

    @Test("spreads a large batch over blocks of at most 4,080 bytes", arguments: LogKind.allCases)
    func largeBatch(kind: LogKind) async throws {
        let log = try await kind.make(in: directory)
        let batch = try heartbeats(0..<10_000)
        _ = try await log.append(batch, expecting: nil)
        #expect(try log.contents() == PlainLog([batch]).events)
        let blocks = try log.blocks()
        #expect(blocks.count > 10)
        #expect(blocks.allSatisfy { $0.count <= 4_080 })
    }

    @Test("hands over blocks that are whole and follow each other", arguments: LogKind.allCases)
    func wholeBlocks(kind: LogKind) async throws {
        let log = try await kind.make(in: directory)
        for number in 0..<7 {
            _ = try await log.append(heartbeats(number..<number + 900), expecting: nil)
            var end: Position = 0
            for block in try log.blocks() {
                end = try BlockReader.check(block.span, at: end).upperBound
            }
            #expect(end == (try log.next))
        }
    }

    @Test("takes the largest events", arguments: LogKind.allCases)
    func largestEvents(kind: LogKind) async throws {
        let log = try await kind.make(in: directory)
        let payload = [UInt8](repeating: 0xA5, count: EventLimit.payloadBytes)
        var batch = EventBatch()
        for index in 0..<9 {
            let header = EventHeader(
                EventKind(rawValue: 0x5F),
                Stamp(
                    boot: index % 2 == 0 ? 0 : 1 << 53 - 1,
                    wall: index % 2 == 0 ? -(1 << 53 - 1) : 1 << 53 - 1, number: .max),
                flags: EventFlags(rawValue: 255), source: .max, version: .max)
            try batch.append(header, payload: payload.span)
        }
        _ = try await log.append(batch, expecting: nil)
        #expect(try log.contents() == PlainLog([batch]).events)
    }

    @Test("reads from any position on, no blocks before it", arguments: LogKind.allCases)
    func readsFromTheMiddle(kind: LogKind) async throws {
        let log = try await kind.make(in: directory)
        _ = try await log.append(heartbeats(0..<2_000), expecting: nil)
        let all = try log.contents()
        for start in stride(from: 0, through: all.count + 2, by: 97) {
            #expect(try log.contents(from: Position(start)) == Array(all.dropFirst(start)))
        }
        for start in all.count...(all.count + 1) {
            #expect(try log.blocks(from: Position(start)).isEmpty)
            #expect(try log.events(in: Position(start)..<Position(start + 5)).isEmpty)
        }
        for block in try log.blocks(from: 1_500).prefix(1) {
            #expect(try heads(of: block).next > 1_500)
        }
        var seen = 0
        try log.read(from: 10) { _ in
            seen += 1
            return seen < 3
        }
        #expect(seen == 3)
    }

    @Test("gives concurrent appenders positions without gaps", arguments: LogKind.allCases)
    func concurrentAppenders(kind: LogKind) async throws {
        let log = try await kind.make(in: directory)
        let ranges = try await withThrowingTaskGroup(of: [Range<Position>].self) { group in
            for author in 0..<8 {
                group.addTask {
                    var ranges: [Range<Position>] = []
                    for number in 0..<25 {
                        let batch = try notes(number..<number + 3, author: "\(author)")
                        ranges.append(try await log.append(batch, expecting: nil))
                    }
                    return ranges
                }
            }
            return try await group.reduce(into: [Range<Position>]()) { $0 += $1 }
        }
        let sorted = ranges.sorted { $0.lowerBound < $1.lowerBound }
        #expect(sorted.first?.lowerBound == 1)
        #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(try log.next == 601)
        #expect(try log.contents().map(\.header.position) == Array(0..<601))
    }

    @Test("lets one of those who expect the same through", arguments: LogKind.allCases)
    func optimisticAppenders(kind: LogKind) async throws {
        let log = try await kind.make(in: directory)
        let wins = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var wins = 0
                    for expected in Position(1)..<20 {
                        do throws(EventLogError) {
                            let batch = origin.events
                            _ = try await log.append(batch, expecting: expected)
                            wins += 1
                        } catch {
                            guard case .wrongExpectedPosition = error.code else { throw error }
                        }
                    }
                    return wins
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(try log.next == Position(1 + wins))
    }

    @Test("reads whole events while others append", arguments: LogKind.allCases)
    func readsWhileAppending(kind: LogKind) async throws {
        let log = try await kind.make(in: directory)
        let appending = Task {
            for number in 0..<60 {
                _ = try await log.append(heartbeats(number..<number + 40), expecting: nil)
            }
        }
        var length = 0
        while length < 60 * 40 + 1 {
            let positions = try log.contents().map(\.header.position)
            #expect(positions == Array(0..<Position(positions.count)))
            #expect(positions.count >= length)
            length = positions.count
            await Task.yield()
        }
        try await appending.value
    }

    @Test(
        "keeps random batches event by event", arguments: LogKind.allCases, [1, 2, 3] as [UInt64])
    func randomBatches(kind: LogKind, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let log = try await kind.make(in: directory)
        var plain = PlainLog()
        for _ in 0..<60 {
            let batch = try randomBatch(upTo: 60, &random)
            let expected = Bool.random(using: &random) ? Position(plain.events.count) : nil
            _ = try await log.append(batch, expecting: expected)
            plain.append(batch)
        }
        #expect(try log.contents() == plain.events, "seed \(seed)")
        let start = Int.random(in: 0..<plain.events.count, using: &random)
        #expect(
            try log.contents(from: Position(start)) == Array(plain.events[start...]), "seed \(seed)"
        )
    }

    /// Events, each with its wall time after the first one's in milliseconds.
    private func timed(_ events: [(Event, Int64)], source: UInt32 = 0) throws -> EventBatch {
        var batch = EventBatch()
        for (event, milliseconds) in events {
            let header = EventHeader(
                event.kind, Stamp(boot: 1, wall: stamp(0).wallMilliseconds + milliseconds),
                source: source, version: event.version)
            let payload = try event.encodedPayload()
            try batch.append(header, payload: payload.span)
        }
        return batch
    }

    @Test("finds the events of a window though times go back", arguments: LogKind.allCases)
    func window(kind: LogKind) async throws {
        let log = try await kind.make(in: directory)
        let note = Event.noted(Noted(text: "x"))
        let start = stamp(0).wallMilliseconds
        _ = try await log.append(timed([(note, 10), (note, 20)]), expecting: 1)
        // What was imported has clocks of its own.
        _ = try await log.append(timed([(note, 90_000_000)], source: 1), expecting: 3)
        // The clock was set back, and goes on.
        _ = try await log.append(timed([(note, 5), (note, 30)]), expecting: 4)
        func found(
            after: [LogWindow.Time], until: [LogWindow.Time], from first: Position = 0,
            of source: UInt32? = nil
        ) throws -> [Position] {
            var window = LogWindow()
            (window.after, window.until, window.positions) = (after, until, first ..< .max)
            let positions = try log.positions(in: window, of: source)
            #expect(positions.damage == nil)
            return positions.ranges.flatMap { Array($0) }
        }
        #expect(try found(after: [.instant(start + 4)], until: [.instant(start + 10)]) == [1, 4])
        #expect(try found(after: [.instant(start + 4)], until: []) == [1, 2, 3, 4, 5])
        #expect(try found(after: [], until: [.instant(start + 5)]) == [0, 4])
        #expect(try found(after: [], until: [.instant(start + 20)], of: 0) == [0, 1, 2, 3, 4])
        #expect(try found(after: [], until: [.instant(start - 1)]) == [])
        #expect(try found(after: [], until: [.instant(start + 10)], from: 2) == [4])
        // The log begins at 15:06:40 UTC. On a flight west an hour comes twice.
        func zone(_ minutes: Int64) -> Event {
            .zoneOffsetChanged(ZoneOffsetChanged(fromMinutes: 0, toMinutes: minutes, zoneName: "X"))
        }
        let hour: Int64 = 3_600_000
        let flight = [(zone(60), 40), (note, 50), (zone(0), 60), (note, hour + 50)]
        _ = try await log.append(timed(flight), expecting: 6)
        let local = start % 86_400_000 + hour + 50
        #expect(
            try found(after: [.timeOfDay(local - 1)], until: [.timeOfDay(local)], from: 6)
                == [7, 9])
        let midnight = start - start % 86_400_000
        #expect(
            try found(
                after: [.local(midnight + local - 11)], until: [.local(midnight + local)], from: 6)
                == [6, 7, 9])
        #expect(try log.positions(in: LogWindow()).ranges == [0 ..< .max])
    }

    @Test("takes the time of what was imported in the zone that came with it")
    func importedZone() async throws {
        let log = InMemoryEventLog()
        func zone(_ minutes: Int64) -> Event {
            .zoneOffsetChanged(
                ZoneOffsetChanged(fromMinutes: 0, toMinutes: minutes, zoneName: "X"))
        }
        let note = Event.noted(Noted(text: "x"))
        let file = Event.importBegan(ImportBegan(fileName: "x", format: "jsonLines"))
        _ = try await log.append(timed([(zone(540), 0)]), expecting: 0)
        _ = try await log.append(
            timed([(file, 0), (zone(60), 0), (note, 10), (note, 20)], source: 1), expecting: 1)
        // Before any that it tells, it is the first one.
        _ = try await log.append(
            timed([(file, 0), (note, 10), (zone(60), 20)], source: 2), expecting: 5)
        let local = stamp(0).wallMilliseconds % 86_400_000 + 3_600_000
        for (start, source) in [(3, 1), (2, 1), (6, 2), (5, 2)] as [(Position, UInt32)] {
            var window = LogWindow()
            window.positions = start..<(source == 1 ? 5 : 8)
            window.after = [.timeOfDay(local + 10)]
            let found = try log.positions(in: window, of: source)
            #expect(found.span?.lowerBound == (source == 1 ? 4 : 7), "from \(start)")
        }
        #expect(try log.zoneOffsetMinutes(at: 3) == 540)
    }

    @Test("finds the end of a session, of the log it came from", arguments: LogKind.allCases)
    func endOfSession(kind: LogKind) async throws {
        let log = try await kind.make(in: directory)
        let started = Event.sessionStarted(
            SessionStarted(goal: Goal(), outAndBack: false, profile: Profile()))
        let ended = Event.sessionEnded(SessionEnded(reason: .requested))
        let note = Event.noted(Noted(text: "x"))
        _ = try await log.append(timed([(started, 1), (note, 2)]), expecting: 1)
        #expect(try log.end(ofSessionAt: 1) == 3, "it is open")
        _ = try await log.append(timed([(started, 1), (ended, 2)], source: 1), expecting: 3)
        #expect(try log.end(ofSessionAt: 1) == 5)
        #expect(try log.end(ofSessionAt: 3) == 5)
        _ = try await log.append(timed([(ended, 3), (note, 4)]), expecting: 5)
        #expect(try log.end(ofSessionAt: 1) == 6)
        for position in [0, 2, 4, 5, 7, 8, 99] as [Position] {
            #expect(try log.end(ofSessionAt: position) == nil, "\(position)")
        }
    }
}
