import Interchange
import Testing

@Suite("Instants as others write them")
struct InstantTextTests {
    /// 2026-03-01T09:00:00Z.
    private static let nine: Int64 = 1_772_355_600_000

    /// A text, and milliseconds after nine.
    static let instants: [(String, Int64)] = [
        ("2026-03-01T09:00:00Z", 0),
        ("2026-03-01T10:00:00+01:00", 0),
        ("2026-03-01 10:00:00 +0100", 0),
        ("2026-02-28T23:30:00-09:30", 0),
        ("2026-03-01T09:00:00.0009Z", 0),
        ("2026-03-01T09:00:00.1Z", 100),
        ("2026-03-01T09:00:00.123456789Z", 123),
        ("1969-12-31T23:59:59.999Z", -nine - 1),
        ("2026-03-01 9:00:00 am +0000", 0),
        ("2026-03-01 9:00:00\u{202F}am +0000", 0),
        ("2026-03-01 09:00:00\u{A0}AM +0000", 0),
        ("2026-03-01 9:00:00 a.m. +0000", 0),
        ("2026-03-01 7:00:00 pm +1000", 0),
        ("2026-03-01 12:00:00 am +0000", -9 * 3_600_000),
        ("2026-03-01 12:00:00 pm +0000", 3 * 3_600_000),
        ("2026-03-01 12:59:59\u{202F}pm +0000", 4 * 3_600_000 - 1_000),
        ("2026-03-01 11:59:59 PM Z", 15 * 3_600_000 - 1_000),
        ("2024-09-21 7:57:00 am +1000", 1_726_869_420_000 - nine),
    ]

    @Test("are read in every form", arguments: instants)
    func reading(_ text: String, _ after: Int64) throws {
        let instant = try #require(InstantText(text))
        #expect(instant.milliseconds == Self.nine + after)
        #expect("\(instant.date)" == text.prefix(10))
    }

    @Test(
        "are nothing else",
        arguments: [
            "", "2026-03-01", "2026-03-01T09:00Z", "2026-03-01T09:00:60Z", "2026-03-01T09:00:00",
            "2026-03-01T09:00:00.Z", "2026-03-01T09:00:00.1234567890Z", "2026-03-01T09:00:00ZZ",
            "2026-03-01T09:00:00+1", "2026-02-29T09:00:00Z", "2026-03-01t09:00:00Z",
            "2026-03-01 9:00:00 +0100", "2026-03-01T9:00:00 am +0100",
            "2026-03-01 13:00:00 am +0100", "2026-03-01 13:00:00 pm +0100",
            "2026-03-01 0:00:00 am +0100", "2026-03-01 9:00:00am +0100",
            "2026-03-01 9:00:00 am", "2026-03-01 9:00:00 a.m +0100",
            "2026-03-01 9:00:00  am +0100", "2026-03-01 9:00:00 xm +0100",
            "2026-03-01 009:00:00 am +0100",
        ])
    func refusing(_ text: String) {
        #expect(InstantText(text) == nil)
    }

    @Test("have times of the day alone as well")
    func timesOfDay() {
        #expect(InstantText.timeOfDayMilliseconds("10:15") == 36_900_000)
        #expect(InstantText.timeOfDayMilliseconds("23:59:59.999") == 86_399_999)
        for text in ["24:00", "9:15", "10:15 am", "10:15:", "10:60", "1015", ""] {
            #expect(InstantText.timeOfDayMilliseconds(text) == nil, "\(text)")
        }
    }
}
