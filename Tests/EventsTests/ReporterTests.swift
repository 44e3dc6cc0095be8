import Events
import Testing

/// What reported a total is one thing, what it is called another.
@Suite("Reporters of totals")
struct ReporterTests {
    @Test("no name passes for a kind", arguments: Reporter.Kind.allCases)
    func kinds(_ kind: Reporter.Kind) {
        func read(_ origin: String) -> Reporter? { HealthTotalObserved(origin: origin).reporter }
        #expect(read(Reporter(kind).origin) == Reporter(kind))
        let long = String(repeating: "é", count: 1_000)
        for name in [kind.rawValue, Reporter(kind).origin, "\u{301}\(kind.rawValue)/", long] {
            let told = read(Reporter(.anotherLog, named: name).origin)
            #expect(told == Reporter(.anotherLog, named: name.fitting(106)))
        }
        #expect(read(kind.rawValue) == Reporter(.unknown, named: kind.rawValue))
    }

    @Test(
        "the reason of an earlier program's value is found in its note",
        arguments: ["", "the phone was changed", "\u{301}a"])
    func reason(_ reason: String) throws {
        let date = try #require(CivilDate("2026-03-01"))
        let value = LegacyValueImported(date: date, total: 5)
        let note = value.note(because: reason, author: "a").text
        let name = value.reporter(noted: note).name ?? ""
        #expect(name.unicodeScalars.elementsEqual(reason.unicodeScalars))
        #expect(value.reporter(noted: "another") == Reporter(.earlierProgram))
    }
}
