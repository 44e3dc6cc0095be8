import Events
import Testing

@Suite("The reason of an earlier program's value")
struct LegacyReasonTests {
    @Test("is found in its note", arguments: ["", "the phone was changed", "\u{301}a"])
    func found(_ reason: String) throws {
        let date = try #require(CivilDate("2026-03-01"))
        let value = LegacyValueImported(date: date, total: 5)
        let note = value.note(because: reason, author: "a").text
        #expect(
            value.reporter(noted: note).unicodeScalars.elementsEqual(
                "an earlier program (\(reason))".unicodeScalars))
        #expect(value.reporter(noted: "another") == "an earlier program")
    }
}
