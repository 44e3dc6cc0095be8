internal import EventStore
internal import Events
internal import Interchange
internal import Words

/// Events of a log as they leave: all of them or an excerpt, with positions that follow each other,
/// and without what shows whose they are if that is wanted.
struct LeavingEvents {
    private let excerpt: SessionExcerpt?
    private var anonymity: Anonymity?
    /// The position that the next event gets.
    private(set) var next: Position = 0
    /// Where the sessions are that have left, by their positions in the log.
    private(set) var sessions: [Position: Position] = [:]

    /// Prepares a reading.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - excerpt: The part of it; nil for all of it.
    ///   - track: What becomes of positions if nothing is to tell whose the events are; nil if that
    ///     may be told.
    /// - Throws: `EventLogError`.
    init(
        of log: any EventLog, _ excerpt: SessionExcerpt?, _ track: Anonymity.Track?
    ) throws(EventLogError) {
        self.excerpt = excerpt
        anonymity = try track.map { track throws(EventLogError) in
            try log.anonymity(track, of: excerpt)
        }
    }

    /// What was left out so that nothing shows whose the events are.
    var omissions: Anonymity.Omissions { anonymity?.omissions ?? Anonymity.Omissions() }

    /// Hands the events on, in constant memory.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - start: The first position of interest, which it keeps.
    ///   - body: Takes an event, and returns whether to go on.
    /// - Throws: `EventLogError`, what `body` throws, and ``CommandFailure`` for an event that
    ///   cannot be written.
    mutating func read(
        _ log: any EventLog, from start: Position = 0, _ body: (borrowing EventView) throws -> Bool
    ) throws {
        next = start
        var failure: (any Error)?
        try log.read(from: start, until: excerpt?.end ?? .max) { event in
            guard excerpt?.holds(event) ?? true else { return true }
            do {
                return try hand(event, body)
            } catch let error as FieldError {
                failure = CommandFailure(
                    .badData, "Event \(event.header.position) cannot be written: \(error)")
            } catch {
                failure = error
            }
            return false
        }
        if let failure { throw failure }
    }

    private mutating func hand(
        _ event: borrowing EventView, _ body: (borrowing EventView) throws -> Bool
    ) throws -> Bool {
        let position = event.header.position
        if event.header.kind == .sessionStarted { sessions[position] = next }
        if anonymity == nil, position == next || !event.header.kind.namesSession {
            var header = event.header
            header.position = next
            next += 1
            return try event.withPayload { payload in
                try EventView.lend(header, payload: payload) { try body($0) }
            }
        }
        let cleaned = anonymity == nil ? event.recorded : anonymity?.cleaned(event)
        guard var leaving = cleaned else { return true }
        // As long as nothing was left out, all positions are what they were.
        if let named = leaving.event.namedSession {
            guard let session = sessions[named] else { return true }
            leaving.event.namedSession = session
        }
        leaving.header.position = next
        next += 1
        let payload = try leaving.event.encodedPayload()
        return try EventView.lend(leaving.header, payload: payload.span) { try body($0) }
    }
}

extension EventLog {
    /// What takes from the events of a log, or of a part of it, what shows whose they are.
    func anonymity(
        _ track: Anonymity.Track, of excerpt: SessionExcerpt?
    ) throws(EventLogError) -> Anonymity {
        var earliest: EventHeader?
        try read(until: excerpt?.end ?? .max) { event in
            let header = event.header
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
