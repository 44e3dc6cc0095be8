import Synchronization
import Testing

@testable import Sensors

@Suite("Bytes that are kept outside of memory")
struct KeptBytesTests {
    @Test("stand in a file, and come back one piece at a time")
    func kept() {
        let kept = KeptBytes()
        let pieces = [[1, 2, 3], [], [4]].map(kept.keep)
        #expect(kept.file.withLock { $0.end } == 4)
        #expect(pieces.map { $0() } == [[1, 2, 3], [], [4]])
    }
}
