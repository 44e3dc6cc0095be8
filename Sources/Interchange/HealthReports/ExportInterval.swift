internal import Events

/// What Health Auto Export summarizes by.
enum ExportInterval {
    /// Each entry is a part of its date, of a known length.
    case hours, minutes, seconds
    /// Each entry is a part of its date; nothing says when it ends.
    case instants
    /// Each entry is the total of its date.
    case day
    /// Weeks, months or years, or what is not known here: no entry names a date.
    case unusable

    /// The origin of what the program sends.
    static let program = Reporter.Kind.healthAutoExport.rawValue

    /// The interval that a header field names.
    init(_ name: String) {
        switch name.lowercased() {
        case "hours": self = .hours
        case "minutes": self = .minutes
        case "seconds": self = .seconds
        case "none", "default": self = .instants
        case "days": self = .day
        default: self = .unusable
        }
    }

    /// How long an entry is, if it is a part of a date.
    var lengthMilliseconds: Int64? {
        switch self {
        case .hours: 3_600_000
        case .minutes: 60_000
        case .seconds: 1_000
        case .instants: 0
        case .day, .unusable: nil
        }
    }

    /// The origin of samples by this interval: an hour and the first of its minutes begin at once,
    /// and are two countings all the same.
    var origin: String {
        switch self {
        case .hours, .minutes, .seconds: "\(Self.program), \(self)"
        case .instants, .day, .unusable: Self.program
        }
    }
}
