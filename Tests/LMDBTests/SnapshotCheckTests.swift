import Foundation
import TestSupport
import Testing

@testable import LMDB

@Suite("Snapshot check")
struct SnapshotCheckTests {
    let directory = TemporaryDirectory.ofTest()

    /// Many threads more than processors, so that one is often interrupted between two steps.
    @Test("takes no file that grows for one that was cut, however many threads look")
    func growth() async throws {
        let descriptor = open(directory.dataFile, O_RDWR | O_CREAT, 0o600)
        defer { close(descriptor) }
        let check = SnapshotCheck(DataFile(descriptor: descriptor, path: directory.dataFile))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    for _ in 0..<20_000 {
                        #expect(lseek(descriptor, 0, SEEK_END) >= 0)
                        #expect(write(descriptor, [1], 1) == 1)
                        try check.checkLength()
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
