import Synchronization
import Testing
import Threads

@Suite("A bell", .timeLimit(.minutes(5)))
struct BellTests {
    @Test("is answered once, however often it was rung, and not when it was not")
    func once() {
        let bell = Bell()
        #expect(!bell.wait(atMost: .seconds(0)))
        for _ in 0..<3 { bell.ring() }
        #expect(bell.wait(atMost: .seconds(600)))
        #expect(!bell.wait(atMost: .seconds(0)))
    }

    @Test("loses no ring: each thing that is left before it is found after it")
    func everyRing() throws {
        let bell = Bell()
        let left = Mutex(0)
        let count = 5_000
        let thread = try OwnThread {
            for _ in 0..<count {
                left.withLock { $0 += 1 }
                bell.ring()
            }
        }
        var found = 0
        while found < count {
            #expect(bell.wait(atMost: .seconds(600)))
            found += left.withLock { left in
                defer { left = 0 }
                return left
            }
        }
        thread.join()
        #expect(found == count)
    }
}
