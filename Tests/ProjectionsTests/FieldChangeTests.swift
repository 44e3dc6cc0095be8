import Events
import TestSelection
import Testing

@testable import Projections

@Suite("Changed fields")
struct FieldChangeTests {
    private struct Inner: Hashable {
        var count: UInt64 = 1
        var name: String?
    }

    private enum Kind: Hashable {
        case plain
        case counted(Int)
    }

    private struct Outer: Hashable {
        var flag = false
        var inner = Inner()
        var list = [Inner()]
        var table: [UInt32: Int64] = [9: 1, 10: -2]
        var names: Set = ["b", "a"]
        var kind = Kind.plain
        var maybe: Inner?
        var date = CivilDate.epoch
    }

    private func changes(_ change: (inout Outer) -> Void) -> [String] {
        var after = Outer()
        change(&after)
        return FieldChange.changes(from: Outer(), to: after).map(\.description)
    }

    @Test("are none between equal values")
    func none() {
        #expect(changes { _ in } == [])
    }

    @Test("stand in the order of declaration, with places and keys in their own order")
    func order() {
        let all = changes {
            $0.date = CivilDate("2026-03-01") ?? .epoch
            $0.maybe = Inner(count: 7, name: "x")
            $0.kind = .counted(3)
            $0.names = ["b", "c"]
            $0.table = [10: -3, 9: 1, 100: 4, 2: 5]
            $0.list = [Inner(count: 2), Inner()]
            $0.inner.name = "y"
            $0.flag = true
        }
        #expect(
            all == [
                "flag: no -> yes", "inner.name: none -> y", "list[0].count: 1 -> 2",
                "list[1].count: none -> 1", "table[2]: none -> 5", "table[10]: -2 -> -3",
                "table[100]: none -> 4", "names[a]: yes -> none", "names[c]: none -> yes",
                "kind: plain -> counted(3)", "maybe.count: none -> 7", "maybe.name: none -> x",
                "date: 1970-01-01 -> 2026-03-01",
            ])
    }

    @Test("of what is gone are what it said")
    func gone() {
        var before = Outer()
        before.maybe = Inner()
        before.list = []
        let all = FieldChange.changes(from: before, to: Outer()).map(\.description)
        #expect(all == ["list[0].count: none -> 1", "maybe.count: 1 -> none"])
    }

    @Test("of states name what people know: the open session, the current day")
    func states() throws {
        var tape = try Tape.walkingLinked()
        tape.heart(120)
        tape.count(100)
        let before = tape.state
        tape.heart(125, after: 4_000)
        tape.count(130)
        let fields = Dictionary(
            uniqueKeysWithValues: FieldChange.changes(from: before, to: tape.state).map {
                ($0.field, $0)
            })
        let sum = fields["live.sessions.open.readings.heartRate.sum"]
        #expect(sum?.before == .unsigned(120) && sum?.after == .unsigned(245))
        #expect(fields["live.steps.current.delta"]?.after == .unsigned(30))
        #expect(fields["events"] != nil && fields["head"] != nil)
        #expect(fields["rules.graceMilliseconds"] == nil)
    }

    @Test(
        "are there for each event of random walks, and go on from each other",
        arguments: sample(0..<8, 2))
    func walks(seed: Int) throws {
        let tape = try RandomWalk.tape(seed: seed, steps: 250)
        var state = LogState()
        var values: [String: FieldValue] = [:]
        for event in tape.recorded {
            let before = state
            state.take(event)
            let changes = FieldChange.changes(from: before, to: state)
            #expect(changes.contains { $0.field == "events" })
            #expect(Set(changes.map(\.field)).count == changes.count, "seed \(seed)")
            for change in changes {
                if let value = values[change.field] {
                    #expect(value == change.before, "seed \(seed): \(change)")
                }
                values[change.field] = change.after
            }
        }
        // Told one by one they are all that differs from the state before the first event.
        for change in FieldChange.changes(from: LogState(), to: state) {
            #expect(values[change.field] == change.after, "seed \(seed): \(change)")
        }
    }
}
