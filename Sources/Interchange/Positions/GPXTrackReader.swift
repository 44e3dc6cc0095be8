package import Events
internal import JSON
internal import Text
internal import XML

/// Reads the points of tracks out of a GPX file (GPX 1.0 and 1.1, Topografix), in pieces.
///
/// Of a file that is still being written, or is damaged, the points that are whole are there; where
/// a logger that was restarted began another document after the end of the first, both are. A point
/// counts if it is somewhere on Earth, is not marked `<fix>none</fix>`, and tells its
/// time: a track without times was drawn, not walked. Routes and waypoints are passed over.
///
/// ```swift
/// var reader = GPXTrackReader()
/// for chunk in chunks { fixes += reader.push(chunk) }
/// if let damage = reader.damage { print(damage) }
/// ```
package struct GPXTrackReader: ~Copyable {
    /// A point with what stands at it beside its place.
    struct TrackPoint {
        let fix: PositionFixed
        let heartRateBPM: UInt16?
        /// Turns of one foot a minute.
        let cadence: UInt64?
        /// How many tracks, and parts of tracks, had begun.
        let track: Int
        let segment: Int
        /// What the file says of its track.
        let note: WalkNote
        /// Minutes east of UTC by the zone that its time is written in; 0 for UTC.
        let offsetMinutes: Int64
    }

    /// Why a point does not count.
    package enum Reason: Hashable, Sendable, CaseIterable {
        /// It has no time.
        case withoutTime
        /// What it tells as its time is none.
        case unreadableTime
        /// It is at no place on Earth.
        case nowhere
        /// The receiver had no fix.
        case withoutFix
    }

    /// Whether the document has come to its end: more bytes are no part of it.
    package var isAtEnd: Bool { document.isAtEnd }
    /// How many points do not count, by reason.
    package var leftOut: [Reason: UInt64] { document.leftOut }
    /// Why nothing can be read any further; nil as long as the file is in order.
    package private(set) var damage: String?

    /// The program that made the document.
    var creator: String? { document.creator }

    private var documentNumber = 1
    private static let limits = XMLStream.Limits(textBytes: 256)
    private var stream = XMLStream(limits: limits)
    private var mending = XMLMending()
    private var document = GPXDocument()
    /// The pieces since the one in which the document ended, and where they begin in the stream:
    /// what comes after the end may be another document.
    private var tail: [UInt8] = []
    private var tailOffset = 0
    private var pushedCount = 0
    /// After so much of nothing no other document is expected.
    private static let tailLimit = 1 << 20

    /// Begins a file.
    package init() {}

    /// Reads the next piece of the file.
    ///
    /// - Parameter bytes: The piece, less than 2 GiB; pieces may be cut anywhere.
    /// - Returns: The points that came to their end in it, before the ``damage`` if there is one.
    package mutating func push(_ bytes: [UInt8]) -> [PositionFixed] {
        points(bytes).map(\.fix)
    }

    /// Reads the next piece of the file, as ``push(_:)`` does.
    mutating func points(_ bytes: [UInt8]) -> [TrackPoint] {
        var next: [UInt8]? = mending.take(bytes.span)
        if documentNumber == 1 { stream.linesBefore = mending.linesBefore }
        while damage == nil, let piece = next { next = read(piece) }
        defer { document.points = [] }
        return document.points
    }

    /// Reads a piece of a document.
    ///
    /// - Returns: What comes after the document's end, if something does.
    private mutating func read(_ bytes: [UInt8]) -> [UInt8]? {
        // A copy, for a closure cannot borrow what is being changed.
        var document = document
        self.document = GPXDocument()
        var failure: XMLError?
        do throws(XMLError) {
            _ = try stream.push(bytes.span) { element in
                document.begin(element)
            } ending: { element in
                document.end(element)
                return true
            }
        } catch {
            failure = error
        }
        self.document = document
        pushedCount += bytes.count
        if isAtEnd { keep(bytes) }
        if let failure { return nextDocument(after: failure) }
        if let foreign = document.foreign {
            damage =
                documentNumber == 1
                ? "This XML is not a GPX file: its outermost tag is \(foreign), not gpx."
                : "What follows the end of its track is not GPX: its outermost tag is \(foreign)."
        }
        return nil
    }

    /// Keeps a piece in which the document ended, or one after it.
    private mutating func keep(_ bytes: [UInt8]) {
        if tail.isEmpty || tail.count > Self.tailLimit {
            (tail, tailOffset) = ([], pushedCount - bytes.count)
        }
        tail += bytes
    }

    /// Goes on after the end of a document, where another one begins; anything else is a damage.
    ///
    /// - Returns: What is there.
    private mutating func nextDocument(after failure: XMLError) -> [UInt8]? {
        let isBetween = isAtEnd && failure.code == .malformed && failure.offset >= tailOffset
        let rest = isBetween ? Array(tail.dropFirst(failure.offset - tailOffset)) : []
        guard rest.first == UInt8(ascii: "<") else {
            let isJunk = isBetween || documentNumber > 1 && document.names.isEmpty
            damage =
                isJunk
                ? "What follows the end of its track in line \(failure.line) is not GPX."
                : failure.description
            return nil
        }
        stream = XMLStream(limits: Self.limits)
        stream.linesBefore = failure.line - 1
        (document.names, document.isAtEnd) = (GPXNames(), false)
        (tail, tailOffset, pushedCount) = ([], 0, 0)
        documentNumber += 1
        return rest
    }
}

