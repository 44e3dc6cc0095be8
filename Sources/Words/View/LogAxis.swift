internal import Events
package import JSON

/// A log on an axis of time: how many events each part of it has, and the dates below it.
package struct LogAxis: JSONObject {
    /// How many bars show how dense events are.
    package static let barCount = 96
    /// How many dates or times stand below it, the first and the last at its ends.
    package static let labelCount = 5

    /// On a longer axis a hand finds days, not times.
    private static let exactDays: Int64 = 60
    private static let day: Int64 = 86_400_000

    private let labels: [LocalTime]
    private let counts: [UInt64]

    /// Shows a log that has events.
    ///
    /// - Parameters:
    ///   - labels: The times at ``labelCount`` places as far from each other.
    ///   - counts: How many events came in each of ``barCount`` parts as long as each other.
    package init(labels: [LocalTime], counts: [UInt64]) {
        (self.labels, self.counts) = (labels, counts)
    }

    /// Writes its ends in local milliseconds since 1970, what a hand finds on it, what stands
    /// below it, and the bars.
    package func writeFields(to json: inout JSONWriter) {
        let from = labels.first?.localMilliseconds ?? 0
        // Over a flight west less time goes by on the wall.
        let until = max(labels.last?.localMilliseconds ?? 0, from)
        json.field("from", from)
        json.field("until", until)
        json.field("step", (until - from) / Self.day > Self.exactDays ? Self.day : 1)
        json.field("labels", texts)
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

    /// The bars' heights from 0 to 100: each doubling of the events is the same height more.
    private var density: [Int] {
        guard counts.reduce(0, +) >= UInt64(counts.count) else { return [] }
        let bits = counts.map { UInt64.bitWidth - $0.leadingZeroBitCount }
        return bits.map { 100 * $0 / max(bits.max() ?? 1, 1) }
    }
}
