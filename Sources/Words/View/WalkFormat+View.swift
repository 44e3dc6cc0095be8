internal import Interchange

extension WalkFormat {
    /// What a page calls it.
    var name: String {
        switch self {
        case .rr: "RR intervals"
        case .gaps: "RR gaps"
        case .fit, .gpx, .tcx, .csv, .json: rawValue.uppercased()
        }
    }

    /// What a file of the format is good for.
    var words: String {
        switch self {
        case .fit:
            "What a watch would write: heart rate, beats, positions, laps, pauses and exact steps."
        case .gpx: "The track with the heart rate at each point. A pause starts a new piece."
        case .tcx: "Laps with distance, heart rate and energy, for older programs."
        case .csv: "One row a second, for a spreadsheet. What was not measured is left empty."
        case .rr: "The time between heartbeats in milliseconds, for variability programs."
        case .gaps: "Where pauses and lost links are among those times, to cut them there."
        case .json: "Every figure of this page, and the positions of the events that made it."
        }
    }
}