extension GPXTrackReader.Reason: Error {}

/// What came of the elements so far.
private struct GPXDocument {
    var names = GPXNames()
    var isAtEnd = false
    /// The outermost element if it is not GPX's.
    private(set) var foreign: String?
    private(set) var creator: String?
    private(set) var leftOut: [GPXTrackReader.Reason: UInt64] = [:]
    /// The points that came to their end.
    var points: [GPXTrackReader.TrackPoint] = []
    private var point: GPXPoint?
    private var track = 0
    private var segment = 0
    private var note = WalkNote()

    /// Takes a start tag.
    ///
    /// - Returns: Whether to go on.
    mutating func begin(_ element: borrowing XMLElement) -> Bool {
        names.begin(element)
        switch (element.depth, names.innermost) {
        case (1, let name):
            creator = element.attribute("creator")
            if name != "gpx" { foreign = element.qualifiedName }
        case (2...3, "trk"): (track, note) = (track + 1, WalkNote())
        case (2...3, "trkseg"): segment += 1
        case (4, "trkpt"):
            point = GPXPoint(
                latitude: element.attribute("lat"), longitude: element.attribute("lon"))
        default: if point == nil { note.take(element) }
        }
        return foreign == nil
    }

    mutating func end(_ element: borrowing XMLElementEnd) {
        switch (element.depth, names.innermost) {
        case (1, _): isAtEnd = true
        case (3, "type"): note.sport = Sport(gpx: element.text ?? "", by: creator)
        case (4, _): finishPoint()
        case (5, let name?): point?.take(name, element.text?.withoutSpace)
        case (6..., _):
            if let name = names.local { point?.take(extension: name, element.text?.withoutSpace) }
        default: break
        }
        names.end()
    }

    private mutating func finishPoint() {
        guard let point else { return }
        self.point = nil
        switch point.fix {
        case .success(let (fix, instant)):
            points.append(
                GPXTrackReader.TrackPoint(
                    fix: fix, heartRateBPM: point.heartRate, cadence: point.cadence, track: track,
                    segment: segment, note: note, offsetMinutes: instant.offsetMinutes))
        case .failure(let reason): leftOut[reason, default: 0] += 1
        }
    }
}

/// A point whose elements are still coming.
private struct GPXPoint {
    let latitude: String?
    let longitude: String?
    var elevation: String?
    var time: String?
    var satellites: String?
    var isNone = false
    var heartRate: UInt16?
    var cadence: UInt64?
    var accuracy: UInt64?

    mutating func take(_ name: Substring, _ text: String?) {
        switch name {
        case "ele": elevation = text
        // What is too long to be kept is not a time, but it is there.
        case "time": time = text ?? "?"
        case "sat": satellites = text
        case "fix": isNone = text == "none"
        default: break
        }
    }

    /// Takes what programs add, whatever the namespace: `gpxtpx:hr`, `ns3:cad`.
    mutating func take(extension name: Substring, _ text: String?) {
        switch name {
        case "hr", "heartrate": heartRate = text.flatMap { $0.heartRateBPM }
        case "cad", "cadence": cadence = text.flatMap { $0.whole(upTo: 254) }
        // Of Apple Health, in metres.
        case "hAcc": accuracy = text.flatMap { $0.distanceMillimetres() }
        default: break
        }
    }

    /// The point as a fix with its time, or why it does not count.
    var fix: Result<(PositionFixed, InstantText), GPXTrackReader.Reason> {
        guard !isNone else { return .failure(.withoutFix) }
        guard let latitude = latitude.flatMap({ DecimalText($0.withoutSpace) }),
            let longitude = longitude.flatMap({ DecimalText($0.withoutSpace) }),
            var fix = PositionFixed(degreesNorth: latitude, degreesEast: longitude)
        else { return .failure(.nowhere) }
        guard let time, !time.isEmpty else { return .failure(.withoutTime) }
        // GPX says that times are UTC, and some loggers leave the `Z` away.
        guard let instant = InstantText(time, otherwise: 0) else {
            return .failure(.unreadableTime)
        }
        fix.fixedAtMilliseconds = instant.milliseconds
        fix.accuracyMillimetres = accuracy
        fix.altitudeMillimetres = elevation.flatMap { DecimalText($0)?.altitudeMillimetres }
        fix.satellites = satellites.flatMap { UInt64($0) }.flatMap { $0 <= 1_000 ? $0 : nil }
        return .success((fix, instant))
    }
}

extension String {
    /// The text without the space of XML at both ends.
    var withoutSpace: String {
        guard let first = utf8.first, let last = utf8.last, first.isJSONSpace || last.isJSONSpace
        else { return self }
        let bytes = Array(utf8)
        let start = bytes.prefix(while: \.isJSONSpace).count
        let end = bytes.reversed().prefix(while: \.isJSONSpace).count
        return String(decoding: bytes[start..<max(start, bytes.count - end)], as: UTF8.self)
    }
}
