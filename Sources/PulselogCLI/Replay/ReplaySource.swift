internal import BluetoothCaptures
internal import Deciding
internal import EventStore
internal import Events
internal import LookingBack
internal import Projections
internal import Recording
internal import Sensors
internal import Words

/// What is replayed, and how far.
///
/// A session is folded with everything before it: profile, link and steps come from there.
struct ReplaySource {
    /// The events.
    let log: any EventLog
    /// The session that the replay is about; nil if it is about everything.
    private(set) var session: Position?
    /// Whose clock tells the times: the recorder's, or that of the import the session is from.
    private(set) var source: UInt32 = 0
    /// The position to stop before; nil for the end of the log.
    private(set) var end: Position?
    /// What is wrong with the end of the file.
    private(set) var damage: String?
    /// Why a Bluetooth capture shows no heart rate.
    private(set) var missing: String?

    /// The first event of interest.
    var start: Position { session ?? 0 }

    /// Minutes east of UTC at the events of the replay, as the log tells them.
    func offsetMinutes(in state: LogState) throws(EventLogError) -> (Position) -> Int64 {
        if let session {
            // Only what stands before it is looked at.
            let offset = try log.zoneOffsetMinutes(at: session)
            return { _ in offset }
        }
        // A Bluetooth capture tells no zone, and would be read again to its end for that.
        if log is BluetoothCaptureLog { return { _ in 0 } }
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
    ///   - given: The format of a capture; nil to recognize it.
    ///   - handles: What a Bluetooth capture does not tell, and is given by hand.
    ///   - until: Where to stop: before a position, or after a time.
    ///   - isQuiet: Whether no bar tells how far a capture is read: events are shown meanwhile.
    /// - Throws: ``CommandFailure`` if there is nothing of that name.
    init(
        _ name: String, _ options: CommonOptions, as given: CaptureFormat? = nil,
        handles: HandleOptions, until: AuditMoment?, quietly isQuiet: Bool = false
    ) async throws(CommandFailure) {
        if name == "store" || name.hasPrefix("session:") {
            guard given == nil, handles.isEmpty else { throw Self.needsBluetooth(name) }
            let store = try Store.open(options, for: .reading)
            log = store.log
            if name != "store" {
                guard let position = WholeNumber.position(String(name.dropFirst(8))) else {
                    throw CommandFailure(
                        .usage, "Write a session as session:POSITION, such as session:4.")
                }
                session = position
                (end, source) = try store.withLog { (log) throws(EventLogError) in
                    (
                        try log.end(ofSessionAt: position),
                        try log.events(in: position..<position + 1).first?.header.source ?? 0
                    )
                }
                guard end != nil else {
                    throw CommandFailure(
                        .noInput,
                        "No session starts at position \(position); see `pulselog sessions`.")
                }
            }
        } else {
            let input = try reading { () throws(FileError) in try CaptureInput(name, as: given) }
            let opened: Opened
            if let format = given ?? input.format {
                opened = try Self.bluetooth(input, format, handles, quietly: isQuiet)
            } else {
                guard handles.isEmpty else { throw Self.needsBluetooth(name) }
                opened = try await Self.lines(of: input)
            }
            (log, damage, missing) = (opened.log, opened.damage, opened.missing)
        }
        guard let until else { return }
        do throws(EventLogError) {
            let limit =
                switch until {
                case .position(let position): position
                case .timeOfDay(let time):
                    try log.firstPosition(after: .timeOfDay(time), from: start, of: source)
                case .instant(let instant):
                    try log.firstPosition(after: .instant(instant), from: start, of: source)
                }
            end = min(end ?? limit, limit)
        } catch {
            throw CommandFailure(error, store: name)
        }
        guard end ?? 0 > start || session == nil else {
            throw CommandFailure(.usage, "--until is before the session's start; give a later one.")
        }
    }

    private static func needsBluetooth(_ name: String) -> CommandFailure {
        CommandFailure(
            .usage,
            "--as, --handle, --begin and --zone are for Bluetooth captures; \(name) is not one.")
    }

    /// What a file holds.
    private struct Opened {
        let log: any EventLog
        let damage: String?
        var missing: String?
    }

    private static func bluetooth(
        _ input: consuming CaptureInput, _ format: CaptureFormat, _ handles: HandleOptions,
        quietly isQuiet: Bool
    ) throws(CommandFailure) -> Opened {
        let capture = try BluetoothCapture.surveyed(
            input, format, assignments: handles.assignments, times: handles.times)
        return Opened(
            log: BluetoothCaptureLog(capture, quietly: isQuiet),
            damage: capture.survey.damage?.description,
            missing: capture.survey.missingHeartRate)
    }

    private static func lines(
        of input: consuming CaptureInput
    ) async throws(CommandFailure) -> Opened {
        let capture: Capture
        do throws(FileError) {
            var read = try Capture(input)
            try read.wrapIfNeeded()
            capture = read
        } catch {
            throw CommandFailure(error)
        }
        let log = InMemoryEventLog()
        do throws(EventLogError) {
            _ = try await log.append(capture.events, expecting: 0)
        } catch {
            throw CommandFailure(error, store: "memory")
        }
        return Opened(log: log, damage: capture.damage)
    }
}
