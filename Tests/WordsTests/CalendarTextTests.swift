import Events
import Testing
import Text

@testable import Words

/// Weeks, months and a year of days in a terminal.
@Suite("A calendar for people")
struct CalendarTextTests {
    /// Totals of days, against a goal of 8,000.
    private func text(
        _ totals: [(String, UInt64)], today: String, goal: UInt64? = 8_000
    ) throws -> CalendarText {
        let totals = try totals.map { (try #require(CivilDate($0)), $1) }
        let today = try #require(CivilDate(today))
        let calendar = try calendar(totals, goal: goal, today: today)
        return CalendarText(calendar, columns: 80, units: .metric)
    }

    @Test("shows weeks with a bar, the latest first, and none for what nobody counted")
    func weeks() throws {
        let text = try text(YearViewTests.totals, today: "2026-02-14")
        #expect(
            text.weeks(3) == """
                Week of         Steps   A day  Goal
                 9 Feb         18,899   6,000  1 of 3  ████████████████████████████▉  so far
                 2 Feb         19,622   6,541  2 of 3  ██████████████████████████████
                26 Jan         12,000  12,000  1 of 1  ██████████████████▍
                ─────────────────────────────────────
                3 weeks        50,521   7,089  4 of 7

                """)
        #expect(
            text.weeks(1).signsInASCII == """
                Week of         Steps   A day  Goal
                 9 Feb         18,899   6,000  1 of 3  ##############################  so far
                -------------------------------------
                1 week         18,899   6,000  1 of 3

                """)
    }

    @Test("shows the years of weeks that are not all of one")
    func years() throws {
        let days: [(String, UInt64)] = [("2025-12-30", 9_000), ("2026-01-05", 8_000)]
        let rows = try text(days, today: "2026-01-06").weeks(2).split(separator: "\n")
        #expect(rows[1].hasPrefix(" 5 Jan 2026     8,000   8,000  1 of 1  █"), "\(rows)")
        #expect(rows[2].hasPrefix("29 Dec 2025     9,000   9,000  1 of 1  █"), "\(rows)")
    }

    @Test("shows the months of a year with their walks")
    func months() throws {
        let text = try text(YearViewTests.totals, today: "2026-02-14", goal: nil)
        #expect(
            text.months(of: 2026, []) == """
                Month           Steps   A day            Walks        km
                Feb 2026       38,521   6,270                0         –  ████████████████████
                Jan 2026       12,000  12,000                0         –  ██████▎
                ────────────────────────────────────────────────────────
                2026           50,521   7,089                0         –

                """)
        #expect(text.months(of: 2025, []) == "No steps were counted in 2025.\n")
    }

    @Test("draws each day of a year")
    func year() throws {
        let text = try text(YearViewTests.totals, today: "2026-02-14")
        #expect(
            text.year(2026) == """
                      Jan  Feb Mar Apr  May Jun Jul  Aug Sep Oct  Nov Dec
                 Mon   ····█·
                 Tue   ····█▒
                 Wed   ····░▓
                 Thu  ·······
                 Fri  ······█
                 Sat  ····█·+
                 Sun  ······

                 50,521 steps, 7,089 a day. Goal on 4 of 7 days. Days in a row: longest 2, 2
                 February to 3 February.

                 · none counted   ░ below 2,500   ▒ from 2,500   ▓ from 5,000   + today
                 █ from 8,000, the goal

                """)
        #expect(
            try self.text([], today: "2026-02-14").year(2026) == "No steps were counted in 2026.\n")
        #expect(
            try self.text([], today: "2026-02-14").weeks(4) == "No steps were counted this week.\n")
    }

    @Test("keeps within its columns in every year and width", arguments: [60, 72, 80])
    func width(columns: Int) throws {
        let calendar = try text(YearViewTests.totals, today: "2026-02-14")
        for year: Int64 in [1, 1972, 2024, 2026, 2028, 9_999] {
            for line in calendar.year(year).split(separator: "\n") {
                #expect(Text.columns(of: String(line)) <= 80, "\(line)")
            }
        }
        #expect(
            calendar.weeks(9).split(separator: "\n").allSatisfy {
                Text.columns(of: String($0)) <= 80
            })
    }
}
