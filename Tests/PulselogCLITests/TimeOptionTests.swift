import LookingBack
import TestSupport
import Testing

/// One reader of times for every option that takes one.
@Suite("A time on the command line")
struct TimeOptionTests {
    static let times: [(String, WrittenTime)] = [
        ("10:15", .timeOfDay(36_900_000)),
        ("10:15:30", .timeOfDay(36_930_000)),
        ("10:15:30.250", .timeOfDay(36_930_250)),
        ("00:00", .timeOfDay(0)),
        ("2026-03-01T10:15:00+01:00", .instant(1_772_356_500_000)),
        ("2026-03-01T09:15:00Z", .instant(1_772_356_500_000)),
        ("2026-03-01T09:15:00.5Z", .instant(1_772_356_500_500)),
        ("2026-03-01 10:15:00 +0100", .instant(1_772_356_500_000)),
        ("1772356500000", .instant(1_772_356_500_000)),
        ("0", .instant(0)),
    ]

    @Test("is 10:15, an instant with its offset, or milliseconds", arguments: times)
    func reading(_ text: String, _ expected: WrittenTime) { #expect(WrittenTime(text) == expected) }

    @Test(
        "is nothing else",
        arguments: [
            "", "noon", "24:00", "10:60", "9:15", "10:15:60", "10:15 am", "-1", "1e3", "+5",
            "2026-03-01", "2026-03-01T10:15:00", "2026-03-01T10:15+01:00", "2026-02-29T10:00:00Z",
            "99999999999999999999", "10:15:00.", "10.15",
        ])
    func refusing(_ text: String) { #expect(WrittenTime(text) == nil) }

    @Test("is a position below 10^12 where an option takes either")
    func moments() {
        #expect(LogMoment("4711") == .position(4_711))
        #expect(LogMoment("999999999999") == .position(999_999_999_999))
        #expect(LogMoment("1772356500000") == .instant(1_772_356_500_000))
        #expect(LogMoment("10:15") == .timeOfDay(36_900_999))
        #expect(
            LogMoment("2026-03-01T10:15:00+01:00") == .instant(1_772_356_500_999))
        #expect(LogMoment("2026-03-01T09:15:00.000Z") == .instant(1_772_356_500_000))
    }

    @Test("says until when a health total counts, by the clock of the day that it is of")
    func health() async throws {
        let bench = Workbench()
        try await bench.load("ordinary-walk")
        // The log knows that 2026-03-01 was an hour ahead of UTC; this machine is in Tokyo.
        for (until, day, expected) in [
            ("10:15", "2026-03-01", 1_772_356_500_000), ("10:15", "2026-02-01", 1_769_908_500_000),
            ("2026-03-01T10:15:00+01:00", "2026-03-01", 1_772_356_500_000),
            ("1772356500000", "2026-03-01", 1_772_356_500_000),
        ] {
            let end = try await bench.run(
                "health", "9000", "--day", day, "--until", until, "--json",
                variables: ["TZ": "Asia/Tokyo"])
            let observed = try #require(end.lines.first { $0.contains("healthTotalObserved") })
            #expect(try Line(observed).integer("validUntilMilliseconds") == expected, "\(until)")
        }
        try await bench.expect("health", "9000", "--until", "noon", status: 64, says: "--until")
    }
}
