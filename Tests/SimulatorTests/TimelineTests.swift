import Synchronization
import Testing

@testable import SimulatorModel

@Suite("A timeline")
struct TimelineTests {
    /// What tasks have noted, in order.
    private final class Notes<Note: Sendable>: Sendable {
        private let notes = Mutex<[Note]>([])

        var all: [Note] { notes.withLock { $0 } }

        func add(_ note: Note) {
            notes.withLock { $0.append(note) }
        }
    }

    @Test("wakes sleepers in order, when their time has come")
    func order() {
        let timeline = Timeline(seed: 1)
        let woken = Notes<UInt64>()
        for milliseconds in [300, 100, 200] as [UInt64] {
            Task(executorPreference: timeline) { @concurrent in
                await timeline.sleep(milliseconds: milliseconds)
                woken.add(timeline.now)
            }
        }
        #expect(timeline.settle())
        while let next = timeline.nextWake {
            timeline.advance(to: next)
            #expect(timeline.settle())
        }
        #expect(woken.all == [100, 200, 300])
    }

    @Test("wakes at once who is cancelled")
    func cancelled() {
        let timeline = Timeline(seed: 1)
        let woken = Notes<UInt64>()
        let task = Task(executorPreference: timeline) { @concurrent in
            await timeline.sleep(milliseconds: 1_000)
            woken.add(timeline.now)
        }
        #expect(timeline.settle())
        task.cancel()
        #expect(timeline.settle())
        #expect(woken.all == [0] && timeline.nextWake == nil)
    }

    @Test("chooses another order of what is ready for another seed")
    func interleavings() {
        let orders = (0..<20 as Range<UInt64>).map { seed in
            let timeline = Timeline(seed: seed)
            let order = Notes<Int>()
            for number in 0..<4 {
                Task(executorPreference: timeline) { @concurrent in
                    order.add(number)
                }
            }
            _ = timeline.settle()
            return order.all
        }
        #expect(Set(orders).count > 5)
        #expect(orders.allSatisfy { $0.sorted() == [0, 1, 2, 3] })
    }
}
