package import Events
package import Interchange
package import JSON
package import Projections
internal import Text

/// What became of a file of walks that was imported.
package struct WalkImportText: Answer, JSONObject {
    /// What became of it.
    package enum Outcome: Hashable, Sendable {
        /// It is in the log now, as a source with sessions.
        case recorded(_ source: UInt32, _ sessions: [Position])
        /// The log had it already.
        case known(_ source: UInt32, _ session: Position?)
        /// Each of its walks is a likely copy, or was not on foot.
        case leftOut
        /// It would be recorded.
        case possible
        /// It holds no walk.
        case nothing
    }

    /// What became of it.
    package var outcome = Outcome.nothing
    /// How many totals of days were news.
    package var reportedDays = 0
    /// The walks in it that were recorded, would be, or were looked at.
    package var sessions: [SessionReport] = []
    /// The sessions that walks in it look like, and that were left out; nil for one of a file that
    /// a dry run has read.
    package var copies: [Position?] = []
    /// What of it was left out because it was not on foot.
    package var sports: [Sport] = []
    /// Its path.
    package let file: String
    /// Why only a part of it could be read; nil if all was.
    package let damage: String?
    /// How many walks it holds.
    package var walks: Int { sessions.count }
    /// How many totals of days it holds.
    package var days: Int { facts.days.count }

    let format: WalkFileFormat
    private var facts: WalkFacts
    /// How many heart rates and positions there are in what was recorded, would be, or was looked
    /// at.
    private var (heartRates, positions): (UInt64, UInt64)

    /// Tells an import of which nothing has become yet.
    ///
    /// - Parameters:
    ///   - file: Its path.
    ///   - format: Its format.
    ///   - facts: What it says.
    ///   - damage: Why only a part of it could be read; nil if all was.
    package init(
        file: String, format: WalkFileFormat, facts: WalkFacts, damage: String?
    ) {
        (self.file, self.format, self.facts, self.damage) = (file, format, facts, damage)
        (heartRates, positions) = (facts.heartRates, facts.positions)
    }

    /// Takes the events of what is left of it.
    package mutating func take(_ events: EventBatch) {
        (heartRates, positions) = (0, 0)
        events.forEach { event in
            heartRates += event.header.kind == .characteristicNotified ? 1 : 0
            positions += event.header.kind == .positionFixed ? 1 : 0
        }
    }

    /// Counts something that was left out, in the plural.
    package mutating func leaveOut(_ what: String) { facts.leaveOut(what) }

    /// Where a summary says something else than the records of a walk that was looked at.
    private var differences: [WalkFacts.Difference] {
        let starts = Set(sessions.map(\.startedAtMilliseconds))
        return facts.differences.filter { starts.contains($0.walk) }
    }

    /// Writes the fields into an object that is open.
    package func writeFields(to json: inout JSONWriter) {
        json.field("file", file)
        json.field("format", format.rawValue)
        json.field("outcome", outcome.code)
        json.field("heartRates", heartRates)
        json.field("positions", positions)
        json.field("walks", walks)
        json.field("days", days)
        json.field("daysReported", reportedDays)
        json.field("startedAtMilliseconds", sessions.first?.startedAtMilliseconds)
        json.field("endedAtMilliseconds", sessions.last?.endedAtMilliseconds)
        var (source, places): (UInt32?, [Position]) = (nil, [])
        switch outcome {
        case .recorded(let number, let sessions): (source, places) = (number, sessions)
        case .known(let number, let session):
            (source, places) = (number, [session].compactMap(\.self))
        case .leftOut, .possible, .nothing: break
        }
        json.field("source", source)
        json.field("sessions", places)
        json.field("copiesOf", copies.compactMap(\.self))
        json.field("notOnFoot", sports.count)
        json.list("leftOut", facts.leftOut) { json, part in
            json.field("what", part.what)
            json.field("count", part.count)
        }
        json.list("differences", differences) { json, part in
            json.field("startedAtMilliseconds", part.walk)
            json.field("what", part.isOfDistance ? "distanceMillimetres" : "steps")
            json.field("summary", part.summary)
            json.field("recorded", part.recorded)
        }
        json.field("partial", damage != nil)
    }

    /// Some lines.
    package var text: String {
        var text = "\(printable(file)): \(content).\n"
        if outcome != .leftOut, !copies.isEmpty {
            text += "Left out: what looks like \(likeness); --anyway imports \(copiesPronoun).\n"
        }
        if let sports = sports.sentence { text += sports + "\n" }
        for part in differences.prefix(8) { text += part.sentence + "\n" }
        for sentence in facts.leftOutSentences.prefix(8) { text += sentence + "\n" }
        return text
    }

    /// Why a file has no walk, where what was left out says it.
    private static let reasons: [(what: String, sentence: String)] = [
        ("points without a time", "its points have no times, as those of a route that was planned"),
        ("courses", "it is a course, not a walk"),
        ("rows without a time", "its times cannot be read; 2026-03-01 09:00:00 could"),
    ]

    private var content: String {
        if case .known(let source, let session) = outcome {
            let place =
                session.map { "session \($0)" }
                ?? (source > 0 ? "import \(source)" : "another file")
            return "already imported, as \(place). Nothing was recorded"
        }
        guard let first = sessions.first, let last = sessions.last else {
            guard days > 0 else {
                let reason = Self.reasons.first { what, _ in
                    facts.leftOut.contains { $0.what == what && $0.count > 0 }
                }
                return "there is no walk in it" + (reason.map { ": " + $0.sentence } ?? "")
            }
            return "\(counted(UInt64(days), "day")), \(counted(UInt64(reportedDays), "new total"))"
        }
        let offset = facts.offsetMinutes ?? 0
        let start = LocalTime(first.startedAtMilliseconds, offsetMinutes: offset)
        let end = LocalTime(
            last.endedAtMilliseconds ?? first.startedAtMilliseconds, offsetMinutes: offset)
        let zone = offset == 0 ? " UTC" : ""
        return "\(counted(heartRates, "heart rate")), "
            + "\(counted(positions, "position")), "
            + "\(start.dated) to \(end.after(start))\(zone).\n\(consequence)"
    }

    /// What its walks look like: the sessions that are there, as far as they are known.
    private var likeness: String {
        var names: [String] = []
        for copy in copies {
            let name = copy.map { "session \($0)" } ?? "a walk of another file"
            if !names.contains(name) { names.append(name) }
        }
        return (copies.count == 1 ? "a copy of " : "copies of ") + Self.shortened(names)
    }

    /// Names in a sentence: eight at most, and how many more there are.
    private static func shortened(_ names: [String]) -> String {
        guard names.count > 8 else { return enumerated(names) }
        return enumerated(names.prefix(8) + ["\(grouped(UInt64(names.count - 8))) more"])
    }

    private var copiesPronoun: String { copies.count == 1 ? "it" : "them" }

    private var consequence: String {
        switch outcome {
        case .recorded(_, let places):
            guard places.count != 1 else {
                return "They are session \(places[0]): `pulselog sessions show \(places[0])`"
            }
            return "They are the sessions \(Self.shortened(places.map(String.init)))"
        case .leftOut:
            guard !copies.isEmpty else { return "Nothing was recorded" }
            return "They look like \(likeness). Nothing was recorded; --anyway imports "
                + copiesPronoun
        case .possible:
            return "It would become "
                + (walks == 1 ? "one session" : counted(UInt64(walks), "session"))
        case .known, .nothing: return "Nothing was recorded"
        }
    }
}

extension WalkFacts.Difference {
    fileprivate var sentence: String {
        func amount(_ number: UInt64) -> String {
            isOfDistance ? Units.metric.distance(number) : counted(number, "step")
        }
        return "The file's summary says \(amount(summary)), and its records \(amount(recorded)), "
            + "which count."
    }
}

extension WalkFacts {
    /// What did not become a fact, a sentence for each kind.
    package var leftOutSentences: [String] {
        leftOut.filter { $0.count > 0 }.map {
            "Left out: \(printable($0.what, limit: 100)) (\(grouped($0.count)))."
        }
    }
}

extension WalkImportText.Outcome {
    /// What programs match.
    fileprivate var code: String {
        switch self {
        case .recorded: "recorded"
        case .known: "known"
        case .leftOut: "leftOut"
        case .possible: "wouldBeRecorded"
        case .nothing: "noWalk"
        }
    }
}
