import EventStore
import EventStoreLMDB
import TestSupport
import Testing

@Suite("A log made of batches")
struct CreationTests {
    let directory = TemporaryDirectory.ofTest()

    struct SourceFailure: Error {}

    @Test("holds every event in order, through more transactions than one and a map that grows")
    func whole() throws {
        var batches = try (0..<12).map { try heartbeats($0 * 20_000..<($0 + 1) * 20_000) }
        batches.insert(try notes(0..<3), at: 5)
        var rest = batches[...]
        let isNew = try LMDBEventLog.create(
            directory: directory.store, origin: origin, mapSizeBytes: 1 << 20
        ) { rest.popFirst() }
        #expect(isNew)
        let log = try LMDBEventLog.open(directory: directory.store, mode: .readOnly)
        #expect(try log.verify().damage == nil)
        #expect(try log.contents() == PlainLog(batches).events)
        #expect(try names(in: directory.path) == ["store"])
    }

    @Test("is not there when what gives the events fails")
    func failingSource() throws {
        let batch = try heartbeats(0..<5_000)
        var batchCount = 0
        #expect(throws: LogCreationError<SourceFailure>.self) {
            _ = try LMDBEventLog.create(directory: directory.store, origin: origin) {
                () throws(SourceFailure) in
                batchCount += 1
                guard batchCount < 4 else { throw SourceFailure() }
                return batch
            }
        }
        #expect(batchCount == 4)
        #expect(try names(in: directory.path).isEmpty)
        #expect(LMDBEventLog.unfinishedCreations(of: directory.store).isEmpty)
    }

    @Test("does not take the name of another log, and can be seen while it is made")
    func overtaken() throws {
        let batch = try notes(0..<3)
        var seen: [String] = []
        var isFirst = true
        let isNew = try LMDBEventLog.create(directory: directory.store, origin: origin) {
            () throws(EventLogError) in
            guard isFirst else { return nil }
            isFirst = false
            seen = LMDBEventLog.unfinishedCreations(of: directory.store)
            try LMDBEventLog.open(directory: directory.store, mode: .create(origin)).close()
            return batch
        }
        #expect(!isNew)
        #expect(seen.count == 1 && seen[0].hasPrefix(directory.store + ".creating-"))
        #expect(try names(in: directory.path) == ["store"])
        let log = try LMDBEventLog.open(directory: directory.store, mode: .readOnly)
        #expect(try log.next == 1)
    }
}
