internal import BluetoothCaptures
internal import Deciding
internal import Events
internal import Sensors
internal import TamperEvidence
internal import Words

extension ImportTarget {
    /// Takes what straps sent in a Bluetooth capture into the log, as a source of its own, unless
    /// the log has it already.
    ///
    /// The capture is read to its end before the store is opened, and its events are appended at
    /// once: there is never half an import, however it ends.
    ///
    /// - Parameters:
    ///   - input: The capture, just opened.
    ///   - format: Its format.
    ///   - hints: What captures do not say, and is given by hand.
    /// - Returns: What became of it, and the failure of a file of which only a part could be read;
    ///   that part is imported.
    /// - Throws: ``CommandFailure`` if nothing of it could be read, or the log fails.
    func record(
        _ input: ByteStream, _ format: CaptureFormat, _ hints: CaptureHints
    ) async throws -> (answer: CaptureImportText, damage: CommandFailure?) {
        let file = input.name
        let size = FilePlace.sizeBytes(of: file)
        let capture = try BluetoothCapture.surveyed(input, format, hints, isImported: true)
        // A session stands in the log at its times forever.
        if let gap = capture.survey.timeGap {
            throw CommandFailure(.badData, "\(file) was not imported: \(gap).")
        }
        let progress = ReadingProgress(of: file)
        defer { progress.clear() }
        var digest = FileDigest()
        try capture.readBytes(progress: progress.show) { digest.take($0) }
        progress.clear()
        let began = ImportBegan(ofFile: file, format: format.rawValue, sha256: digest.bytes)
        let events = try capture.readImport(of: began, progress: progress.show)
        progress.clear()
        // Its hash must be that of what is imported.
        try require(
            FilePlace.sizeBytes(of: file) == size, .tryAgain,
            "\(file) is being written. Import it when that is done.")
        let outcome = try await record(file, draft(events), began.sha256)
        let session = try await session(of: outcome)
        var isNew = outcome == nil
        if case .recorded = outcome { isNew = true }
        let survey = capture.survey
        let heartRates = survey.values[.heartRateMeasurement] ?? 0
        let answer = CaptureImportText(
            file: file, format: format.rawValue,
            counts: (heartRates, survey.values.values.reduce(0, +) - heartRates),
            events: events, source: outcome?.source, session: session, isNew: isNew,
            isPartial: survey.damage != nil)
        return (answer, survey.damage.map { CommandFailure(ofPart: file, "\($0)") })
    }
}
