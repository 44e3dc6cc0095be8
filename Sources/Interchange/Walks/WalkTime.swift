internal import Events
internal import Text

extension StatedTimes {
    /// UTC of a clock on the wall; nil if its zone is not known.
    func utc(ofLocal local: Int64) -> Int64? {
        offsetMinutes.map { ZoneOffset.utc(ofLocal: local, $0) }
    }

    static let withoutDate =
        "Its times say no date: add when it began, such as --begin 2026-03-01T09:00."
    static let withoutOrder =
        "Its dates can be read in two ways, such as 3/1/2026: add --dates dmy where the day comes "
        + "first, --dates mdy where the month does."
    static let withoutZone =
        "Its times say no zone: add --zone +01:00, Europe/Berlin, or here for this machine's."
}

/// A cell or an element that tells a time.
enum WalkTime: Hashable {
    /// UTC milliseconds, with the minutes east of UTC if they are told.
    case utc(Int64, offsetMinutes: Int64?)
    /// Milliseconds since 1970 by a clock on the wall.
    case local(Int64)
    /// Milliseconds since the beginning.
    case elapsed(Int64)
    /// A date of which nobody knows whether the day or the month comes first.
    case undecided

    /// Reads an instant, a local time, a time since the beginning as `01:02` or `26:01:02`, or a
    /// number: of seconds since the beginning, or since 1970 of seconds or what is a thousandth, a
    /// millionth or a billionth of one.
    ///
    /// - Parameters:
    ///   - text: The cell.
    ///   - isDayFirst: Which of the two 3/1/2026 has first; nil if nobody says.
    init?(_ text: String, isDayFirst: Bool? = nil) {
        if let instant = InstantText(text) {
            let isUTC = text.hasSuffix("Z")
            self = .utc(
                instant.milliseconds, offsetMinutes: isUTC ? nil : instant.offsetMinutes)
        } else if let local = InstantText(text, otherwise: 0) {
            self = .local(local.milliseconds)
        } else if let time = Self.clock(text) {
            self = .elapsed(time)
        } else if let number = DecimalText(text), !number.isNegative {
            // From 2001 on; nobody walks for thirty years.
            let milliseconds = [3, 0, -3, -6].lazy.compactMap { number.whole(timesTenTo: $0) }
            if let first = milliseconds.first, first < 1_000_000_000_000 {
                self = .elapsed(first)
            } else if let utc = milliseconds.first(where: { $0 < 1_000_000_000_000_000 }) {
                self = .utc(utc, offsetMinutes: nil)
            } else {
                return nil
            }
        } else if let date = SlashedDate(text) {
            guard let order = date.isDayFirst ?? isDayFirst else {
                self = .undecided
                return
            }
            guard let local = date.local(isDayFirst: order) else { return nil }
            self = .local(local)
        } else {
            return nil
        }
    }

    /// Minutes and seconds, after hours or without, in milliseconds.
    private static func clock(_ text: String) -> Int64? {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let first = UInt32(parts[0]) else { return nil }
        let (zeros, unit) = parts[1].contains(":") ? ("00:", 3_600_000) : ("00:00:", 60_000)
        let rest = InstantText.timeOfDayMilliseconds(zeros + parts[1])
        return rest.map { $0 + Int64(first) * Int64(unit) }
    }
}

/// A date as people write it, such as `1.3.2026`, `3/1/2026` or `2026/3/1`, and a time of the day,
/// such as `9:00` or `9:00:05 AM`.
private struct SlashedDate {
    /// Whether the day stands before the month; nil if that is not known.
    let isDayFirst: Bool?
    private let year: Int64
    private let parts: (Int64, Int64)
    private let timeOfDayMilliseconds: Int64

    init?(_ text: String) {
        var rest = TimeScanner(text.withoutSpace)
        let separators = "/.-"
        let first = rest.number(4...4)
        guard first == nil || rest.take(oneOf: separators) != nil, let one = rest.number(1...2),
            let separator = rest.take(oneOf: separators), let two = rest.number(1...2),
            let year = first ?? (rest.take(String(separator)) ? rest.number(4...4) : nil),
            rest.take(oneOf: " T,") != nil
        else { return nil }
        while rest.take(" ") {}
        guard let time = rest.timeOfDay(hasHalves: true, isShort: true, needsSeconds: false),
            rest.isAtEnd
        else { return nil }
        // Where the year is first the month is next; points are written where the day is first.
        isDayFirst = first != nil ? false : separator == "." ? true : nil
        (self.year, parts, timeOfDayMilliseconds) = (year, (one, two), time / 1_000)
    }

    /// Milliseconds since 1970 by a clock on the wall; nil if there is no such day.
    func local(isDayFirst: Bool) -> Int64? {
        let (day, month) = isDayFirst ? parts : (parts.1, parts.0)
        return CivilDate(year: year, month: month, day: day)
            .map { $0.daysSinceEpoch * 86_400_000 + timeOfDayMilliseconds }
    }
}

/// Numbers of walks as files write them.
extension String {
    /// A heart rate, rounded to whole beats a minute; nil for 0, and for what no strap can send.
    var heartRateBPM: UInt16? {
        whole(upTo: 65_535).flatMap { $0 == 0 ? nil : UInt16($0) }
    }

    /// A number from 0 on, rounded to a whole one; nil for anything else.
    func whole(upTo limit: Int64, timesTenTo places: Int = 0) -> UInt64? {
        guard let number = DecimalText(self)?.whole(timesTenTo: places),
            (0...limit).contains(number)
        else { return nil }
        return UInt64(number)
    }

    /// A distance in metres or another unit of 10^`places` millimetres; at most 100,000 km.
    func distanceMillimetres(timesTenTo places: Int = 3) -> UInt64? {
        whole(upTo: 100_000_000_000, timesTenTo: places)
    }
}

/// An interval between beats as files write it.
struct BeatInterval: Hashable {
    let microseconds: Int64

    /// Takes one from 100 ms, as hearts never beat faster, to 60 s; nil beyond.
    init?(_ text: String, inSeconds: Bool = false) {
        guard let value = DecimalText(text)?.whole(timesTenTo: inSeconds ? 6 : 3),
            (100_000...60_000_000).contains(value)
        else { return nil }
        microseconds = value
    }

    /// In 1/1024 s, to the nearest.
    var ticks: UInt16 { UInt16((microseconds * 1_024 + 500_000) / 1_000_000) }
    /// The heart rate that it comes to.
    var heartRateBPM: UInt16 { UInt16((60_000_000 + microseconds / 2) / microseconds) }
}
