import Deciding
import Events
import Projections
import Testing

@testable import Recording

@Suite("A bounded queue")
struct BoundedQueueTests {
    @Test("counts what it has no room for, after what it had room for")
    func overflow() {
        let queue = BoundedQueue<Int>(capacity: 3)
        for number in 0..<10 { queue.put(number) }
        #expect(!queue.put(10), "there is no room")
        let taken = queue.take()
        #expect(taken.elements == [0, 1, 2])
        #expect(taken.lost == 8)
        queue.put(11)
        #expect(queue.take() == ([11], 0), "what was told is told once")
    }

    @Test("always has room for what must not be lost, and takes it in its turn or first")
    func insists() {
        let queue = BoundedQueue<Int>(capacity: 1)
        for number in 0..<3 { queue.put(number) }
        queue.insist(3)
        queue.insist(first: 4)
        #expect(queue.take() == ([4, 0, 3], 2))
    }

    @Test("leaves out what comes again by itself, and does not count it")
    func offers() {
        let queue = BoundedQueue<Int>(capacity: 2)
        for number in 0..<4 { queue.offer(number) }
        #expect(queue.take() == ([0, 1], 0))
    }

    /// What becomes of inputs when too much waits.
    static let priorities: [(input: Command, priority: Input.Priority)] = [
        (reading(1).command, .counted),
        (.record(.intakeOverflowed(IntakeOverflowed(intake: .bus, lostEvents: 1))), .counted),
        (.record(.intakeOverflowed(IntakeOverflowed(intake: .queue, lostEvents: 1))), .always),
        (.record(.linkLost(LinkLost(device: strap))), .always),
        (
            .news(
                HealthTotal(date: CivilDate(wallMilliseconds: 0, zoneOffsetMinutes: 0), steps: 1),
                origin: Reporter(.file)),
            .counted
        ),
        (.pause, .always), (.end(), .always), (.rollOver, .repeated),
    ]

    @Test("an input is dropped only if it comes often", arguments: priorities)
    func priority(_ vector: (input: Command, priority: Input.Priority)) {
        #expect(Input(vector.input, at: arrival(after: 0)).priority == vector.priority)
    }

    @Test("wakes its reader once for all that came since")
    func wakes() async {
        let queue = BoundedQueue<Int>()
        for number in 0..<5 { queue.put(number) }
        queue.finish()
        var wakes = 0
        for await _ in queue.wakes { wakes += 1 }
        #expect(wakes == 1)
        #expect(queue.take().elements.count == 5, "what came before the end is still there")
    }

    @Test("loses nothing of what several threads put in")
    func threads() async {
        let queue = BoundedQueue<Int>()
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<1_000 { queue.put(thread * 1_000 + number) }
                }
            }
        }
        let taken = queue.take().elements
        #expect(taken.sorted() == Array(0..<4_000))
        for thread in 0..<4 {
            let own = taken.filter { $0 / 1_000 == thread }
            #expect(own == own.sorted(), "each thread's elements keep their order")
        }
    }
}
