import Projections
import Testing

@Suite("Numbers from outside", .timeLimit(.minutes(10)))
struct NumbersTests {
    @Test(
        "are taken from the least to the greatest, and one beyond is not",
        arguments: NumberRow.tested)
    func range(_ row: NumberRow) async throws {
        for (value, fate) in row.trials {
            #expect(try await NumberEntrances.fate(row, value)?.rawValue == fate, "\(value)")
        }
        #expect(row.from != nil || row.to != nil)
    }

    @Test("are all numbers that an event can have")
    func fields() {
        let rows = Set(NumberRow.rows(of: "Fields of events").map(\.example))
        let fields = Set(EventFields.lines.keys)
        #expect(fields.subtracting(rows).isEmpty, "without a row")
        #expect(rows.subtracting(fields).isEmpty, "no such field")
    }

    @Test("are all that an option takes, or it takes none")
    func options() async throws {
        let others = NumberRow.sections["Options without a number"] ?? []
        let everywhere = others.filter { $0.hasPrefix("--") }
        let numbers = NumberRow.rows(of: "Options").map(\.example)
        let named = Set((numbers + others).map(NumberEntrances.option(of:)))
        let known = try await NumberEntrances.options().filter { option in
            !everywhere.contains { option.hasSuffix(" \($0)") }
        }
        #expect(known.subtracting(named).isEmpty, "without a row")
        #expect(named.subtracting(known).subtracting(everywhere).isEmpty, "no such option")
    }

    @Test("are all that a rule takes, or it takes none")
    func rules() {
        let numbers = NumberRow.rows(of: "Rules").map { row in
            String(row.example.prefix { $0 != "=" })
        }
        let others = NumberRow.sections["Rules without a number"] ?? []
        #expect(Set(numbers + others) == Set(Rules.settingNames))
        for name in others {
            var rules = Rules()
            #expect(throws: RuleError.self) { try rules.set("\(name)=1") }
        }
    }
}
