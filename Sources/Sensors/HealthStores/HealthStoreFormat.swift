package import Events
internal import Interchange

/// In which form another program keeps the walker's steps.
package enum HealthStoreFormat: String, Sendable {
    /// Apple Health's `export.xml`.
    case appleHealth = "apple-health"
    /// Gadgetbridge's database.
    case gadgetbridge
    /// One total: `8123` for today, or `{"date":"2026-03-01","steps":8123}`.
    case total

    /// Recognizes a file by its first bytes; nil if it is not one of these.
    init?(recognizing start: [UInt8]) {
        switch start.characters(1).first {
        case _ where start.starts(with: "SQLite format 3\0".utf8): self = .gadgetbridge
        case _ where XMLRoot.name(start) != nil: self = .appleHealth
        case UInt8(ascii: "{")?, (UInt8(ascii: "0")...UInt8(ascii: "9"))?: self = .total
        default: return nil
        }
    }

    /// Who is named as the origin of a total.
    package var origin: Reporter {
        switch self {
        case .appleHealth: Reporter(.appleHealth)
        case .gadgetbridge: Reporter(.gadgetbridge)
        case .total: Reporter(.file)
        }
    }
}
