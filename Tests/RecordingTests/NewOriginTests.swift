import Clocks
import Deciding
import EventStore
import Events
import Projections
import Testing

@Suite("New origin")
struct NewOriginTests {
    private let log = InMemoryEventLog()

    /// Appends a new origin, and gives its events.
    private func begin(
        on machine: Machine, at arrival: Arrival, checkpoint: String? = nil
    ) async throws -> [RecordedEvent] {
        let batch = try NewOrigin.events(
            .restored, checkpoint: checkpoint, after: log.state(), on: machine, at: arrival)
        return try log.events(in: try await log.append(batch, expecting: nil))
    }

    @Test(
        "in another boot begins that as well, and who appends next has nothing to add but a death")
    func anotherBoot() async throws {
        _ = try await Appender(log, machine: machine).record([reading(1)])
        // The clock since the boot is lower than it was.
        let early = Arrival(
            bootMilliseconds: 50, wallMilliseconds: arrival(after: 900_000).wallMilliseconds,
            isWallTrusted: true)
        let begun = try await begin(on: rebooted, at: early, checkpoint: "known")
        #expect(begun.map(\.event.kind) == [.originBegan, .bootBegan])
        let origin = OriginBegan(cause: .restored, checkpoint: "known")
        #expect(begun.first?.event == .originBegan(origin))
        #expect(begun.allSatisfy { $0.header.stamp.bootNumber == 1 })
        let next = try log.next
        var later = early
        later.bootMilliseconds += 10
        later.wallMilliseconds += 10
        _ = try await Appender(log, machine: rebooted).record([
            Input(.record(.noted(Noted(text: "next"))), at: later)
        ])
        let added = try log.events(in: next..<log.next)
        #expect(added.map(\.event.kind) == [.noted])
        #expect(added[0].header.stamp.bootNumber == 1)
    }

    @Test("in the same boot stands alone, but for a clock that was set meanwhile")
    func sameBoot() async throws {
        _ = try await Appender(log, machine: machine).record([reading(1)])
        let begun = try await begin(on: machine, at: arrival(after: 5_000))
        #expect(begun.map(\.event.kind) == [.originBegan])
        #expect(begun[0].header.stamp.bootNumber == 0)
        let stepped = try await begin(on: machine, at: arrival(after: 6_000, clockSetBy: 9_000))
        #expect(stepped.map(\.event.kind) == [.originBegan, .clockStepped])
    }

    @Test("after a boot of which the log does not tell is in a boot of its own")
    func lostBoot() async throws {
        _ = try await Appender(log, machine: machine).record([reading(1)])
        var lost = EventBatch()
        let moment = arrival(after: 100).moment(bootNumber: 4)
        try lost.append(
            .noted(Noted(text: "of a later boot")), stamp: moment.stamp, flags: moment.flags)
        _ = try await log.append(lost, expecting: nil)
        let begun = try await begin(on: machine, at: arrival(after: 5_000))
        #expect(begun.map(\.event.kind) == [.originBegan, .bootBegan])
        #expect(begun.allSatisfy { $0.header.stamp.bootNumber == 5 })
        #expect(try log.state().own.recorder.bootNumber == 5)
    }

    @Test("of a log that knows no boot begins one; a checkpoint that is too long is refused")
    func noBoot() async throws {
        let begun = try await begin(on: machine, at: arrival(after: 0))
        #expect(begun.map(\.event.kind) == [.originBegan, .bootBegan])
        #expect(begun.allSatisfy { $0.header.stamp.bootNumber == 0 })
        #expect(throws: FieldError.self) {
            try NewOrigin.events(
                .restored, checkpoint: String(repeating: "x", count: 1_025), after: log.state(),
                on: machine, at: arrival(after: 0))
        }
    }
}
