internal import Events
internal import NIOHTTP1
internal import Projections
internal import Words

extension HTTPRoute {
    /// A year, and which of its walks are looked for.
    ///
    /// - Throws: ``HTTPRefusal`` with the status 400 for a year or a date that isn't one, and 422
    ///   with the code `unreadableFilter` for anything else that cannot be looked for.
    static func year(_ head: HTTPRequestHead) throws(HTTPRefusal) -> HTTPRoute {
        var year: Int64?
        if let text = try head.parameter("year") {
            guard let number = Int64(text), (1...9_999).contains(number) else {
                throw .malformed("`year` must be from 1 to 9999.")
            }
            year = number
        }
        var filter = WalkFilter()
        filter.text = try head.parameter("text").flatMap { $0.isEmpty ? nil : $0 }
        filter.place = try head.parameter("place").flatMap { $0.isEmpty ? nil : $0 }
        filter.tags = Keeping.tags(in: try head.parameter("tag") ?? "")
        filter.hasHidden = try head.parameter("hidden") == "1"
        filter.from = try date("from", head)
        filter.until = try date("until", head)
        filter.atLeastMillimetres = try distance("longer", head)
        filter.atMostMillimetres = try distance("shorter", head)
        if let name = try head.parameter("sport") {
            filter.sport = Sport.allCases.first { $0.name == name }
            guard filter.sport != nil else { throw .unreadable("`sport` is \(Sport.choice).") }
        }
        if let name = try head.parameter("source") {
            filter.source = WalkFilter.Source(rawValue: name)
            guard filter.source != nil else {
                throw .unreadable("`source` is walked, imported or simulated.")
            }
        }
        let inAllYears = try head.parameter("years") == "all"
        return walks { [year, filter] in $0.year(year, filter, inAllYears: inAllYears, $1) }
    }

    /// A trend; by default the steps of four weeks.
    ///
    /// - Throws: ``HTTPRefusal`` with the status 422 for what there is no trend of.
    static func trends(_ head: HTTPRequestHead) throws(HTTPRefusal) -> HTTPRoute {
        typealias Measure = Trends.Measure
        guard let measure = Measure(rawValue: try head.parameter("measure") ?? "steps"),
            let span = Trends.Span(rawValue: try head.parameter("span") ?? "4w")
        else {
            let measures = Measure.allCases.map(\.rawValue).joined(separator: ", ")
            let spans = Trends.Span.allCases.map(\.rawValue).joined(separator: ", ")
            throw HTTPRefusal(
                .unprocessableEntity, "unknownTrend",
                "`measure` is one of \(measures); `span` is one of \(spans).")
        }
        return walks { try $0.trends(measure, span, $1) }
    }

    private static func date(
        _ name: String, _ head: HTTPRequestHead
    ) throws(HTTPRefusal) -> CivilDate? {
        guard let text = try head.parameter(name) else { return nil }
        guard let date = CivilDate(text) else {
            throw .malformed("`\(name)` is a date such as 2026-03-01.")
        }
        return date
    }

    /// A distance as people type it: a number alone is one of the page's units.
    private static func distance(
        _ name: String, _ head: HTTPRequestHead
    ) throws(HTTPRefusal) -> UInt64? {
        guard let typed = try head.parameter(name) else { return nil }
        let units = try units(head)
        let isWhole = typed.last?.isLetter == true
        guard let distance = WrittenDistance(isWhole ? typed : typed + units.distanceName) else {
            throw .unreadable("Enter a distance in \(units.distanceNoun)s, such as 10 or 2.5.")
        }
        return distance.millimetres
    }
}

extension HTTPRefusal {
    fileprivate static func unreadable(_ sentence: String) -> HTTPRefusal {
        HTTPRefusal(.unprocessableEntity, "unreadableFilter", sentence)
    }
}
