import Foundation
import TestSupport
import Testing

@testable import SQLite

private func numbers(_ path: String, _ sql: String) throws(SQLiteError) -> [Int64?] {
    let database = try SQLiteDatabase(readingUnchanged: path)
    var numbers: [Int64?] = []
    try database.forEachRow(of: sql) { row in
        numbers.append(row.integer(at: 0))
        return true
    }
    return numbers
}

private func contents(_ path: String) throws -> Data {
    try Data(contentsOf: URL(filePath: path))
}

@Suite("SQLiteDatabase")
struct SQLiteDatabaseTests {
    private let folder = TemporaryDirectory.ofTest()

    @Test("lends rows in order, until it is told to stop")
    func rows() throws {
        let path = try folder.database(
            "rows.db", "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (2.5, 'Ä'), ('3', 7)")
        #expect(try numbers(path, "SELECT a FROM t") == [1, nil, nil])
        let database = try SQLiteDatabase(readingUnchanged: path)
        var texts: [String?] = []
        try database.forEachRow(of: "SELECT b FROM t WHERE b <> ?1", binding: ["x"]) { row in
            texts.append(row.text(at: 0))
            return texts.count < 2
        }
        #expect(texts == ["Ä", nil])
    }

    @Test(
        "opens a file of any name",
        arguments: ["a b.db", "100%.db", "q?immutable=0", "#.db", "Ä&=.db", "mode=rw"])
    func anyName(_ name: String) throws {
        let path = try folder.database(name, "CREATE TABLE t (a); INSERT INTO t VALUES (7)")
        #expect(try numbers(path, "SELECT a FROM t") == [7])
        #expect(try numbers("/" + path, "SELECT a FROM t") == [7])
        #expect(try names(in: folder.path) == [name])
    }

    @Test("makes no file and changes none, in any journal mode", arguments: ["delete", "wal"])
    func changesNothing(mode: String) throws {
        let sql = "PRAGMA journal_mode = \(mode); CREATE TABLE t (a); INSERT INTO t VALUES (7)"
        _ = try folder.database("t.db", sql) { path in
            let before = (try contents(path), try names(in: folder.path))
            _ = try numbers(path, "SELECT count(*) FROM sqlite_schema")
            #expect(try contents(path) == before.0)
            #expect(try names(in: folder.path) == before.1)
        }
    }

    @Test("reads a database that its owner has locked")
    func locked() throws {
        let sql = "CREATE TABLE t (a); INSERT INTO t VALUES (7); BEGIN EXCLUSIVE"
        _ = try folder.database("t.db", sql) { path in
            let found = try numbers(path, "SELECT a FROM t")
            #expect(found == [7])
        }
    }

    @Test("cannot write")
    func readOnly() throws {
        let path = try folder.database("t.db", "CREATE TABLE t (a)")
        for sql in ["INSERT INTO t VALUES (1)", "DROP TABLE t", "ATTACH 'x.db' AS x"] {
            #expect(throws: SQLiteError.self) { _ = try numbers(path, sql) }
        }
    }

    @Test("says what is no database, what is damaged, and what is not there")
    func damage() throws {
        let sql =
            "CREATE TABLE t (a); CREATE TABLE u (a);"
            + String(repeating: "INSERT INTO t VALUES (randomblob(3000));", count: 20)
        let path = try folder.database("t.db", sql)
        let whole = try contents(path)
        let foreign = URL(filePath: folder.path + "/foreign.db")
        try Data("no database, but long enough to be one".utf8).write(to: foreign)
        #expect(code(foreign.path, "SELECT 1 FROM t") == .notADatabase)
        #expect(code(folder.path + "/none.db", "SELECT 1") == .cannotOpen)
        #expect(code(folder.path, "SELECT 1") != nil)

        let damaged = URL(filePath: folder.path + "/damaged.db")
        var garbage = whole
        garbage.replaceSubrange(4_096..., with: Data(repeating: 0xA5, count: whole.count - 4_096))
        try garbage.write(to: damaged)
        #expect(code(damaged.path, "SELECT a FROM t") == .damaged)
        try whole.prefix(whole.count / 2).write(to: damaged)
        #expect(code(damaged.path, "SELECT a FROM t") == .damaged)
    }

    private func code(_ path: String, _ sql: String) -> SQLiteError.Code? {
        do throws(SQLiteError) {
            _ = try numbers(path, sql)
            return nil
        } catch {
            #expect(!error.description.isEmpty)
            return error.code
        }
    }

    @Test("takes no value longer than a mebibyte")
    func longValues() throws {
        let path = try folder.database("t.db", "CREATE TABLE t (a)")
        #expect(code(path, "SELECT length(randomblob(100000000))") == .tooLong)
    }

    /// Adds so many rows of 1.8 kB, so that they take pages of their own.
    private static func rows(_ count: Int, into table: String) -> String {
        """
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(count))
        INSERT INTO \(table) SELECT x, hex(randomblob(900)) FROM n;
        """
    }

    @Test("reads what lies in the log of a copy, and finds out a log of another database")
    func log() throws {
        let copy = folder.path + "/copy"
        let begin =
            "PRAGMA journal_mode = WAL; CREATE TABLE t (a, b); CREATE INDEX i ON t (b, a);"
            + Self.rows(30, into: "t") + "PRAGMA wal_checkpoint(TRUNCATE);"
        _ = try folder.database("a.db", begin + Self.rows(10, into: "t")) { path in
            for suffix in ["", "-wal"] {
                try contents(path + suffix).write(to: URL(filePath: copy + suffix))
            }
        }
        let database = try SQLiteDatabase(readingWithLog: copy)
        try database.checkPages()
        var count: Int64?
        try database.forEachRow(of: "SELECT count(*) FROM t") { row in
            count = row.integer(at: 0)
            return true
        }
        #expect(count == 40)
        #expect(try numbers(copy, "SELECT count(*) FROM t") == [30], "without the log")

        let other = try folder.database(
            "b.db", "CREATE TABLE u (a, b);" + Self.rows(60, into: "u"))
        try contents(copy + "-wal").write(to: URL(filePath: other + "-wal"))
        #expect(throws: SQLiteError.self) {
            let wrong = try SQLiteDatabase(readingWithLog: other)
            try wrong.checkPages()
        }
    }
}
