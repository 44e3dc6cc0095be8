import Events
import Foundation
import Testing

@Suite("EventKind")
struct EventKindTests {
    @Test("names exactly the kinds that this version reads")
    func namesKnownKinds() {
        for number in UInt8.min...UInt8.max {
            let kind = EventKind(rawValue: number)
            let isUnknown =
                decoded(kind, []) == .failure(FieldError(.mismatch, field: "kind"))
            #expect((kind.name == nil) == isUnknown, "kind \(number)")
            #expect(EventKind.known.contains(kind) == !isUnknown, "kind \(number)")
        }
    }

    @Test("has the numbers and names of the record format")
    func recordFormat() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Events/Documentation.docc/RecordFormat.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let rows = text.split(separator: "\n").map {
            $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let kinds = rows.compactMap { cells -> EventKind? in
            guard cells.count == 3, cells[0].count == 2, let number = UInt8(cells[0], radix: 16),
                EventKind(rawValue: number).name == cells[1]
            else { return nil }
            return EventKind(rawValue: number)
        }
        #expect(kinds == EventKind.known)
    }

    @Test("finds every kind by its name", arguments: EventKind.known)
    func findsByName(_ kind: EventKind) throws {
        #expect(EventKind(name: try #require(kind.name)) == kind)
        #expect(kind.isStorable)
    }

    @Test("lists kinds once, in the order of their numbers")
    func listsInOrder() {
        let numbers = EventKind.known.map(\.rawValue)
        #expect(numbers == numbers.sorted())
        #expect(Set(numbers).count == numbers.count)
        #expect(Set(EventKind.known.compactMap(\.name)).count == numbers.count)
    }

    @Test(
        "knows no other name",
        arguments: ["", "Noted", "noted ", "noted\0", "0x09", "dayClosed2"])
    func refusesOtherNames(_ name: String) {
        #expect(EventKind(name: name) == nil)
    }

    @Test("puts every kind into the lane of its three high bits")
    func lanes() {
        #expect(EventKind.dayClosed.lane == .day)
        #expect(EventKind.pedometerRead.lane == .steps)
        #expect(EventKind(rawValue: 0x1F).lane == .control)
        #expect(EventKind(rawValue: 0x20).isStorable == false)
        #expect(EventKind(rawValue: 0xDF).isStorable)
        #expect(EventKind(rawValue: 0xE0).lane == nil)
        #expect(EventKind(rawValue: 0xFF).isStorable == false)
    }
}
