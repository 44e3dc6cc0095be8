internal import Events
internal import JSON
internal import Projections
internal import Text

extension YearView {
    /// How many walks of a month are shown at first, and of one of all years.
    private static let (walksShown, walksOfYear) = (8, 5)
    /// Months before so many walks are listed once they are asked for.
    private static let walksListed = 700

    // MARK: - The list

    func writeFound(to json: inout JSONWriter) {
        var groups: [(dates: ClosedRange<CivilDate>, walks: [SessionReport])] = []
        for walk in found.walks {
            let (year, month, _) = walk.date.components
            let dates =
                isOfAllYears
                ? CivilDate.days(of: year...year) : CivilDate.month(month, of: self.year)
            // By the time of day of two zones, a walk may stand among those of another month.
            if let index = groups.lastIndex(where: { $0.dates.contains(walk.date) }) {
                groups[index].walks.append(walk)
            } else if let dates {
                groups.append((dates, [walk]))
            }
        }
        let shown = isOfAllYears ? Self.walksOfYear : Self.walksShown
        var listed = 0
        json.list("groups", groups) { json, group in
            let isListed = listed == 0 || listed + group.walks.count <= Self.walksListed
            listed += group.walks.count
            let (first, last) = (group.dates.lowerBound, group.dates.upperBound)
            let (year, sums) = ("\(first.components.year)", Self.sums(group.walks))
            let name = isOfAllYears ? year : first.monthName
            json.field("key", String(first.description.prefix(7)))
            json.field("title", name)
            json.field("note", told(sums))
            json.array(
                "sums",
                [
                    Figure(counted(sums.walks, "walk")),
                    Figure(
                        sums.distanceMillimetres.map(units.distance), dash: units.distanceName),
                    Figure(hours(sums.activeMilliseconds) + " h"),
                    Figure(
                        Self.steps(group.walks).map { counted($0, "step") }
                            ?? sums.ascentMillimetres.map { "\(units.climb($0)) climb" } ?? ""),
                ])
            json.field("first", shown)
            let more = grouped(UInt64(max(group.walks.count - shown, 0)))
            json.field("more", "Show \(more) more from \(name)")
            json.field(
                "rows", isListed ? group.walks.map { WalkRow(walk: $0, units: units) } : [])
            json.field("isLeft", !isListed)
            json.field("from", max(first, asked.from ?? first).description)
            json.field("until", min(last, asked.until ?? last).description)
        }
        json.field("earlier", "Earlier in \(year)")
        json.field("earlierNote", told(Self.sums(groups.dropFirst().flatMap(\.walks))))
        json.field(
            "hiddenNote",
            found.hidden > 0 ? WalkList.notListed(UInt64(found.hidden)) + "." : "")
        if asked.hasHidden { json.field("hiddenShown", hiddenShown) }
        json.object("search") { writeSearch(to: &$0) }
    }

    private static func sums(_ walks: [SessionReport]) -> WalkSums {
        WalkSums(walks.filter(\.isSummed))
    }

    /// The steps of walks of which each was counted: of others a sum would be of a part.
    private static func steps(_ walks: [SessionReport]) -> UInt64? {
        let summed = walks.filter(\.isSummed)
        return summed.allSatisfy { $0.knownSteps != nil } ? WalkSums(summed).steps : nil
    }

    private func told(_ sums: WalkSums) -> String {
        let distance = sums.distanceMillimetres.map { [units.distance($0)] } ?? []
        return ([counted(sums.walks, "walk")] + distance + [hours(sums.activeMilliseconds) + " h"])
            .joined(separator: ", ")
    }

    private var hiddenShown: String {
        let hidden = UInt64(found.walks.count(where: \.keeping.isHidden))
        let (are, they) = hidden == 1 ? ("is", "It is") : ("are", "They are")
        return hidden == 0
            ? "No walk \(when) is hidden."
            : "There \(are) \(grouped(hidden)) \(when). \(they) in no sum; the log keeps "
                + "\(hidden == 1 ? "it, and its" : "them, and their") steps stay in the day."
    }

    // MARK: - The search

    /// In which time walks are looked for.
    private var when: String {
        let first = walks.lazy.filter { !$0.keeping.isHidden }.map(\.date).min()
        guard isOfAllYears, let first else { return "in \(year)" }
        return "since \(first.monthName) \(first.components.year)"
    }

