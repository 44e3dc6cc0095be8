import Synchronization
import Testing
import Threads

@Suite("Turns in order")
struct OrderedTurnsTests {
    /// Takes numbers as threads do that share some work.
    private final class Work: Sendable {
        let given = Atomic(0)
        let taken = Mutex<[Int]>([])
        let turns = OrderedTurns()

        func run(_ count: Int) {
            while true {
                let number = given.add(1, ordering: .relaxed).oldValue
                guard number < count else { return }
                turns.take(number) { taken.withLock { $0.append(number) } }
            }
        }
    }

    @Test("are taken in order, by however many threads", arguments: 1...6)
    func order(_ threads: Int) throws {
        let work = Work()
        func run(_ others: Int) throws {
            guard others > 0 else { return work.run(2_000) }
            let thread = try OwnThread { work.run(2_000) }
            try run(others - 1)
            thread.join()
        }
        try run(threads - 1)
        #expect(work.taken.withLock { $0 } == Array(0..<2_000))
    }

    @Test("give what their work gives")
    func result() {
        let turns = OrderedTurns()
        #expect(turns.take(0) { 7 } == 7)
        #expect(turns.take(1) { "eight" } == "eight")
    }
}
