internal import Events
package import JSON
package import Projections
internal import Text

/// A walk beside those that went the same way, in sentences.
extension SameRoute: JSONObject {
    /// How often, and the differences to the last time and to the best before.
    package var line: String {
        let times = "Same route, \(Self.times(walks.count))"
        let differences = differences.map(\.words)
        guard !differences.isEmpty else { return times + "; this was the first." }
        return "\(times): \(differences.joined(separator: "; "))."
    }

    /// To the last time, and to the best before if that is another one.
    private var differences: [(words: String, other: SessionReport)] {
        guard let last = before.last, let best else { return [] }
        guard last.position != best.position else {
            return [("\(difference(to: last)), the last time and your best before", last)]
        }
        return [
            ("\(difference(to: last)), the last time", last),
            ("\(difference(to: best)), your best before", best),
        ]
    }

    /// How often, and since when.
    package var note: String {
        Self.times(walks.count) + (walks.first.map { " since \(day($0))" } ?? "")
    }

    /// The same with the mean heart rates, and what the last ones took.
    package var sentence: String {
        guard let mean = meanMilliseconds else {
            return "This was the first of \(counted(UInt64(walks.count), "walk"))."
        }
        var sentences = differences.enumerated().map { index, difference in
            capitalized(difference.words) + (index == 0 ? hearts(beside: difference.other) : "")
                + "."
        }
        let count = lastFive.count
        if count > 1 {
            sentences.append(
                "The \(Self.number(count)) before took \(TimeText.duration(mean)) on average.")
        }
        return sentences.joined(separator: " ")
    }

    private func hearts(beside other: SessionReport) -> String {
        let rates = [walk, other].compactMap { walk in
            walk.heartRate.timeWeightedMean.map { whole(hundredths: $0.value) }
        }
        guard rates.count == 2 else { return "" }
        return rates[0] == rates[1]
            ? ", with the same mean of \(rates[0]) BPM"
            : ", with a mean of \(rates[0]) instead of \(rates[1]) BPM"
    }

    /// Writes the sentences, and each of the walks, into an object that is open.
    package func writeFields(to json: inout JSONWriter) {
        json.field("note", note)
        json.field("sentence", sentence)
        json.field("label", "Active time of \(walks.count) walks on this route. \(sentence)")
        // A stranger's walk may last until the end of time.
        let times = walks.map { Int64(min($0.activeMilliseconds, 1 << 53)) }
        if let least = times.min(), let most = times.max() {
            let steps: [Int64] = [10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 18_000]
            json.axis(around: least...most, steps: steps.map { $0 * 1_000 }) {
                TimeText.duration($0.magnitude)
            }
        }
        json.list("walks", walks) { json, walk in
            json.field("at", walk.startedAtMilliseconds)
            json.field("active", walk.activeMilliseconds)
            json.field("isThis", walk.position == self.walk.position)
            json.field("day", day(walk))
        }
        json.field("heart", outlines[walk.position]?.trace)
        json.list("last", lastFive.reversed()) { json, other in
            let amount = TimeText.duration(seconds(to: other) * 1_000)
            let than = other.activeMilliseconds > walk.activeMilliseconds ? "more" : "less"
            let mean = other.heartRate.timeWeightedMean.map { ", \($0.bpm)" } ?? ""
            let time = TimeText.duration(other.activeMilliseconds)
            json.field("position", other.position)
            json.field("day", day(other))
            json.field("text", "\(time), \(amount) \(than)\(mean)")
            json.field("heart", outlines[other.position]?.trace)
        }
    }

    /// That it is faster than several before; nil if it is not.
    var special: String? {
        guard let best, before.count > 1,
            walk.activeMilliseconds + 500 <= best.activeMilliseconds
        else { return nil }
        let count = Self.number(before.count + 1)
        return "Your fastest of \(count) on this route: \(difference(to: best))."
    }

    private func seconds(to other: SessionReport) -> UInt64 {
        let times = [walk.activeMilliseconds, other.activeMilliseconds].sorted()
        return (times[1] - times[0] + 500) / 1_000
    }

    private func difference(to other: SessionReport) -> String {
        let (now, before) = (walk.activeMilliseconds, other.activeMilliseconds)
        let seconds = seconds(to: other)
        let isSameDay = other.date == walk.date
        let then = isSameDay ? "at \(other.start.clock) that day" : "on \(day(other))"
        guard seconds > 0 else { return "as long as \(then)" }
        let amount = TimeText.duration(seconds * 1_000)
        return "\(amount) \(now < before ? "less" : "more") than \(then)"
    }

    /// The day of a walk, with its year where that is another one.
    private func day(_ other: SessionReport) -> String {
        other.date.dayAndMonth + other.date.year(unless: walk.date.components.year)
    }

    private static func times(_ count: Int) -> String {
        count == 2 ? "twice" : "\(number(count)) times"
    }

    private static func number(_ count: Int) -> String {
        let words = ["two", "three", "four", "five", "six", "seven", "eight", "nine"]
        return (2...9).contains(count) ? words[count - 2] : "\(count)"
    }
}
