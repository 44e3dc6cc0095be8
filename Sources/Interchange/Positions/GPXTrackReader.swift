public import Events
internal import XML

/// Reads the points of tracks out of a GPX file (GPX 1.0 and 1.1, Topografix), in pieces.
///
/// Of a file that is still being written the points that are whole are there. A point counts if it
/// is somewhere on Earth, is not marked `<fix>none</fix>`, and tells its time: a track without
/// times was drawn, not walked. Routes and waypoints are passed over.
///
/// ```swift
/// var reader = GPXTrackReader()
/// for chunk in chunks { fixes += try reader.push(chunk) }
/// ```
public struct GPXTrackReader: ~Copyable {
    /// Whether the document has come to its end: more bytes are no part of it.
    public private(set) var isAtEnd = false
    /// Points that do not count.
    public private(set) var unreadableCount: UInt64 = 0

    private var stream = XMLStream(limits: XMLStream.Limits(textBytes: 256))
    private var point: GPXPoint?

    /// Begins a file.
    public init() {}

    /// Reads the next piece of the file.
    ///
    /// - Parameter bytes: The piece, less than 2 GiB; pieces may be cut anywhere.
    /// - Returns: The points that came to their end in it.
    /// - Throws: ``GPXError``; nothing can be read after it.
    public mutating func push(_ bytes: [UInt8]) throws(GPXError) -> [PositionFixed] {
        var fixes: [PositionFixed] = []
        var isForeign = false
        // Copies, for a closure cannot borrow what is being changed.
        var (point, isAtEnd, unreadableCount) = (self.point, self.isAtEnd, self.unreadableCount)
        defer {
            (self.point, self.isAtEnd, self.unreadableCount) = (point, isAtEnd, unreadableCount)
        }
        do throws(XMLError) {
            _ = try stream.push(bytes.span) { element in
                isForeign = element.depth == 1 && !element.isNamed("gpx")
                if element.depth == 4, element.isNamed("trkpt") {
                    point = GPXPoint(
                        latitude: element.attribute("lat"), longitude: element.attribute("lon"))
                }
                return !isForeign
            } ending: { element in
                if element.depth == 5 {
                    point?.take(element)
                } else if element.depth == 4, let whole = point {
                    point = nil
                    if let fix = whole.fix { fixes.append(fix) } else { unreadableCount += 1 }
                } else if element.depth == 1 {
                    isAtEnd = true
                }
                return true
            }
        } catch {
            throw GPXError(.malformed, error.description)
        }
        if isForeign {
            throw GPXError(.foreign, "This XML is not a GPX file: its outermost tag is not gpx.")
        }
        return fixes
    }
}

/// Why a GPX file could not be read further.
public struct GPXError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the file.
    public enum Code: Hashable, Sendable {
        /// It is not well-formed.
        case malformed
        /// It is XML of another kind.
        case foreign
    }

    /// For programs.
    public let code: Code
    /// What is wrong and where, in one sentence.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

/// A point whose elements are still coming.
private struct GPXPoint {
    private let latitude: String?
    private let longitude: String?
    private var elevation: String?
    private var time: String?
    private var satellites: String?
    private var isNone = false

    init(latitude: String?, longitude: String?) {
        self.latitude = latitude
        self.longitude = longitude
    }

    mutating func take(_ element: borrowing XMLElementEnd) {
        let text = element.text?.withoutSpace
        if element.isNamed("ele") {
            elevation = text
        } else if element.isNamed("time") {
            time = text
        } else if element.isNamed("sat") {
            satellites = text
        } else if element.isNamed("fix") {
            isNone = text == "none"
        }
    }

    /// The point as a fix; nil if it does not count.
    var fix: PositionFixed? {
        guard !isNone, let time = time.flatMap({ InstantText($0.withZone) })?.milliseconds,
            let latitude = latitude.flatMap({ DecimalText($0.withoutSpace) }),
            let longitude = longitude.flatMap({ DecimalText($0.withoutSpace) })
        else { return nil }
        var fix = PositionFixed(degreesNorth: latitude, degreesEast: longitude)
        fix?.fixedAtMilliseconds = time
        fix?.altitudeMillimetres = elevation.flatMap { DecimalText($0)?.altitudeMillimetres }
        fix?.satellites = satellites.flatMap { UInt64($0) }.flatMap { $0 <= 1_000 ? $0 : nil }
        return fix
    }
}

extension String {
    /// The text without the space of XML at both ends.
    fileprivate var withoutSpace: String {
        let bytes = Array(utf8)
        let start = bytes.prefix(while: \.isJSONSpace).count
        let end = bytes.reversed().prefix(while: \.isJSONSpace).count
        return String(decoding: bytes[start..<max(start, bytes.count - end)], as: UTF8.self)
    }

    /// The time with a zone: GPX says that times are UTC, and some loggers leave the `Z` away.
    fileprivate var withZone: String {
        let hasZone = dropFirst(10).contains { "Zz+-".contains($0) }
        return hasZone ? self : self + "Z"
    }
}
