package import EventStore
internal import Events
package import Interchange
internal import TamperEvidence
internal import Words

/// Writes events of a log as JSON Lines, their positions counted from 0.
package struct EventExport {
    /// What was written.
    package struct Result {
        /// How many events.
        package fileprivate(set) var events: UInt64 = 0
        /// How many were left out so that nothing shows whose they are.
        package fileprivate(set) var omissions = Anonymity.Omissions()
    }

    private let excerpt: SessionExcerpt?
    private let anonymity: Anonymity.Track?

    /// How many bytes of lines are written at once.
    private static let portionBytes = 64 * 1_024

    /// Says what is to be written.
    ///
    /// - Parameters:
    ///   - excerpt: The part of the log; nil for all of it.
    ///   - anonymity: What becomes of positions if nothing is to tell whose the events are; nil if
    ///     that may be told.
    package init(excerpt: SessionExcerpt?, anonymity: Anonymity.Track?) {
        self.excerpt = excerpt
        self.anonymity = anonymity
    }

    /// Writes the events, in constant memory.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - write: Takes whole lines.
    /// - Returns: What was written.
    /// - Throws: ``CommandFailure``: the log's, or that of `write`.
    package func run(
        _ log: any EventLog, _ write: ([UInt8]) throws -> Void
    ) throws -> Result {
        var (result, lines) = (Result(), JSONLinesWriter())
        var failure: (any Error)?
        var sessions: [Position: Position] = [:]
        var cleaner = try anonymity.map { try log.anonymity($0, of: excerpt) }
        var digest = FileDigest()
        func writeOn(_ bytes: [UInt8]) throws {
            digest.take(bytes.span)
            try write(bytes)
        }
        try writeOn(ExportFrame.beginning.line)
        try log.read { event in
            guard event.header.position < excerpt?.end ?? .max else { return false }
            guard excerpt?.holds(event) ?? true else { return true }
            do {
                if event.header.kind == .sessionStarted {
                    sessions[event.header.position] = result.events
                }
                if try Self.append(event, at: result.events, &cleaner, sessions, to: &lines) {
                    result.events += 1
                }
                guard lines.bytes.count >= Self.portionBytes else { return true }
                try writeOn(lines.bytes)
                lines.removeAll()
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        try writeOn(lines.bytes)
        try write(ExportFrame.end(events: result.events, digest).line)
        if let cleaner { result.omissions = cleaner.omissions }
        return result
    }

    /// Appends an event's line.
    ///
    /// - Returns: Whether there is one.
    private static func append(
        _ event: borrowing EventView, at position: Position, _ cleaner: inout Anonymity?,
        _ sessions: [Position: Position], to lines: inout JSONLinesWriter
    ) throws(CommandFailure) -> Bool {
        do throws(FieldError) {
            if cleaner == nil, event.header.kind != .deviceExcluded {
                var header = event.header
                header.position = position
                try event.withPayload { (payload) throws(FieldError) in
                    try EventView.lend(header, payload: payload) { (event) throws(FieldError) in
                        try lines.append(event)
                    }
                }
                return true
            }
            let cleaned = cleaner == nil ? event.recorded : cleaner?.cleaned(event)
            guard var line = cleaned else { return false }
            line.header.position = position
            // The one payload that names a position by which another event is found. As long as
            // nothing was left out, all positions are what they were.
            if case .deviceExcluded(var excluded) = line.event,
                event.header.position != position || cleaner != nil
            {
                guard let session = sessions[excluded.session] else { return false }
                excluded.session = session
                line.event = .deviceExcluded(excluded)
            }
            try line.withView { (event) throws(FieldError) in try lines.append(event) }
            return true
        } catch {
            throw CommandFailure(
                .badData, "Event \(event.header.position) cannot be written: \(error)")
        }
    }
}

extension EventLog {
    /// What takes from the events of a log, or of a part of it, what shows whose they are.
    func anonymity(
        _ track: Anonymity.Track, of excerpt: SessionExcerpt?
    ) throws(EventLogError) -> Anonymity {
        var earliest: EventHeader?
        try read { event in
            let header = event.header
            guard header.position < excerpt?.end ?? .max else { return false }
            let wall = header.stamp.wallMilliseconds
            if Anonymity.tellsDate(header), excerpt?.holds(event) ?? true,
                earliest.map({ wall < $0.stamp.wallMilliseconds }) ?? true
            {
                earliest = header
            }
            return true
        }
        let offset = try zoneOffsetMinutes(at: earliest?.position ?? 0)
        let wall = earliest?.stamp.wallMilliseconds ?? 0
        return Anonymity(
            firstDay: CivilDate(wallMilliseconds: wall, zoneOffsetMinutes: offset), track: track)
    }
}

extension ExportFrame {
    /// The end of an export.
    ///
    /// - Parameters:
    ///   - events: How many events it has.
    ///   - digest: What was written so far.
    /// - Returns: The end.
    static func end(events: UInt64, _ digest: FileDigest) -> ExportFrame {
        .end(events: events, sha256: digest.digits)
    }
}
