internal import EventStore
internal import Events
internal import Sensors

/// What is replayed, and how far.
///
/// A session is folded with everything before it: profile, link and steps come from there.
struct ReplaySource {
    /// The events.
    let log: any EventLog
    /// The session that the replay is about; nil if it is about everything.
    private(set) var session: Position?
    /// The position to stop before; nil for the end of the log.
    private(set) var end: Position?
    /// What is wrong with the end of the file.
    private(set) var damage: String?

    /// The first event of interest.
    var start: Position { session ?? 0 }

    /// Opens a store, or reads a capture.
    ///
    /// - Parameters:
    ///   - name: `store`, `session:POSITION`, a file, or `-` for standard input.
    ///   - options: Which store.
    ///   - until: Where to stop: before a position, or after a time.
    /// - Throws: ``CommandFailure`` if there is nothing of that name.
    init(
        _ name: String, _ options: CommonOptions, until: AuditMoment?
    ) async throws(CommandFailure) {
        if name == "store" || name.hasPrefix("session:") {
            let store = try Store.open(options, for: .reading)
            log = store.log
            if name != "store" {
                guard let position = Position(name.dropFirst(8)) else {
                    throw CommandFailure(
                        .usage, "Write a session as session:POSITION, as session:4.")
                }
                session = position
                end = try store.sessionEnd(position)
            }
        } else {
            let capture = try reading { () throws(FileError) in
                var capture = try Capture(reading: name)
                try capture.wrapIfNeeded()
                return capture
            }
            damage = capture.damage
            log = InMemoryEventLog()
            do throws(EventLogError) {
                _ = try await log.append(capture.events, expecting: 0)
            } catch {
                throw CommandFailure(error, store: "memory")
            }
        }
        guard let until else { return }
        do throws(EventLogError) {
            let limit = try log.end(until, from: start)
            end = min(end ?? limit, limit)
        } catch {
            throw CommandFailure(error, store: name)
        }
        guard end ?? 0 > start || session == nil else {
            throw CommandFailure(.usage, "--until stands before the session's start.")
        }
    }
}

extension EventLog {
    /// The position to stop before.
    ///
    /// - Parameters:
    ///   - moment: A position, or a time: then the first event that is later, by the recorded
    ///     clocks and zones. A time of the day is one of the day on which `start` was recorded.
    ///   - start: Where to begin to look.
    /// - Returns: The position; that of the log's end if nothing is later.
    /// - Throws: `EventLogError`.
    fileprivate func end(
        _ moment: AuditMoment, from start: Position
    ) throws(EventLogError) -> Position {
        if case .position(let position) = moment { return position }
        var offset = try zoneOffsetMinutes(at: start) * 60_000
        var midnight: Int64?
        var end = try next
        try read(from: start) { event in
            let header = event.header
            guard header.source == 0 else { return true }
            if let minutes = ZoneOffset.minutes(event) { offset = minutes * 60_000 }
            let wall = header.stamp.wallMilliseconds
            let day =
                midnight
                ?? CivilDate(wallMilliseconds: wall + offset, zoneOffsetMinutes: 0)
                .daysSinceEpoch * 86_400_000
            midnight = day
            let isLater =
                switch moment {
                case .position: false
                case .timeOfDay(let time): wall + offset > day + time
                case .instant(let instant): wall > instant
                }
            if isLater { end = header.position }
            return !isLater
        }
        return end
    }
}

extension Store {
    /// The position after a session's end; nil while it is open.
    ///
    /// - Throws: ``CommandFailure`` if no session starts at `position`.
    fileprivate func sessionEnd(_ position: Position) throws(CommandFailure) -> Position? {
        var source: UInt32?
        var end: Position?
        do throws(EventLogError) {
            try log.read(from: position) { event in
                let header = event.header
                if header.position == position, header.kind == .sessionStarted {
                    source = header.source
                } else if header.kind == .sessionEnded, header.source == source {
                    end = header.position + 1
                }
                return source != nil && end == nil
            }
        } catch {
            throw CommandFailure(error, store: directory)
        }
        guard source != nil else {
            throw CommandFailure(
                .noInput, "No session starts at position \(position); see `pulselog sessions`.")
        }
        return end
    }
}
