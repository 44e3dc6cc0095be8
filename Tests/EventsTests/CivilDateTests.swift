import Events
import Testing

@Suite("CivilDate")
struct CivilDateTests {
    static let vectors: [(text: String, days: Int64)] = [
        ("1970-01-01", 0), ("1969-12-31", -1), ("1970-03-01", 59), ("1972-02-29", 789),
        ("1972-03-01", 790), ("2000-02-29", 11_016), ("2000-03-01", 11_017),
        ("1900-02-28", -25_509), ("1900-03-01", -25_508), ("2024-02-29", 19_782),
        ("2024-12-31", 20_088), ("2026-03-01", 20_513), ("2100-02-28", 47_540),
        ("2100-03-01", 47_541), ("1600-02-29", -135_081), ("0001-01-01", -719_162),
        ("0004-02-29", -718_008), ("9999-12-31", 2_932_896),
    ]

    @Test("counts days since 1970", arguments: vectors)
    func countsDays(_ vector: (text: String, days: Int64)) throws {
        let date = try #require(CivilDate(vector.text))
        #expect(date.daysSinceEpoch == vector.days)
        #expect(CivilDate(daysSinceEpoch: vector.days)?.description == vector.text)
    }

    @Test("follows the calendar month by month through all its years")
    func everyMonth() throws {
        var days = CivilDate.validDays.lowerBound
        for year in Int64(1)...9_999 {
            for month in Int64(1)...12 {
                let length = length(ofMonth: month, year: year)
                let (first, last) = (days, days + length - 1)
                let (firstDate, lastDate) = (
                    try #require(CivilDate(daysSinceEpoch: first)),
                    try #require(CivilDate(daysSinceEpoch: last))
                )
                let isRight =
                    firstDate.components == (year, month, 1)
                    && lastDate.components == (year, month, length)
                    && CivilDate(year: year, month: month, day: 1) == firstDate
                    && CivilDate(year: year, month: month, day: length) == lastDate
                    && CivilDate(year: year, month: month, day: length + 1) == nil
                if !isRight { Issue.record("\(year)-\(month)") }
                days += length
            }
        }
        #expect(days == CivilDate.validDays.upperBound + 1)
    }

    func length(ofMonth month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    @Test(
        "refuses what is no day",
        arguments: [
            "", "2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-01", "2026-01-00",
            "2026-01-32", "0000-01-01", "2026-1-01", "02026-01-01", "2026-01-01 ", "2026/01/01",
            "-026-01-01", "+026-01-01", "2026-01-0x", "\u{662}026-01-1",
        ])
    func refuses(_ text: String) {
        #expect(CivilDate(text) == nil)
    }

    @Test("ends with the years 1 and 9999")
    func bounds() {
        #expect(CivilDate(daysSinceEpoch: -719_163) == nil)
        #expect(CivilDate(daysSinceEpoch: 2_932_897) == nil)
        #expect(CivilDate(year: 10_000, month: 1, day: 1) == nil)
        let first = CivilDate(wallMilliseconds: .min, zoneOffsetMinutes: -1_440)
        let last = CivilDate(wallMilliseconds: .max, zoneOffsetMinutes: 1_440)
        #expect(first.description == "0001-01-01")
        #expect(last.description == "9999-12-31")
    }

    static let instants: [(milliseconds: Int64, offset: Int64, text: String)] = [
        (0, 0, "1970-01-01"), (-1, 0, "1969-12-31"), (86_399_999, 0, "1970-01-01"),
        (86_400_000, 0, "1970-01-02"), (0, -1, "1969-12-31"), (-60_000, 1, "1970-01-01"),
        (-86_400_000, 0, "1969-12-31"), (-86_400_001, 0, "1969-12-30"),
        (1_772_319_600_000, 0, "2026-02-28"), (1_772_319_600_000, 60, "2026-03-01"),
    ]

    @Test("is the local date of an instant", arguments: instants)
    func localDate(_ vector: (milliseconds: Int64, offset: Int64, text: String)) {
        let date = CivilDate(
            wallMilliseconds: vector.milliseconds, zoneOffsetMinutes: vector.offset)
        #expect(date.description == vector.text)
    }
}
