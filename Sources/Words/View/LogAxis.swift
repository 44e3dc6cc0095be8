internal import Events
package import JSON
internal import Text

/// A log on an axis of time: how many events each part of it has, and the dates below it.
package struct LogAxis: JSONObject {
    /// How many bars show how dense events are.
    package static let barCount = 96
    /// How many dates or times stand below it, the first and the last at its ends.
    package static let labelCount = 5

    private static let day: Int64 = 86_400_000

    private let labels: [LocalTime]
    private let counts: [UInt64]
    /// The day that it shows; nil for all of them.
    private var date: CivilDate?

    /// Shows a log that has events.
    ///
    /// - Parameters:
    ///   - labels: The times at ``labelCount`` places as far from each other.
    ///   - counts: How many events came in each of ``barCount`` parts as long as each other.
    package init(labels: [LocalTime], counts: [UInt64]) {
        (self.labels, self.counts) = (labels, counts)
    }

    /// Shows the day of a time by the clock on the wall, in quarters of an hour.
    ///
    /// - Parameters:
    ///   - time: A time of the day.
    ///   - count: How many events came in each of as many parts of a span of UTC milliseconds.
    /// - Throws: What `count` throws.
    package init<Failure>(
        dayOf time: LocalTime,
        _ count: (Int, ClosedRange<Int64>) throws(Failure) -> [UInt64]
    ) throws(Failure) {
        // A stranger's clock may stand at the end of time.
        let wall = min(max(time.wallMilliseconds, .min + Self.day), .max - Self.day)
        let midnight = wall - time.millisecondOfDay
        labels = (0..<Int64(Self.labelCount)).map {
            time.moved(to: midnight + min($0 * Self.day / 4, Self.day - 1))
        }
        counts = try count(Self.barCount, midnight...midnight + Self.day - 1)
        date = time.date
    }

    /// Writes its ends in local milliseconds since 1970, what stands around it, and the bars.
    package func writeFields(to json: inout JSONWriter) {
        let from = labels.first?.localMilliseconds ?? 0
        // Over a flight west less time goes by on the wall.
        let until = max(labels.last?.localMilliseconds ?? 0, from)
        json.field("from", from)
        json.field("until", until)
        json.field("name", date.map { "\($0.dayAndMonth) \($0.components.year)" } ?? "All days")
        json.field("note", "height: events in \(partWords(until - from))")
        json.field("labels", date == nil ? texts : (labels.dropLast().map(\.clock) + ["24:00"]))
        json.field("density", density)
    }

    /// Dates, where each has one of its own, or else times with the date where it is another one.
    private var texts: [String] {
        let areDays = zip(labels, labels.dropFirst()).allSatisfy { $0.date < $1.date }
        return labels.indices.map { index in
            let (now, before) = (labels[index], index > 0 ? labels[index - 1] : nil)
            if areDays {
                let year = now.date.components.year
                return now.date.small
                    + (before?.date.components.year == year ? "" : " \(year)")
            }
            return (now.date == before?.date ? "" : "\(now.date.small), ") + now.clock
        }
    }

    /// How long a part is.
    private func partWords(_ milliseconds: Int64) -> String {
        let seconds = UInt64(max(milliseconds + 1, 0)) / 1_000 / UInt64(Self.barCount)
        let units: [(length: UInt64, name: String)] = [
            (86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"),
        ]
        let unit = units.first { seconds >= $0.length } ?? (1, "second")
        let count = max((seconds + unit.length / 2) / unit.length, 1)
        return (date == nil ? "about " : "") + counted(count, unit.name)
    }

    /// The bars' heights from 0 to 100: each doubling of the events is the same height more.
    private var density: [Int] {
        guard date != nil || counts.reduce(0, +) >= UInt64(counts.count) else { return [] }
        let bits = counts.map { UInt64.bitWidth - $0.leadingZeroBitCount }
        return bits.map { 100 * $0 / max(bits.max() ?? 1, 1) }
    }
}
