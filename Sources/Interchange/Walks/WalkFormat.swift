/// A format in which a walk leaves; in the order in which they are offered.
package enum WalkFormat: String, CaseIterable, Sendable {
    /// Flexible and Interoperable Data Transfer, Garmin: samples, beats, pauses, laps, track.
    case fit
    /// GPX 1.1, Topografix, with Garmin's TrackPointExtension 1.
    case gpx
    /// Training Center XML, Garmin.
    case tcx
    /// Comma-separated values, RFC 4180.
    case csv
    /// Intervals between beats, one a line.
    case rr
    /// Where those have gaps, as comma-separated values.
    case gaps
    /// The session with its samples, as `sessions show --json` prints it.
    case json

    /// How its files' names end, without the dot.
    package var fileExtension: String {
        switch self {
        case .rr: "txt"
        case .gaps: "gaps.csv"
        case .fit, .gpx, .tcx, .csv, .json: rawValue
        }
    }

    /// Its media type (RFC 6838).
    package var mediaType: String {
        switch self {
        case .fit: "application/vnd.ant.fit"
        case .tcx: "application/vnd.garmin.tcx+xml"
        case .gpx: "application/gpx+xml"
        case .csv, .gaps: "text/csv; charset=utf-8; header=present"
        case .rr: "text/plain; charset=utf-8"
        case .json: "application/json"
        }
    }
}
