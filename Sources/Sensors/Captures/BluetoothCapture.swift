package import BluetoothCaptures
package import Events

/// A Bluetooth capture that was surveyed, and is read again for its events: in memory that does not
/// grow with the file.
package struct BluetoothCapture: Sendable {
    /// Told how many bytes have been read, now and then.
    package typealias Progress = (_ bytes: UInt64) -> Void

    /// What it holds.
    package private(set) var survey: CaptureSurvey
    /// The file's name.
    package var path: String { place.name }
    private let place: FilePlace

    /// Surveys a capture.
    ///
    /// - Parameters:
    ///   - input: The capture, just opened.
    ///   - format: Its format.
    ///   - hints: What it does not say, and somebody says.
    ///   - progress: Told while the file is read.
    /// - Throws: ``FileError`` if it cannot be read, or nothing is to be had of it.
    package init(
        _ input: ByteStream, _ format: CaptureFormat,
        _ hints: CaptureHints = CaptureHints(), progress: Progress = { _ in }
    ) throws(FileError) {
        // A file is read when it is wanted; a pipe now.
        let isFile = FilePlace.sizeBytes(of: input.name) != nil
        place = isFile ? FilePlace(input.name) : try FilePlace(keeping: input)
        var surveyor = CaptureSurveyor(
            format, assignments: hints.assignments, times: hints.times)
        while true {
            try place.read(progress) { surveyor.read($0.span) }
            let result = try FileError.content(of: place.name) { try surveyor.finish() }
            guard result.isWorthRepeating else {
                survey = result
                survey.choose(hints.device)
                return
            }
            surveyor = CaptureSurveyor(repeating: result)
        }
    }

    /// Reads the capture for its events.
    ///
    /// - Parameters:
    ///   - progress: Told while the file is read.
    ///   - body: Called with the next events, in order; false ends the reading.
    /// - Throws: ``FileError`` if the file can no longer be read.
    package func readEvents(
        progress: Progress = { _ in }, _ body: (EventBatch) -> Bool
    ) throws(FileError) {
        var transcript = CaptureTranscript(survey)
        var isWanted = true
        try place.read(progress) { chunk in
            var batch = EventBatch()
            let goesOn = transcript.read(chunk.span, into: &batch)
            isWanted = batch.isEmpty || body(batch)
            return isWanted && goesOn
        }
        var batch = EventBatch()
        transcript.finish(into: &batch)
        if isWanted, !batch.isEmpty { _ = body(batch) }
    }
}

// MARK: - Import

extension BluetoothCapture {
    /// The most events of an import: 40 days of values, one a second.
    package static let importLimit: UInt64 = 4_000_000

    /// Hands the bytes of the capture over as they are, also those after a damage.
    ///
    /// - Parameters:
    ///   - progress: Told while the file is read.
    ///   - body: Called with the next bytes.
    /// - Throws: ``FileError`` if the file can no longer be read.
    package func readBytes(
        progress: Progress = { _ in }, _ body: (Span<UInt8>) -> Void
    ) throws(FileError) {
        try place.read(progress) { chunk in
            body(chunk.span)
            return true
        }
    }

    /// Reads the events to be imported, between those that tell the import, which stand at the
    /// capture's own times.
    ///
    /// - Parameters:
    ///   - file: What is imported.
    ///   - progress: Told while the file is read.
    /// - Returns: The events, of source 0.
    /// - Throws: ``FileError`` if there are more than ``importLimit``, or the file cannot be read
    ///   any more, or is another one by now.
    package func readImport(
        of file: ImportBegan, progress: Progress = { _ in }
    ) throws(FileError) -> EventBatch {
        try require(
            survey.events <= Self.importLimit, .badContent,
            "\(path) holds more than 4 million events. Split it, for example with editcap -c, "
                + "and import the parts.")
        var batch = EventBatch(keptIn: KeptBytes().keep)
        var (refusal, last): (FieldError?, EventHeader?)
        try readEvents(progress: progress) { events in
            do throws(FieldError) {
                last = events.headers.last
                if batch.isEmpty, let first = events.headers.first {
                    try batch.append(.importBegan(file), stamp: first.stamp, flags: first.flags)
                }
                try batch.append(contentsOf: events)
            } catch {
                refusal = error
            }
            return refusal == nil
        }
        guard refusal == nil, let last,
            UInt64(batch.count) == survey.events + 1
        else { throw FileError(.badContent, "\(path) was changed while it was read. Try again.") }
        return try FileError.content(of: path) {
            let ended = ImportEnded(importedEvents: survey.events, findings: survey.lostPackets)
            try batch.append(.importEnded(ended), stamp: last.stamp, flags: last.flags)
            return batch
        }
    }
}

extension FilePlace {
    /// Hands the bytes over, in pieces of up to 64 KiB, until there are no more or `body` returns
    /// false.
    fileprivate func read(
        _ progress: BluetoothCapture.Progress, _ body: ([UInt8]) -> Bool
    ) throws(FileError) {
        var count: UInt64 = 0
        let stream = try open()
        while let chunk = try stream.next() {
            count += UInt64(chunk.count)
            progress(count)
            guard body(chunk) else { return }
        }
    }
}

extension EventBatch {
    /// Appends the events of another batch, as they are.
    mutating func append(contentsOf other: EventBatch) throws(FieldError) {
        try other.forEach { (event) throws(FieldError) in try append(event) }
    }
}
