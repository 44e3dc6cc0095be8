internal import Projections

/// A field of a message: one of FIT's own by its number, or a developer field of this program, for
/// what FIT's own cannot say to the last digit.
///
/// With ours a walk comes back as it left. Their numbers are never used again.
struct FITField: Hashable, ExpressibleByIntegerLiteral {
    /// The number of one of FIT's own; of ours, 256 more.
    private let key: Int

    /// A field of FIT's own, which has 0 to 255.
    init(integerLiteral number: UInt8) { key = Int(number) }

    /// A developer field of this program; nil if it has none of this number.
    init?(own number: UInt8) {
        guard Self.own.indices.contains(Int(number)) else { return nil }
        key = 256 + Int(number)
    }

    private init(ours number: Int) { key = 256 + number }

    /// When the walk began, in UTC milliseconds since 1970; on its first timer event.
    static let start = Self(ours: 0)
    /// Milliseconds since the walk began, with its pauses; on records and events.
    static let elapsed = Self(ours: 1)
    /// The steps up to then; on records, laps and the session.
    static let steps = Self(ours: 2)
    /// What the day displayed at the end; on the session.
    static let daySteps = Self(ours: 3)
    /// The distance up to then in millimetres, where steps or several sources give it; on records.
    static let distance = Self(ours: 4)
    /// The height in millimetres; on records.
    static let altitude = Self(ours: 5)
    /// A heart rate above 254 BPM; on records.
    static let heartRate = Self(ours: 6)
    /// The intervals between beats in 1/1024 s, as the strap sent them; on hrv messages.
    static let intervals = Self(ours: 7)
    /// The text of a mark; on events.
    static let mark = Self(ours: 8)
    /// The greatest error of a fix in millimetres; on records.
    static let accuracy = Self(ours: 9)
    /// What ended the lap, of a lap that was one when it was walked; on laps.
    static let cause = Self(ours: 14)
    /// The whole length by a measure in millimetres, whatever of it counts; on the session.
    static func length(by measure: WayLength.Measure) -> Self {
        Self(ours: 10 + Int(measure.rawValue))
    }

    /// How ours are stored, what other programs show, and the unit, nil of text; by their numbers.
    static let own: [(type: FITBaseType, name: String, units: String?)] =
        [
            (.sint64, "started_at", "ms"), (.uint32, "elapsed", "ms"), (.uint32, "steps", "steps"),
            (.uint32, "steps_of_day", "steps"), (.uint32, "exact_distance", "mm"),
            (.sint32, "exact_altitude", "mm"), (.uint16, "exact_heart_rate", "bpm"),
            (.uint32, "rr_intervals", "1/1024 s"), (.string, "mark", nil),
            (.uint32, "exact_accuracy", "mm"),
        ]
        + WayLength.Measure.names.map { (.uint32, "length_by_\($0)", "mm") }
        + [(.uint8, "lap_cause", nil)]
    /// Which program's fields these are.
    static let applicationID = Array("Pulselog records".utf8)

    /// Its number among FIT's own, or among ours.
    var number: UInt8 { UInt8(truncatingIfNeeded: key) }

    /// How it is stored if it is ours; nil for one of FIT's own.
    var ownType: FITBaseType? { key < 256 ? nil : Self.own[key - 256].type }
}
