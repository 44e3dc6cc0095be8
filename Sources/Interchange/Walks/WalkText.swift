internal import Projections
internal import Text

/// Text that leaves in portions, so that a long walk takes no more room than a short one.
struct WalkText {
    /// How many bytes are written at once.
    static let portionBytes = 64 * 1_024

    private var bytes: [UInt8] = []

    /// Adds text as it is.
    mutating func add(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Hands over a portion, once there is one.
    mutating func pass(_ write: ([UInt8]) throws -> Void) rethrows {
        if bytes.count >= Self.portionBytes { try finish(write) }
    }

    /// Hands over what is left.
    mutating func finish(_ write: ([UInt8]) throws -> Void) rethrows {
        if !bytes.isEmpty { try write(bytes) }
        bytes.removeAll(keepingCapacity: true)
    }
}

// MARK: - XML

extension WalkText {
    /// Begins an element, on a line of its own.
    mutating func open(_ name: String, _ attributes: KeyValuePairs<String, String> = [:]) {
        add("\n<\(name)")
        for (name, value) in attributes { add(" \(name)=\"\(Self.escaped(value))\"") }
        add(">")
    }

    /// Ends an element.
    mutating func close(_ names: String...) {
        for name in names { add("</\(name)>") }
    }

    /// Writes elements within each other, of which the innermost holds a text; nothing without one.
    mutating func element(_ names: String..., text: String?) {
        guard let text else { return }
        for name in names { add("<\(name)>") }
        add(Self.escaped(text))
        for name in names.reversed() { close(name) }
    }

    /// Text without what would be markup; U+FFFD stands for what XML cannot hold (XML 1.0, 2.2).
    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: \.isSpecialInXML) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension UInt8 {
    /// Whether it may need an escape: what is ASCII and plain does not.
    fileprivate var isSpecialInXML: Bool {
        self < 0x20 || self >= 0x7F || self == UInt8(ascii: "&") || self == UInt8(ascii: "<")
            || self == UInt8(ascii: ">") || self == UInt8(ascii: "\"")
    }
}

// MARK: - CSV

extension WalkText {
    /// Adds a line of cells (RFC 4180).
    mutating func line(_ cells: [String]) {
        add(cells.joined(separator: ",") + "\r\n")
    }

    /// What somebody has typed as a cell: quoted where that is needed, and never a formula, which
    /// a spreadsheet would carry out.
    static func cell(_ text: String) -> String {
        let safe = beginsFormula(text.unicodeScalars[...]) ? "'\(text)" : text
        guard safe.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return safe }
        // By scalars: a combining mark after a quote makes another character of it.
        let parts = safe.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"" + parts.map { String($0) }.joined(separator: "\"\"") + "\""
    }

    /// What somebody has typed, of what ``cell(_:)`` has made of it and quotes no longer surround.
    static func typed(_ cell: String) -> String {
        let scalars = cell.unicodeScalars
        let rest = scalars.dropFirst()
        return scalars.first == "'" && beginsFormula(rest) ? String(rest) : cell
    }

    private static func beginsFormula(_ text: Substring.UnicodeScalarView) -> Bool {
        text.first.map { "=+-@\t\r\n".unicodeScalars.contains($0) } ?? false
    }
}

// MARK: - Numbers

extension SessionSeries.Point {
    /// Degrees, to a centimetre.
    var latitude: String { decimal(latitudeE7, places: 7) }
    var longitude: String { decimal(longitudeE7, places: 7) }
    /// Metres.
    var altitude: String? { altitudeMillimetres.map { decimal($0, places: 3) } }
}

extension SessionSeries.Row {
    /// Metres.
    var distance: String? { distanceMillimetres.map { decimal($0, places: 3) } }
    /// The cadence of one foot, within the limits of Garmin's schemas.
    var garminCadence: String? {
        stepsPerMinute.flatMap { $0 / 2 <= 254 ? "\($0 / 2)" : nil }
    }
}

/// A heart rate within the limits of Garmin's schemas; nil outside.
func garminRate(_ bpm: UInt16?) -> String? {
    bpm.flatMap { (1...255).contains($0) ? "\($0)" : nil }
}

extension WalkFile {
    /// A moment of the session, as RFC 3339 writes it.
    func instant(_ elapsed: UInt64) -> String { TimeText.utc(wallMilliseconds(elapsed)) }

    /// The same by the clock on the wall, with its offset from UTC.
    func localInstant(_ elapsed: UInt64) -> String {
        let ahead = series.offsetMinutes * 60_000
        let local = wallMilliseconds(elapsed).addingReportingOverflow(ahead).partialValue
        return TimeText.utc(local).dropLast() + TimeText.offset(series.offsetMinutes)
    }
}
