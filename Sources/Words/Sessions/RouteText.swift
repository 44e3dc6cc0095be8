internal import Events
public import JSON
public import Projections
internal import Text

/// A walk beside those that went the same way, in sentences.
public struct RouteText: JSONObject {
    private let route: SameRoute

    /// Tells of them.
    public init(_ route: SameRoute) {
        self.route = route
    }

    /// In one line: how often, and the difference to the best before.
    public var line: String {
        let times = "Same route, \(Self.times(route.walks.count))"
        guard let best = route.best else { return times + "; this was the first." }
        return "\(times): \(difference(to: best))."
    }

    /// How often, and since when.
    public var note: String {
        Self.times(route.walks.count) + (route.walks.first.map { " since \(day($0))" } ?? "")
    }

    /// The same with the mean heart rates, and what the last ones took.
    public var sentence: String {
        guard let best = route.best, let mean = route.meanMilliseconds else {
            return "This was the first of \(counted(UInt64(route.walks.count), "walk"))."
        }
        let rates = [route.walk, best].compactMap { walk in
            walk.heartRate.timeWeightedMean.map { whole(hundredths: $0.value) }
        }
        let hearts =
            rates.count < 2
            ? ""
            : rates[0] == rates[1]
                ? ", with the same mean of \(rates[0]) BPM"
                : ", with a mean of \(rates[0]) instead of \(rates[1]) BPM"
        let count = route.lastFive.count
        let average =
            count > 1
            ? " The \(Self.number(count)) before took \(TimeText.duration(mean)) on average." : ""
        return "\(capitalized(difference(to: best)))\(hearts).\(average)"
    }

    /// Writes the sentences, and each of the walks, into an object that is open.
    public func writeFields(to json: inout JSONWriter) {
        json.field("note", note)
        json.field("sentence", sentence)
        json.field("label", "Active time of \(route.walks.count) walks on this route. \(sentence)")
        json.list("walks", route.walks) { json, walk in
            let day = walk.date
            let time = TimeText.duration(walk.activeMilliseconds)
            let mean = walk.heartRate.timeWeightedMean.map {
                ", \(whole(hundredths: $0.value)) BPM"
            }
            json.field("position", walk.position)
            json.field("at", walk.startedAtMilliseconds)
            json.field("active", walk.activeMilliseconds)
            json.field("isThis", walk.position == route.walk.position)
            json.field("day", day.dayAndMonth)
            json.field("text", "\(day.dayAndMonth) \(day.components.year), \(time)\(mean ?? "")")
        }
    }

    private func difference(to best: SessionReport) -> String {
        let (now, then) = (route.walk.activeMilliseconds, best.activeMilliseconds)
        let seconds = (max(now, then) - min(now, then) + 500) / 1_000
        let day = day(best)
        if seconds == 0 { return "as long as on \(day), your best before" }
        let amount = TimeText.duration(seconds * 1_000)
        return "\(amount) \(now < then ? "less" : "more") than on \(day), your best before"
    }

    /// The day of a walk, with its year where that is another one.
    private func day(_ other: SessionReport) -> String {
        let year = other.date.components.year
        let isSame = year == route.walk.date.components.year
        return other.date.dayAndMonth + (isSame ? "" : " \(year)")
    }

    private static func times(_ count: Int) -> String {
        count == 2 ? "twice" : "\(number(count)) times"
    }

    private static func number(_ count: Int) -> String {
        let words = ["two", "three", "four", "five", "six", "seven", "eight", "nine"]
        return (2...9).contains(count) ? words[count - 2] : "\(count)"
    }
}
