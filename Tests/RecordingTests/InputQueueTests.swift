import Clocks
import Events
import Projections
import Recording
import Testing

@Suite("The input queue")
struct InputQueueTests {
    @Test("gives back what was put in, in order, once")
    func order() {
        let queue = InputQueue()
        let inputs = (0..<100).map { reading($0) }
        inputs.forEach(queue.put)
        #expect(queue.take() == inputs)
        #expect(queue.take().isEmpty)
    }

    @Test("counts what it has no room for, after what it had room for")
    func overflow() {
        let queue = InputQueue(capacity: 3)
        (0..<10).map { reading($0) }.forEach(queue.put)
        let lost = IntakeOverflowed(intake: .queue, lostEvents: 7)
        #expect(
            queue.take() == [
                reading(0), reading(1), reading(2),
                Input(.record(.intakeOverflowed(lost)), at: reading(2).arrival),
            ])
        queue.put(reading(11))
        #expect(queue.take() == [reading(11)], "what was told is told once")
    }

    @Test("wakes its reader once for all that came since")
    func wakes() async {
        let queue = InputQueue()
        (0..<5).map { reading($0) }.forEach(queue.put)
        queue.finish()
        var wakes = 0
        for await _ in queue.wakes { wakes += 1 }
        #expect(wakes == 1)
        #expect(queue.take().count == 5, "what came before the end is still there")
    }

    @Test("loses nothing of what several threads put in")
    func threads() async {
        let queue = InputQueue()
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<1_000 { queue.put(reading(UInt16(thread * 1_000 + number))) }
                }
            }
        }
        let taken = queue.take()
        #expect(Set(taken) == Set((0..<4_000).map { reading($0) }))
        for thread in 0..<4 {
            let range = UInt64(1_000_000 + thread * 1_000)..<UInt64(1_001_000 + thread * 1_000)
            let own = taken.map(\.arrival.bootMilliseconds).filter(range.contains)
            #expect(own == own.sorted(), "each thread's inputs keep their order")
        }
    }
}
