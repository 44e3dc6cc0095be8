/// The developer fields of this program: what FIT's own fields cannot say to the last digit.
///
/// With them a walk comes back as it left. Their numbers are never used again.
enum FITOwnField: UInt8, CaseIterable {
    /// When the walk began, in UTC milliseconds since 1970; on its first timer event.
    case start = 0
    /// Milliseconds since the walk began, with its pauses; on records and events.
    case elapsed = 1
    /// The steps up to then; on records, laps and the session.
    case steps = 2
    /// What the day displayed at the end; on the session.
    case daySteps = 3
    /// The distance up to then in millimetres, where steps or several sources give it; on records.
    case distance = 4
    /// The height in millimetres; on records.
    case altitude = 5
    /// A heart rate above 254 BPM; on records.
    case heartRate = 6
    /// The intervals between beats in 1/1024 s, as the strap sent them; on hrv messages.
    case intervals = 7
    /// The text of a mark; on events.
    case mark = 8
    /// The greatest error of a fix in millimetres; on records.
    case accuracy = 9

    /// Which program's fields these are.
    static let applicationID = Array("Pulselog records".utf8)

    /// How it is stored.
    var type: FITBaseType {
        switch self {
        case .start: .sint64
        case .altitude: .sint32
        case .heartRate: .uint16
        case .mark: .string
        case .elapsed, .steps, .daySteps, .distance, .intervals, .accuracy: .uint32
        }
    }

    /// What other programs show.
    var name: String {
        switch self {
        case .start: "started_at"
        case .elapsed: "elapsed"
        case .steps: "steps"
        case .daySteps: "steps_of_day"
        case .distance: "exact_distance"
        case .altitude: "exact_altitude"
        case .heartRate: "exact_heart_rate"
        case .intervals: "rr_intervals"
        case .mark: "mark"
        case .accuracy: "exact_accuracy"
        }
    }

    /// Its unit; nil for text.
    var units: String? {
        switch self {
        case .start, .elapsed: "ms"
        case .steps, .daySteps: "steps"
        case .distance, .altitude, .accuracy: "mm"
        case .heartRate: "bpm"
        case .intervals: "1/1024 s"
        case .mark: nil
        }
    }
}
