internal import BluetoothCaptures
internal import Deciding
internal import EventStore
internal import Events
internal import LookingBack
internal import Projections
internal import Recording
internal import Sensors
internal import TamperEvidence
internal import Words

/// Takes what straps sent in a Bluetooth capture into the log, as a source of its own.
///
/// The capture is read to its end before the store is opened, and its events are appended at once:
/// there is never half an import, however it ends.
struct CaptureImport {
    private let told: HandleOptions
    private let target: ImportTarget

    /// Prepares an import.
    ///
    /// - Parameters:
    ///   - told: What captures do not tell, and is given by hand.
    ///   - target: The store.
    init(_ told: HandleOptions, _ target: ImportTarget) {
        self.told = told
        self.target = target
    }

    /// Imports a capture, unless the log has it already.
    ///
    /// - Parameters:
    ///   - input: The capture, just opened.
    ///   - format: Its format.
    /// - Returns: The failure of a file of which only a part could be read; that part is imported.
    /// - Throws: ``CommandFailure`` if nothing of it could be read, or the log fails.
    func run(
        _ input: consuming CaptureInput, _ format: CaptureFormat
    ) async throws(CommandFailure) -> CommandFailure? {
        let file = input.path
        let size = InputFile.sizeBytes(of: file)
        let capture = try BluetoothCapture.surveyed(
            input, format, assignments: told.assignments, times: told.times, isImported: true)
        // A session stands in the log at its times for ever.
        if let gap = capture.survey.timeGap {
            throw CommandFailure(.badData, "\(file) was not imported: \(gap).")
        }
        let began = ImportBegan(
            fileName: Self.name(of: file), format: format.rawValue,
            sha256: try read(capture) { (progress) throws(FileError) in
                var digest = FileDigest()
                try capture.readBytes(progress: progress) { digest.take($0) }
                return digest.bytes
            })
        let events = try read(capture) { (progress) throws(FileError) in
            try capture.readImport(of: began, progress: progress)
        }
        // Its hash must be that of what is imported.
        guard InputFile.sizeBytes(of: file) == size else {
            throw CommandFailure(
                .tryAgain, "\(file) is being written. Import it when that is done.")
        }
        let (outcome, session) = try await record(file, events, began.sha256)
        var isNew = false
        if case .recorded = outcome { isNew = true }
        let survey = capture.survey
        let heartRates = survey.values[.heartRateMeasurement] ?? 0
        target.options.write(
            CaptureImportText(
                file: file, format: format.rawValue,
                counts: (heartRates, survey.values.values.reduce(0, +) - heartRates),
                events: events, source: outcome.source, session: session, isNew: isNew,
                isPartial: survey.damage != nil))
        return survey.damage.map {
            CommandFailure(.badData, "\(file), in part: \($0) Everything before that was imported.")
        }
    }

    /// The last part of a path, as long as an event holds; that of a pipe is `-`.
    private static func name(of file: String) -> String {
        (file.split(separator: "/").last.map(String.init) ?? file).fitting(1_024)
    }

    /// Reads a capture once more, with a bar if it is long.
    private func read<Value>(
        _ capture: BluetoothCapture,
        _ body: (BluetoothCapture.Progress) throws(FileError) -> Value
    ) throws(CommandFailure) -> Value {
        let progress = ReadingProgress(of: capture.path)
        defer { progress.clear() }
        return try reading { () throws(FileError) in try body(progress.show) }
    }

    /// Appends the events, unless the log has the file.
    ///
    /// - Returns: What became of them, and where their session began.
    private func record(
        _ file: String, _ events: EventBatch, _ sha256: [UInt8]
    ) async throws(CommandFailure) -> (ImportOutcome, session: Position?) {
        let (store, appender) = try await target.open()
        let outcome: ImportOutcome
        do throws(EventLogError) {
            outcome = try await store.tellingWaits { () async throws(EventLogError) in
                try await appender.record(imported: events, ofSHA256: sha256)
            }
        } catch {
            let failure = CommandFailure(error, store: store.directory)
            // As after any lost answer, it may be in the log all the same.
            throw CommandFailure(
                failure.exitCode, "\(failure.message) Import \(file) again then: it counts once.")
        }
        let sessions = await appender.state[.imported(outcome.source)]?.sessions
        return (outcome, sessions?.all.first?.position)
    }
}
