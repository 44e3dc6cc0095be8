internal import Deciding
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
    /// - Returns: What became of it.
    /// - Throws: ``CommandFailure`` or `FileError` if it cannot be read, or the log fails.
    func run(_ stream: ByteStream, _ format: WalkFileFormat) async throws -> WalkImportText {
        let reading = try WalkFileReading(stream, format, hints, until: target.end)
        try require(
            !reading.facts.isSimulated, .badData,
            "\(stream.name): nobody walked this; `record --simulate` made it up.")
        let began = ImportBegan(
            ofFile: stream.name, format: format.rawValue, sha256: reading.sha256)
        var answer = WalkImportText(
            file: stream.name, format: format, facts: reading.facts, damage: reading.damage)
        try await record(reading, began, &answer)
        guard !reading.facts.days.isEmpty else { return answer }
        let receipts = try await target.record(reading.facts.days, origin: Reporter(.fit))
        answer.reportedDays = receipts.count { $0.outcome == .taken }
        return answer
    }

    /// Records the walks that are new and were on foot; of a file that the log knows, those that
    /// were left out, if that is wanted.
    private func record(
        _ reading: WalkFileReading, _ file: ImportBegan, _ answer: inout WalkImportText
    ) async throws {
        let events = reading.facts.events(of: file)
        guard !events.isEmpty else { return }
        var draft = try await target.draft(events)
        answer.sessions = draft.sessions
        let known = try await target.known(events, reading.sha256)
        if let known, !isAnyway || known.source == 0 {
            return answer.outcome = .known(known.source, try await target.session(of: known))
        }
        let starts = answer.sessions.map(\.startedAtMilliseconds)
        var absent: Set<Int> = []
        // A single value is no walk.
        for (index, report) in answer.sessions.enumerated() where report.elapsedMilliseconds == 0 {
            absent.insert(index)
            answer.leaveOut("walks of a single moment")
        }
        if isAnyway {
            let parts = try await target.sessions(ofSHA256: file.sha256)
            let there = Set(parts.map(\.startedAt.wallMilliseconds))
            absent.formUnion(starts.indices.filter { there.contains(starts[$0]) })
        } else {
            let walks = try await target.known()
            for (index, report) in answer.sessions.enumerated() where !absent.contains(index) {
                if let sport = report.keeping.sport.known, !sport.isOnFoot {
                    answer.sports.append(sport)
                } else if let copy = walks.copy(of: report) {
                    answer.copies.append(copy)
                } else {
                    continue
                }
                absent.insert(index)
            }
        }
        guard absent.count < starts.count else {
            guard let known else {
                let isNothing = answer.copies.isEmpty && answer.sports.isEmpty
                if isNothing { answer.sessions = [] }
                return answer.outcome = isNothing ? .nothing : .leftOut
            }
            return answer.outcome = .known(known.source, try await target.session(of: known))
        }
        if !absent.isEmpty {
            draft = try await target.draft(reading.facts.events(of: file, without: absent))
            answer.sessions = draft.sessions
            answer.take(draft.events)
        }
        let outcome = try await target.record(
            answer.file, draft, file.sha256, beyond: known?.place)
        switch outcome {
        case .recorded(let range, let source):
            answer.outcome = .recorded(
                source, draft.sessions.map { range.lowerBound + ($0.position - draft.start) })
        case let known?:
            // Another process was faster.
            answer.outcome = .known(known.source, try await target.session(of: known))
        case nil:
            answer.outcome = .possible
        }
    }
}
