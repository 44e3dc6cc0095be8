import EventStoreLMDB
import Events
import Foundation
import TestSupport
import Testing

/// A disk that lost the write of a page shows what was there before.
@Suite("A lost write of a page")
struct LostWriteTests {
    private static let pageBytes = 4_096

    @Test("is an error, and never an older log")
    func olderPages() async throws {
        let directory = try TemporaryDirectory()
        let log = try LMDBEventLog.open(directory: directory.store, mode: .create(origin))
        var files: [Data] = []
        var refused = 0
        // Until the first leaf has no room: each commit is a block, in a page of its own.
        for commit in 0..<190 {
            var batch = EventBatch()
            for number in 0..<7 {
                let text = String(repeating: "\(commit) \(number) ", count: 60)
                try batch.append(
                    .sessionMarked(SessionMarked(text: String(text.prefix(500)))),
                    stamp: stamp(UInt64(commit)), flags: .wallTrusted)
            }
            _ = try await log.append(batch, expecting: nil)
            files.append(try Data(contentsOf: URL(filePath: directory.dataFile)))
            if files.count > 4 { files.removeFirst() }
            guard commit > 120 else { continue }
            refused += try check(files, in: directory, count: 7 * (commit + 1) + 1)
        }
        #expect(refused > 500)
    }

    /// Opens the last file with each of its pages as it was in the files before.
    ///
    /// - Returns: How often the log was refused.
    private func check(
        _ files: [Data], in directory: TemporaryDirectory, count: Int
    ) throws -> Int {
        let file = files[files.count - 1]
        let copy = directory.path + "/copy"
        var refused = 0
        for older in files.dropLast() {
            // Without its meta page a commit was never made.
            for page in 2..<older.count / Self.pageBytes {
                let bytes = page * Self.pageBytes..<(page + 1) * Self.pageBytes
                guard older[bytes] != file[bytes] else { continue }
                var damaged = file
                damaged.replaceSubrange(bytes, with: older[bytes])
                try? FileManager.default.removeItem(atPath: copy)
                try makeFolder(copy)
                try damaged.write(to: URL(filePath: copy + "/data.mdb"))
                do {
                    let log = try LMDBEventLog.open(directory: copy, mode: .readOnly)
                    #expect(try log.contents().count == count, "page \(page) of \(count) events")
                    log.close()
                } catch {
                    refused += 1
                }
            }
        }
        return refused
    }
}