    /// What was found, in place of the year's sums.
    func writeFoundLead(to json: inout JSONWriter) {
        let (sums, all) = (found.sums, WalkSums(summed))
        let total = units.distanceNumber(all.distanceMillimetres ?? 0)
        json.field("loud", units.distanceNumber(sums.distanceMillimetres ?? 0))
        json.field("loudName", "\(units.distanceNoun)s in this search, of \(total) \(when)")
        json.array("figures") { json in
            json.figure("walks", "Walks", Figure(grouped(sums.walks)))
            json.figure("active", "Active", Figure(hours(sums.activeMilliseconds) + " h"))
            write("steps", "Steps", Self.steps(found.walks).map(grouped), to: &json)
            write("climb", "Climb", sums.ascentMillimetres.map(units.climb), to: &json)
            let longest = found.walks.filter(\.isSummed)
                .max { $0.knownDistanceMillimetres ?? 0 < $1.knownDistanceMillimetres ?? 0 }
            if let longest, let length = longest.knownDistanceMillimetres {
                let figure = Figure(units.distance(length))
                json.figure("distance", "Longest", figure, walk: longest.position)
            }
            write("heart", "Mean over time", sums.mean?.bpm, to: &json)
        }
    }

    private var share: String {
        let all = WalkSums(summed)
        let count = UInt64(found.walks.count)
        guard count > 0 else { return "No walk \(when) matches." }
        var plain = asked
        (plain.text, plain.hasHidden) = (nil, false)
        if let text = asked.text, plain == WalkFilter() {
            let sums = told(found.sums).split(separator: ", ").dropFirst()
            return "\(counted(count, "walk")) with “\(printable(text, limit: 256))” \(when): "
                + sums.joined(separator: " in ") + "."
        }
        let ofAll = walks.count {
            (isOfAllYears || dates.contains($0.date)) && (asked.hasHidden || !$0.keeping.isHidden)
        }
        var text =
            "\(grouped(count)) of \(counted(UInt64(ofAll), "walk")) \(when) "
            + (count == 1 ? "matches" : "match")
        if let whole = all.distanceMillimetres, let part = found.sums.distanceMillimetres {
            let (part, of) = (UInt128(part), UInt128(whole))
            let percent = UInt64(clamping: (part * 100 + of / 2) / of)
            let share = percent == 0 ? "less than 1" : "\(percent)"
            text += ", with \(share) % of \(isOfAllYears ? "all" : "the year's") distance"
        }
        return text + "."
    }

    private func writeSearch(to json: inout JSONWriter) {
        json.field("isSearch", isSearch)
        json.field("isOfAllYears", isOfAllYears)
        json.pairs("scopes", ("value", "name"), [("", "\(year)"), ("all", "All years")])
        json.field("unit", units.distanceName)
        json.field("unitWord", units.distanceNoun + "s")
        json.field("sentence", isSearch ? share : "")
        json.field("show", "Show \(counted(UInt64(found.walks.count), "walk"))")
        json.list("chips", chips) { json, chip in
            json.field("key", chip.key)
            json.field("value", chip.value)
            json.field("text", chip.text)
            json.field("label", "Remove the filter \(chip.text)")
        }
        let listed = walks.filter { !$0.keeping.isHidden }.map(\.keeping)
        json.field("places", WalkList.distinct(listed.map(\.place)))
        json.field("tags", WalkList.distinct(listed.flatMap(\.tags)))
        let (sports, sources) = (Sport.allCases.map(\.name), WalkFilter.Source.allCases)
        json.pairs("sports", ("value", "name"), sports.map { ($0, capitalized($0)) })
        json.pairs(
            "sources", ("value", "name"), sources.map { ($0.rawValue, capitalized($0.rawValue)) })
    }

    private var chips: [(key: String, value: String, text: String)] {
        func dated(_ date: CivilDate) -> String { "\(date.small) \(date.components.year)" }
        var chips: [(key: String, value: String, text: String)] = []
        func add(_ key: String, _ text: String?) {
            if let text { chips.append((key, "", printable(text, limit: 256))) }
        }
        add("from", asked.from.map { "from \(dated($0))" })
        add("until", asked.until.map { "until \(dated($0))" })
        add("longer", asked.atLeastMillimetres.map { "\(units.shortDistance($0)) or longer" })
        add("shorter", asked.atMostMillimetres.map { "\(units.shortDistance($0)) or shorter" })
        add("sport", asked.sport.map { capitalized($0.name) })
        add("source", asked.source.map { capitalized($0.rawValue) })
        add("place", asked.place)
        chips += asked.tags.map { ("tag", $0, printable($0, limit: 256)) }
        if asked.hasHidden { add("hidden", "Hidden walks shown") }
        return chips
    }
}
