import Foundation
import LMDB
import TestSupport

extension TemporaryDirectory {
    var dataFile: String { path + "/data.mdb" }
    var lockFile: String { path + "/lock.mdb" }

    /// What the data file holds.
    var data: Data {
        get throws { try Data(contentsOf: URL(filePath: dataFile)) }
    }

    /// Puts something else in its place.
    func write(_ data: Data) throws {
        try data.write(to: URL(filePath: dataFile))
    }
}

let mebibyte = 1 << 20

/// An environment with one database, `log`.
func openEnvironment(
    _ directory: String, mapSizeBytes: Int = 64 * mebibyte, mode: Environment.Mode = .readWrite
) throws(LMDBError) -> Environment {
    try Environment(
        directory: directory, mapSizeBytes: mapSizeBytes, databases: ["log"], mode: mode)
}

/// An environment that was opened, and to which one value per number was committed.
@discardableResult
func openEnvironment(
    _ directory: String, mapSizeBytes: Int = 64 * mebibyte, appending numbers: Range<UInt64>,
    byteCount: Int = 100
) throws -> Environment {
    let environment = try openEnvironment(directory, mapSizeBytes: mapSizeBytes)
    try environment.append(numbers, byteCount: byteCount)
    return environment
}

extension Environment {
    var log: Database { database("log") }

    /// Commits one value per number.
    func append(_ numbers: Range<UInt64>, byteCount: Int = 100) throws {
        try write { transaction in
            for number in numbers {
                try transaction.put(
                    payload(of: number, byteCount).span, at: RecordKey(number), in: log, .append)
            }
        }
    }

    /// The numbers that the log holds, in order, each with its value checked.
    func numbers() throws -> [UInt64] {
        try read { transaction in
            try transaction.withCursor(in: log) { cursor in
                var numbers: [UInt64] = []
                var stands = try cursor.moveToFirst()
                while stands {
                    cursor.withEntry { key, value in
                        guard let key = RecordKey(key), !value.isEmpty,
                            value[value.count - 1] == UInt8(truncatingIfNeeded: key.number)
                        else { return }
                        numbers.append(key.number)
                    }
                    stands = try cursor.moveToNext()
                }
                return numbers
            }
        }
    }
}

/// The code of the error that something ends with, or nil if it succeeds.
func errorCode<Result>(_ body: () throws -> Result) throws -> LMDBError.Code? {
    do {
        _ = try body()
        return nil
    } catch let error as LMDBError {
        return error.code
    }
}

func payload(of number: UInt64, _ byteCount: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: byteCount)
}

/// Copies a span out.
func bytes(_ span: Span<UInt8>) -> [UInt8] {
    span.withUnsafeBytes { Array($0) }
}
