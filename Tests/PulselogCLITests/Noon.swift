import Foundation
import Testing

/// The hour after noon somewhere on Earth, so that no test runs over midnight.
struct Noon {
    /// Today's date there, as in `2026-03-01`; in UTC it is the same day.
    let date: String
    /// The zone's hours east of UTC.
    let offsetHours: Int

    /// The zone, for the environment of a program; POSIX counts the hours west.
    var variables: [String: String] { ["TZ": "<noon>\(-offsetHours)"] }

    init(at now: Date = .now) {
        offsetHours = 12 - Int(now.timeIntervalSince1970) / 3_600 % 24
        date = ISO8601DateFormatter.string(
            from: now, timeZone: .gmt, formatOptions: [.withFullDate])
    }
}

@Suite("The zone of the tests")
struct NoonTests {
    @Test("is half a day away from midnight, at each hour of the day")
    func hours() throws {
        for second in stride(from: 0, to: 86_400, by: 599) {
            let now = Date(timeIntervalSince1970: 1_772_323_200 + TimeInterval(second))
            let noon = Noon(at: now)
            #expect(noon.date == "2026-03-01")
            let zone = try #require(TimeZone(secondsFromGMT: noon.offsetHours * 3_600))
            let local = ISO8601DateFormatter.string(
                from: now, timeZone: zone, formatOptions: [.withFullDate, .withTime])
            #expect(local.hasPrefix("2026-03-01T12"), "\(local)")
        }
    }
}
