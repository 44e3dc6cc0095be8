internal import Events
package import JSON
package import Projections

/// A walk beside all others: what was special about it, and the same route at other times.
package struct WalkComparison: JSONObject {
    /// Before there are so many walks each of them is a record.
    private static let leastWalks = 5

    private let special: String?
    private let route: SameRoute?

    /// Compares a walk.
    ///
    /// - Parameters:
    ///   - walk: The walk.
    ///   - reports: All walks.
    ///   - outlines: Their outlines.
    ///   - calendar: The walker's days.
    ///   - units: The walker's.
    package init(
        _ walk: SessionReport, among reports: [SessionReport], _ outlines: WalkOutlines,
        _ calendar: Calendar, units: Units
    ) {
        route = SameRoute(walk, among: reports, outlines)
        let ended = reports.count { $0.isSummed && $0.state == .ended }
        let record =
            ended < Self.leastWalks
            ? nil
            : RecordsText(
                Records(reports, outlines, calendar), year: walk.date.components.year,
                units: units
            ).special(of: walk.position)
        let sentences = [record, route?.special].compactMap(\.self)
        special = sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    /// The sentences for a terminal; none if there is nothing to say.
    package var lines: [String] { [special, route?.line].compactMap(\.self) }

    /// Writes the sentences, and the walks of the same route.
    package func writeFields(to json: inout JSONWriter) {
        json.field("special", special)
        json.field("route", route)
    }
}
