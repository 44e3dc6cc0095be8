package import Events

/// In which form another program keeps the walker's steps.
package enum HealthStoreFormat: String, Sendable {
    /// Apple Health's `export.xml`.
    case appleHealth = "apple-health"
    /// Gadgetbridge's database.
    case gadgetbridge
    /// One total: `8123` for today, or `{"date":"2026-03-01","steps":8123}`.
    case total

    /// How many bytes of a file tell its format.
    static let headBytes = 512

    /// Recognizes a file by its first bytes; nil if it is not one of these.
    ///
    /// - Throws: ``FileError`` for a zip archive, with what to do.
    init?(head: [UInt8], of path: String) throws(FileError) {
        if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
            throw FileError(
                .badContent,
                "\(path) is a zip archive: unzip it, and name the export.xml or database in it.")
        }
        if head.starts(with: "SQLite format 3\0".utf8) {
            self = .gadgetbridge
            return
        }
        let isUTF16 = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
        let text =
            isUTF16
            ? ArraySlice(head.dropFirst(2).filter { $0 != 0 })
            : head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
        switch text.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
        case UInt8(ascii: "<")?: self = .appleHealth
        case _ where isUTF16: return nil
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
