internal import Events
package import Projections
internal import Text

/// Walks that somebody looked for, as a list for people: the newest first, and their sums below.
package struct WalkList {
    private let found: WalkFilter.Found
    private let columns: Int
    private let units: Units
    /// How many columns the names have.
    private let nameColumns: Int
    private let positionColumns: Int
    private let distanceColumns: Int
    private let activeColumns: Int
    private let stepsColumns: Int
    /// Whether a walk is not of this year, so that a date needs its own.
    private let hasYears: Bool
    private var dateColumns: Int { hasYears ? 12 : 11 }

    /// Shows walks.
    ///
    /// - Parameters:
    ///   - found: The walks.
    ///   - columns: How wide the list may be, 60 or more.
    ///   - units: The walker's.
    ///   - year: The present one; nil if the machine does not know it.
    package init(_ found: WalkFilter.Found, columns: Int, units: Units, in year: Int64?) {
        (self.found, self.columns, self.units) = (found, columns, units)
        positionColumns = found.walks.reduce(8) { max($0, Self.position(of: $1).utf8.count) }
        let notes = found.walks.compactMap(Self.note).map(\.utf8.count).max()
        let sum = found.sums.distanceMillimetres.map(units.distanceNumber)
        distanceColumns = max(6, sum?.utf8.count ?? 0)
        activeColumns = max(8, TimeText.duration(found.sums.activeMilliseconds).utf8.count)
        stepsColumns = max(7, Self.number(found.sums.steps).utf8.count)
        let figures =
            8 + distanceColumns + activeColumns + stepsColumns + (notes.map { $0 + 1 } ?? 0)
        hasYears = found.walks.contains { !$0.date.year(unless: year).isEmpty }
        nameColumns = max(0, columns - (hasYears ? 22 : 21) - positionColumns - figures)
    }

    /// The list, and how many more the walker hides.
    package var text: String {
        guard !found.walks.isEmpty else { return rest }
        let length = units.distanceName
        let name = nameColumns < 4 ? "" : "Name"
        var lines = [line("Position", "Date", "Start", name, length, "Active", "Steps", "BPM")]
        lines += found.walks.map(line)
        let sums = found.sums
        lines.append(String(repeating: "─", count: columns - 2))
        lines.append(
            line(
                " " + counted(sums.walks, "walk"), "", "", "",
                distance(sums.distanceMillimetres),
                TimeText.duration(sums.activeMilliseconds), Self.number(sums.steps),
                Self.mean(sums.mean)))
        if found.walks.contains(where: { $0.provenance == .simulated }) {
            lines += ["", "~ simulated: nobody walked it, so no sum includes it."]
        }
        return lines.map { $0 + "\n" }.joined() + (found.hidden > 0 ? "\n" + rest : "")
    }

    /// Why nothing is listed, as far as it can be said.
    ///
    /// - Parameters:
    ///   - filter: What was looked for.
    ///   - walks: All walks.
    /// - Returns: Lines, each with its end.
    package static func nothing(like filter: WalkFilter, in walks: [SessionReport]) -> String {
        let (dates, tags) = (walks.map(\.date), distinct(walks.flatMap(\.keeping.tags)))
        guard let first = dates.min(), let last = dates.max() else {
            return "There is no walk yet; `pulselog record` starts one.\n"
        }
        let known = tags.map { $0.lowercased() }
        var sentence = "No walk matches; `pulselog sessions` lists all."
        if let tag = filter.tags.first(where: { !known.contains($0.lowercased()) }) {
            let shown = tags.prefix(tagsShown).map { printable($0) }
            let more = tags.count - shown.count
            let all = enumerated(shown + (more > 0 ? ["\(more) more"] : []))
            sentence =
                "No walk has the tag \(printable(tag)); "
                + (tags.isEmpty ? "no walk has a tag yet." : "the tags are \(all).")
        } else if let from = filter.from, from > last {
            sentence = "No walk matches: the last one began on \(last)."
        } else if let until = filter.until, until < first {
            sentence = "No walk matches: the first one began on \(first)."
        }
        return wrapped(sentence, to: 80).map { $0 + "\n" }.joined()
    }

    /// How many of the tags that there are a sentence names.
    private static let tagsShown = 20

    /// Words in order, each once.
    static func distinct(_ words: [String]) -> [String] {
        words.sorted().reduce(into: []) { if $0.last != $1, !$1.isEmpty { $0.append($1) } }
    }

    private var rest: String {
        let (hidden, all) = (UInt64(found.hidden), UInt64(found.matching))
        let shows = "; --hidden shows \(hidden == 1 ? "it" : "them").\n"
        guard hidden < all else {
            return
                (all == 1
                ? "The only walk that matches is" : "All \(grouped(all)) walks that match are")
                + " hidden" + shows
        }
        let match = "\(counted(all - hidden, "walk")) \(all - hidden == 1 ? "matches" : "match")"
        return "\(match). \(Self.notListed(hidden))\(shows)"
    }

    /// How many hidden walks a list has not.
    static func notListed(_ hidden: UInt64) -> String {
        "\(grouped(hidden)) hidden \(hidden == 1 ? "walk is" : "walks are") not listed"
    }

    // MARK: - Rows

    private func line(of walk: SessionReport) -> String {
        let start = walk.start
        let row = line(
            Self.position(of: walk), hasYears ? start.date.withYear : start.date.aligned,
            start.clock,
            name(of: walk),
            distance(walk.knownDistanceMillimetres),
            TimeText.duration(walk.activeMilliseconds), Self.number(walk.knownSteps),
            Self.mean(walk.heartRate.timeWeightedMean))
        return Self.note(of: walk).map { row + " " + $0 } ?? row
    }

    private func line(
        _ position: String, _ date: String, _ start: String, _ name: String, _ distance: String,
        _ active: String, _ steps: String, _ mean: String
    ) -> String {
        // The sums' number of walks stands where the position and the date are.
        let head =
            date.isEmpty
            ? padded(position, to: positionColumns + dateColumns + 8)
            : alignedRight(position, positionColumns) + "  " + padded(date, to: dateColumns)
                + padded(start, to: 6)
        return head + " " + padded(name, to: nameColumns) + " "
            + [
                alignedRight(distance, distanceColumns), alignedRight(active, activeColumns),
                alignedRight(steps, stepsColumns), alignedRight(mean, 4),
            ].joined(separator: " ")
    }

    private func name(of walk: SessionReport) -> String {
        guard case .imported = walk.provenance else {
            return shortened(walk.keeping.name, to: nameColumns)
        }
        let mark = "(\(walk.provenance.name))"
        let room = nameColumns - mark.utf8.count - 1
        guard !walk.keeping.name.isEmpty, room > 0 else { return shortened(mark, to: nameColumns) }
        return shortened(walk.keeping.name, to: room) + " " + mark
    }

    /// What is simulated has a mark of its own: no sum has it.
    private static func position(of walk: SessionReport) -> String {
        (walk.provenance == .simulated ? "~" : "") + grouped(walk.position)
    }

    private static func note(of walk: SessionReport) -> String? {
        if walk.keeping.isHidden { return "hidden" }
        if walk.state == .ended { return nil }
        return walk.leftAtMilliseconds == nil ? walk.state.name : "left"
    }

    private func distance(_ millimetres: UInt64?) -> String {
        millimetres.map(units.distanceNumber) ?? "–"
    }

    private static func number(_ number: UInt64?) -> String { number.map(grouped) ?? "–" }

    private static func mean(_ mean: Hundredths?) -> String {
        mean.map { "\(whole(hundredths: $0.value))" } ?? "–"
    }
}
