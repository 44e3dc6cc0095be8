import LMDB
import TestSupport
import Testing

@Suite("Transactions")
struct TransactionTests {
    let directory: TemporaryDirectory
    let environment: Environment

    init() throws {
        directory = try TemporaryDirectory()
        environment = try openEnvironment(directory.path)
    }

    private func value(_ key: some DatabaseKey) throws -> [UInt8]? {
        try environment.read { transaction in
            try transaction.get(key, in: environment.log) { span in bytes(span) }
        }
    }

    @Test("gives back what was put", arguments: [0, 1, 100, 2_000, 4_080, 100_000])
    func roundTrip(byteCount: Int) throws {
        let written = payload(of: 7, byteCount)
        try environment.write { transaction in
            try transaction.put(written.span, at: RecordKey(7), in: environment.log)
        }
        #expect(try value(RecordKey(7)) == written)
        #expect(try value(RecordKey(8)) == nil)
    }

    @Test("sees its own writes, which others see after the commit")
    func ownWrites() throws {
        try environment.write { transaction in
            try transaction.put([1, 2, 3].span, at: Array("a".utf8), in: environment.log)
            let inside = try transaction.reading.get(Array("a".utf8), in: environment.log) {
                span in span.count
            }
            #expect(inside == 3)
            let outside = try environment.read { transaction in
                try transaction.get(Array("a".utf8), in: environment.log) {
                    span in span.count
                }
            }
            #expect(outside == nil)
        }
        #expect(try value(Array("a".utf8)) == [1, 2, 3])
    }

    @Test("has what was spilled in the file, which nobody sees before the commit")
    func spill() throws {
        let before = try directory.data.count
        for isAborted in [true, false] {
            do {
                try environment.write { transaction throws in
                    for number in 0..<300 as Range<UInt64> {
                        try transaction.put(
                            payload(of: number, 4_080).span, at: RecordKey(number),
                            in: environment.log, .append)
                        if number % 100 == 99 { try transaction.spill() }
                    }
                    #expect(try directory.data.count > before + 1_000_000)
                    #expect(try environment.numbers().isEmpty)
                    if isAborted { throw Refusal() }
                }
            } catch is Refusal {}
        }
        #expect(try environment.numbers() == Array(0..<300))
    }

    @Test("orders numbers as numbers and moves both ways")
    func order() throws {
        let numbers: [UInt64] = [256, 1, .max, 255, 1 << 40, 0, 65_536]
        try environment.write { transaction in
            for number in numbers {
                try transaction.put(
                    payload(of: number, 1).span, at: RecordKey(number), in: environment.log)
            }
        }
        #expect(try environment.numbers() == numbers.sorted())

        let around = try environment.read { transaction throws in
            try transaction.withCursor(in: environment.log) { cursor throws in
                var found: [UInt64?] = []
                #expect(try cursor.move(toOrAfter: RecordKey(257)))
                found.append(cursor.number)
                #expect(try cursor.moveToPrevious())
                found.append(cursor.number)
                #expect(try cursor.moveToFirst())
                found.append(cursor.number)
                #expect(try cursor.moveToPrevious() == false)
                #expect(try cursor.moveToLast())
                found.append(cursor.number)
                #expect(try cursor.moveToNext() == false)
                #expect(try cursor.moveToLast())
                #expect(try cursor.move(toOrAfter: Array(repeating: 255, count: 9)) == false)
                return found
            }
        }
        #expect(around == [65_536, 256, 0, .max])
    }

    @Test("knows the last entry, and that an empty database has none")
    func lastEntry() throws {
        func last() throws -> UInt64? {
            try environment.read { transaction in
                try transaction.lastEntry(in: environment.log) { key, _ in
                    RecordKey(key)?.number ?? 0
                }
            }
        }
        #expect(try last() == nil)
        try environment.append(0..<300)
        #expect(try last() == 299)
    }

    @Test("refuses to append at or below the last key", arguments: [0, 5, 9] as [UInt64])
    func appendGuard(number: UInt64) throws {
        try environment.append(5..<10)
        let error = try #require(throws: LMDBError.self) {
            try environment.append(number..<number + 1)
        }
        #expect(error.code == .keyExists)
        #expect(error.call == "mdb_put")
        #expect(try environment.numbers() == [5, 6, 7, 8, 9])
    }

    @Test("inserts only where nothing is, replaces where told")
    func putModes() throws {
        let key = RecordKey(1)
        try environment.write { transaction in
            try transaction.put([1].span, at: key, in: environment.log, .insert)
            try transaction.put([2].span, at: key, in: environment.log, .replace)
        }
        let error = try #require(throws: LMDBError.self) {
            try environment.write { transaction in
                try transaction.put([3].span, at: key, in: environment.log, .insert)
            }
        }
        #expect(error.code == .keyExists)
        #expect(try value(key) == [2])
    }

    @Test("deletes, and says whether there was something")
    func delete() throws {
        try environment.append(0..<3)
        let found = try environment.write { transaction in
            [
                try transaction.delete(RecordKey(1), in: environment.log),
                try transaction.delete(RecordKey(9), in: environment.log),
            ]
        }
        #expect(found == [true, false])
        #expect(try environment.numbers() == [0, 2])
    }

    private struct Refusal: Error {}

    @Test("throws the closure's own error and leaves nothing of it behind")
    func aborts() throws {
        try environment.append(0..<1)
        #expect(throws: Refusal.self) {
            try environment.write { transaction in
                try transaction.put([1].span, at: RecordKey(1), in: environment.log)
                throw Refusal()
            }
        }
        #expect(try environment.numbers() == [0])
        try environment.append(1..<2)
        #expect(try environment.numbers() == [0, 1])
    }

    @Test("refuses keys without bytes and with more than 511", arguments: [0, 512])
    func keyLengths(count: Int) throws {
        let key = [UInt8](repeating: 1, count: count)
        let code = try errorCode {
            try environment.write { transaction in
                try transaction.put([1].span, at: key, in: environment.log)
            }
        }
        #expect(code == .badValueSize)
    }

    @Test("lets many threads read while one writes")
    func concurrency() async throws {
        let environment = environment
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<200 {
                        let numbers = try environment.numbers()
                        #expect(numbers == Array(0..<UInt64(numbers.count)))
                    }
                }
            }
            group.addTask {
                for start in stride(from: UInt64(0), to: 100, by: 5) {
                    try environment.append(start..<start + 5)
                }
            }
            try await group.waitForAll()
        }
        #expect(try environment.numbers().count == 100)
    }

    @Test("counts what a database holds")
    func statistics() throws {
        try environment.append(0..<50, byteCount: 4_080)
        let statistics = try environment.read { transaction in
            try transaction.statistics(of: environment.log)
        }
        #expect(statistics.entryCount == 50)
    }
}

extension Cursor {
    /// The number that the cursor stands on.
    fileprivate var number: UInt64? {
        withEntry { key, _ in RecordKey(key)?.number }
    }
}
