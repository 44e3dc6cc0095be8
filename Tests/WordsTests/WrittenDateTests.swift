import Events
import Testing
import Words

@Suite("A date as people write it")
struct WrittenDateTests {
    /// A Wednesday.
    private let today = CivilDate(year: 2026, month: 11, day: 25) ?? .epoch

    static let written = [
        ("2026-11-24", "2026-11-24"), ("2027-01-02", "2027-01-02"), ("today", "2026-11-25"),
        ("Yesterday", "2026-11-24"), ("tuesday", "2026-11-24"), ("TUE", "2026-11-24"),
        ("thurs", "2026-11-19"), ("wednesday", "2026-11-25"), ("last wednesday", "2026-11-18"),
        ("Last Friday", "2026-11-20"), ("last  tue", "2026-11-24"), ("24 Nov", "2026-11-24"),
        ("25 nov", "2026-11-25"), ("26 Nov", "2025-11-26"), ("24 Nov 2025", "2025-11-24"),
        ("november 24, 2025", "2025-11-24"), ("1 March", "2026-03-01"), (" 1 mar ", "2026-03-01"),
        ("29 Feb", "2024-02-29"), ("24 Dec 2026", "2026-12-24"),
    ]

    @Test("is the latest up to today, unless it names its year", arguments: written)
    func reads(_ row: (text: String, date: String)) {
        #expect(CivilDate(written: row.text, today: today)?.description == row.date)
    }

    static let refused = [
        "", "tomorrow", "day", "tu", "last", "last week", "last last friday", "30 Feb", "0 Nov",
        "24", "24 nov 26 x", "Nov", "24 11", "2026-13-01", "24 Nov 10000", "friday last",
    ]

    @Test("is none otherwise", arguments: refused)
    func refuses(_ text: String) {
        #expect(CivilDate(written: text, today: today) == nil)
    }
}
