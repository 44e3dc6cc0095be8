internal import Projections
internal import Recording
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

    /// Minutes east of UTC at the events of the replay, as the log tells them.
    func offsetMinutes(in state: LogState) throws(EventLogError) -> (Position) -> Int64 {
        if let session {
            // Only what stands before it is looked at.
            let offset = try log.zoneOffsetMinutes(at: session)
            return { _ in offset }
        }
        return try ZoneHistory(log, until: state.head.map { $0 + 1 } ?? 0).minutes
    }

    /// Reads what the figures of the session are made of.
    ///
    /// - Parameter state: What was folded.
    /// - Returns: Its samples and its track; nil if the replay is about everything.
    /// - Throws: `EventLogError`.
    func series(in state: LogState) throws(EventLogError) -> SessionSeries? {
        guard let session, let report = state.sessionReport(session, at: state.lastMoment) else {
            return nil
        }
        return try log.series(of: report, until: state.head.map { $0 + 1 })
    }

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
                        .usage, "Write a session as session:POSITION, such as session:4.")
                }
                session = position
                end = try store.withLog { (log) throws(EventLogError) in
                    try log.end(ofSessionAt: position)
                }
                guard end != nil else {
                    throw CommandFailure(
                        .noInput,
                        "No session starts at position \(position); see `pulselog sessions`.")
                }
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
            let limit =
                switch until {
                case .position(let position): position
                case .timeOfDay(let time):
                    try log.firstPosition(after: .timeOfDay(time), from: start)
                case .instant(let instant):
                    try log.firstPosition(after: .instant(instant), from: start)
                }
            end = min(end ?? limit, limit)
        } catch {
            throw CommandFailure(error, store: name)
        }
        guard end ?? 0 > start || session == nil else {
            throw CommandFailure(.usage, "--until is before the session's start; give a later one.")
        }
    }
}
