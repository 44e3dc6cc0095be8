import Clocks
import TestSupport
import Testing

@testable import DBus

@Suite("Timers", .timeLimit(.minutes(5)))
struct TimerTests {
    @Test("fire in the order they are due, of equal ones the first set first")
    func order() async throws {
        let daemon = try PrivateBus()
        let clock = ManualClock()
        let bus = try await Bus(daemon.address, clock: clock.read)
        let fired = Heard<String>()
        try await bus.perform { (connection) throws(DBusError) in
            connection.after(milliseconds: 300) { _ in fired.append("c") }
            connection.after(milliseconds: 100) { _ in fired.append("a") }
            connection.after(milliseconds: 100) { _ in fired.append("b") }
            connection.after(milliseconds: .max) { _ in fired.append("never") }
            let cancelled = connection.after(milliseconds: 200) { _ in fired.append("x") }
            connection.cancel(cancelled)
            connection.cancel(cancelled)
        }
        clock.advance(milliseconds: 99)
        try await bus.perform { (connection) throws(DBusError) in () }
        #expect(fired.elements == [])
        clock.advance(milliseconds: 201)
        try bus.enqueue { _ in }
        #expect(await fired.wait(for: 3) == ["a", "b", "c"])
        await bus.close()
        #expect(fired.elements.count == 3)
    }

    @Test("fire by themselves on the real clock, not early")
    func realClock() async throws {
        let daemon = try PrivateBus()
        let bus = try await Bus(daemon.address)
        let fired = Heard<UInt64>()
        try await bus.perform { (connection) throws(DBusError) in
            let start = connection.now().bootMilliseconds
            connection.after(milliseconds: 20) { fired.append($0.bootMilliseconds - start) }
        }
        #expect(await fired.wait(for: 1)[0] >= 20)
    }

    @Test("that set themselves again leave room for others")
    func selfSetting() async throws {
        let daemon = try PrivateBus()
        let bus = try await Bus(daemon.address)
        try await bus.perform { (connection) throws(DBusError) in
            func again(_ arrival: Arrival) {
                connection.after(milliseconds: 0, again)
            }
            connection.after(milliseconds: 0, again)
        }
        try await bus.call(.bus("GetId"))
        await bus.close()
    }

    @Test("are taken like those of a sorted list", arguments: [1, 2, 3])
    func model(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = TimerQueue<Int>()
        var model: [(id: TimerQueue<Int>.ID, action: Int)] = []
        var now: UInt64 = 0
        for step in 0..<2_000 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let deadline = now + UInt64.random(in: 0..<50, using: &random)
                model.append((queue.insert(deadlineMilliseconds: deadline, step), step))
            case 2:
                guard let victim = model.indices.randomElement(using: &random) else { continue }
                queue.remove(model[victim].id)
                model.remove(at: victim)
            default:
                now += UInt64.random(in: 0..<20, using: &random)
                var taken: [Int] = []
                while let action = queue.popDue(atMilliseconds: now, before: .max) {
                    taken.append(action)
                }
                let due = model.filter { $0.id.deadlineMilliseconds <= now }
                    .sorted { $0.id < $1.id }
                #expect(taken == due.map(\.action), "seed \(seed), step \(step)")
                model.removeAll { $0.id.deadlineMilliseconds <= now }
            }
            let next = model.map(\.id.deadlineMilliseconds).min()
            #expect(queue.nextDeadlineMilliseconds == next, "seed \(seed), step \(step)")
        }
    }
}
