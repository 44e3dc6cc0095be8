package import BluetoothCaptures
internal import Deciding
package import EventStore
package import Events
package import Projections
package import Sensors
package import Stores
package import Words

/// What is replayed, and how far.
///
/// A session is folded with everything before it: profile, link and steps come from there.
package struct ReplaySource {
    /// The events.
    package let log: any EventLog
    /// The session that the replay is about; nil if it is about everything.
    package private(set) var session: Position?
    /// Whose clock tells the times: the recorder's, or that of the import the session is from.
    package private(set) var source: UInt32 = 0
    /// The position to stop before; nil for the end of the log.
    package private(set) var end: Position?
    /// What is wrong with the end of the file.
    private var damage: String?
    /// Why a Bluetooth capture shows no heart rate.
    private var missing: String?

    /// The first event of interest.
    private var start: Position { session ?? 0 }

    /// Minutes east of UTC at the events of the replay, as the log has them.
    package func offsetMinutes(in state: LogState) throws(EventLogError) -> (Position) -> Int64 {
        if let session {
            // Only what comes before it is looked at.
            let offset = try log.zoneOffsetMinutes(at: session, of: source)
            return { _ in offset }
        }
        // A Bluetooth capture has no zone, and would be read again to its end for that.
        if log is BluetoothCaptureLog { return { _ in 0 } }
        let zones = try ZoneHistory(log, until: state.next)
        return { zones.minutes(at: $0) }
    }

    /// Reads what the figures of the session are made of.
    ///
    /// - Parameter state: What was folded.
    /// - Returns: Its samples and its track; nil if the replay is about everything.
    /// - Throws: `EventLogError`.
    package func series(in state: LogState) throws(EventLogError) -> SessionSeries? {
        guard let session, let report = state.sessionReport(session, at: state.lastMoment) else {
            return nil
        }
        return try log.series(
            of: report, after: try log.folded(until: session, from: nil).state, until: state.next)
    }

    /// Opens a store, or reads a capture.
    ///
    /// - Parameters:
    ///   - name: `store`, `session:POSITION`, a file, or `-` for standard input.
    ///   - given: The format of a capture; nil to recognize it.
    ///   - hints: What a Bluetooth capture does not say, and is given by hand.
    ///   - until: Where to stop: before a position, or after a time.
    ///   - isQuiet: Whether no bar shows how far it is read: events are shown meanwhile.
    ///   - open: Opens the store.
    /// - Throws: ``CommandFailure`` if there is nothing of that name.
    package init(
        _ name: String, as given: CaptureFormat?, _ hints: CaptureHints, until: LogMoment?,
        quietly isQuiet: Bool = false, in open: () throws -> Store
    ) async throws {
        let needsBluetooth = CommandFailure(
            .usage,
            "--as, --handle, --begin and --zone are for Bluetooth captures; \(name) is not one.")
        let isLog = CommandFailure(
            .usage,
            "--device chooses a strap of a capture; \(name) is a log, where "
                + "`pulselog sessions exclude` leaves one out.")
        if name == "store" || name.hasPrefix("session:") {
            guard given == nil, hints.isEmpty else { throw needsBluetooth }
            guard hints.device == nil else { throw isLog }
            let store = try open()
            log = isQuiet ? store.log : WatchedLog(store.log, "Folding")
            if name != "store" { try choose(session: String(name.dropFirst(8)), of: store) }
        } else {
            let input = try ByteStream(name)
            if let format = try input.captureFormat(as: given) {
                let capture = try BluetoothCapture.surveyed(input, format, hints)
                log = BluetoothCaptureLog(capture, quietly: isQuiet)
                damage = capture.survey.damage?.description
                missing = capture.survey.missingHeartRate
            } else {
                guard hints.isEmpty else { throw needsBluetooth }
                var capture = try Capture(input)
                let straps = try capture.wrapIfNeeded(hints.device)
                guard straps != nil || hints.device == nil else { throw isLog }
                try straps?.report(hints.device, in: name)
                let memory = InMemoryEventLog()
                (log, damage) = (memory, capture.damage)
                do {
                    _ = try await memory.append(capture.events, expecting: 0)
                } catch {
                    throw CommandFailure(error, store: "memory")
                }
            }
        }
        guard let until else { return }
        let part = try failing(in: name) { [self] in try shown(from: nil, until: until) }
        if let found = part.damage { damage = damage ?? "\(found)" }
        let limit = part.span?.upperBound ?? start
        end = min(end ?? limit, limit)
        try require(
            end ?? 0 > start || session == nil || part.damage != nil, .usage,
            "--until is before the session's start; give a later one.")
    }

    private mutating func choose(session text: String, of store: Store) throws {
        guard let position = WholeNumber.position(text) else {
            throw CommandFailure(
                .usage, "Write a session as session:POSITION, such as session:4.")
        }
        session = position
        (end, source) = try store.withLog {
            (
                try $0.end(ofSessionAt: position),
                try $0.events(in: position..<position + 1).first?.header.source ?? 0
            )
        }
        try require(
            end != nil, .noInput,
            "No session starts at position \(position); see `pulselog sessions`.")
    }

    /// The events that are shown; what stands before and between them is folded all the same.
    ///
    /// - Parameters:
    ///   - from: Where to begin; nil for the beginning of the source.
    ///   - until: Where to end; nil for its end.
    /// - Returns: Their positions, none before that of the source.
    /// - Throws: `EventLogError`.
    package func shown(
        from: LogStart?, until: LogMoment?
    ) throws(EventLogError) -> WindowedPositions {
        var window = LogWindow(from: from, until: until)
        let first = max(window.positions.lowerBound, start)
        let last = min(window.positions.upperBound, end ?? .max)
        window.positions = first..<max(first, last)
        return try log.positions(in: window, of: source)
    }

    /// Throws what keeps the source from being whole, after what is there was shown.
    ///
    /// - Parameter name: What it was named.
    /// - Throws: ``CommandFailure``.
    package func refuseDamage(_ name: String) throws(CommandFailure) {
        if let missing { throw CommandFailure(.badData, "\(name): \(missing)") }
        if let damage { throw CommandFailure(.badData, "\(name): partial: \(damage)") }
    }
}
