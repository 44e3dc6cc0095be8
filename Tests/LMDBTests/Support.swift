import Foundation
import LMDB
import TestSupport

extension TemporaryDirectory {
    var dataFile: String { path + "/data.mdb" }
    var lockFile: String { path + "/lock.mdb" }
}

let mebibyte = 1 << 20

/// An environment with one database, `log`.
func openEnvironment(
    _ directory: String, mapSizeBytes: Int = 64 * mebibyte, mode: Environment.Mode = .readWrite
) throws(LMDBError) -> Environment {
    try Environment(
        directory: directory, mapSizeBytes: mapSizeBytes, databases: ["log"], mode: mode)
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

func payload(of number: UInt64, _ byteCount: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: byteCount)
}

/// Copies a span out.
func bytes(_ span: Span<UInt8>) -> [UInt8] {
    span.withUnsafeBytes { Array($0) }
}
