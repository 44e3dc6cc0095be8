internal import Deciding
internal import EventStore
internal import Events
internal import Interchange
internal import Projections
internal import Sensors
internal import Words

/// Takes the walks of a file into the log, as a source of its own.
///
/// The file is read to its end before anything is appended, and its events are appended at once:
/// there is never half an import, however it ends.
struct WalkImport {
    let hints: CaptureHints
    /// Whether likely copies are imported as well.
    let isAnyway: Bool
    let target: ImportTarget

    /// Imports a file, unless the log has it, or likely has its walk.
    ///
    /// - Parameters:
    ///   - stream: The file.
    ///   - format: What it is.
    ///   - goesOn: Asked while it is read.
    /// - Returns: What became of it.
    /// - Throws: ``CommandFailure`` or `FileError` if it cannot be read, or the log fails.
    func run(
        _ stream: ByteStream, _ format: WalkFileFormat, while goesOn: () -> Bool
    ) async throws -> WalkImportText {
        let reading = try WalkFileReading(stream, format, hints, while: goesOn)
        guard !reading.facts.isSimulated else {
            throw CommandFailure(
                .badData, "\(stream.name): nobody walked this; `record --simulate` made it up.")
        }
        let name = stream.name.split(separator: "/").last.map(String.init) ?? stream.name
        let began = ImportBegan(
            fileName: name.fitting(1_024), format: format.rawValue, sha256: reading.sha256)
        let events = reading.facts.events(of: began)
        let reports = Self.reports(of: events)
        var answer = WalkImportText(
            file: stream.name, format: format, facts: reading.facts, sessions: reports,
            damage: reading.damage)
        if !reports.isEmpty {
            answer.outcome = try await outcome(stream.name, events, reading, reports)
        }
        guard !reading.facts.days.isEmpty else { return answer }
        let receipts = try await target.record(reading.facts.days, origin: format.rawValue)
        answer.reportedDays = receipts.count { $0.outcome == .taken }
        return answer
    }

    private func outcome(
        _ file: String, _ events: EventBatch, _ reading: WalkFileReading,
        _ reports: [SessionReport]
    ) async throws -> WalkImportText.Outcome {
        if let known = try await target.known(events, reading.sha256) {
            let session = try await target.session(of: known)
            return .known(source: known.source, session: session)
        }
        if let copy = try await target.copy(of: reports), !isAnyway { return .copy(of: copy) }
        switch try await target.record(file, events, reading.sha256) {
        case .recorded(let range, let source):
            target.note(reports, from: range.lowerBound)
            return .recorded(
                source: source, sessions: reports.map { range.lowerBound + $0.position })
        case let known?:
            // Another process was faster.
            return .known(
                source: known.source, session: try await target.session(of: known))
        case nil:
            target.note(reports, from: nil)
            return .possible
        }
    }

    /// The sessions of some events, as if a log had nothing else.
    private static func reports(of events: EventBatch) -> [SessionReport] {
        var events = events
        events.setSource(1)
        var state = LogState()
        for index in 0..<events.count { events.withEvent(at: index) { state.evolve($0) } }
        return state.sessionReports(at: state.lastMoment)
    }
}
