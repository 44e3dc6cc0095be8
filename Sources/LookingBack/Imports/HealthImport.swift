internal import Clocks
internal import Deciding
internal import Events
internal import Interchange
internal import Projections
package import Sensors
internal import Stores
internal import TamperEvidence
internal import Text
package import Words

/// Reports a health store's totals.
package struct HealthImport {
    private let file: String
    private let format: HealthStoreFormat
    private let target: ImportTarget

    /// Prepares an import.
    package init(_ file: String, _ format: HealthStoreFormat, _ target: ImportTarget) {
        (self.file, self.format, self.target) = (file, format, target)
    }

    /// Reads the file and reports what the log does not know.
    ///
    /// - Returns: What became of it, nil if it is not a health store; and the failure of a file
    ///   of which only a part could be read; that part is reported.
    /// - Throws: ``CommandFailure`` if nothing of it could be read, or the log fails.
    package func run() async throws -> (answer: HealthImportText?, damage: CommandFailure?) {
        let progress = ReadingProgress(of: file)
        defer { progress.clear() }
        let reading = try HealthStoreFile(path: file).read(as: format, progress: progress.show)
        progress.clear()
        guard case .days(let days) = reading.content else { return (nil, nil) }
        let walks = try await importWalks(reading.workouts)
        let receipts = try await target.record(days, origin: format.origin)
        let answer = HealthImportText(
            file: file, format: format.rawValue, origin: format.origin, days: days,
            receipts: receipts, refusedCount: reading.refusedCount,
            remarks: reading.remarks + walks, isPartial: reading.damage != nil,
            isDry: target.isDry)
        return (answer, reading.damage.map { CommandFailure(ofPart: file, $0) })
    }
}

// MARK: - Walks

extension HealthImport {
    /// Takes the workouts that are not known yet into the log, as a source of their own.
    ///
    /// One that began and took as long as a walk of the log is known: a health store's export has
    /// all of them again each time, and what was recorded here or came in another file as well.
    ///
    /// - Returns: What became of them, in sentences.
    private func importWalks(_ workouts: [AppleHealthWorkout]) async throws -> [String] {
        guard !workouts.isEmpty else { return [] }
        let walks = KnownWalks(try await target.open().appender.state)
        let new = workouts.filter {
            !walks.contains(from: $0.span.lowerBound, until: $0.span.upperBound)
        }
        guard !new.isEmpty else { return [] }
        let progress = ReadingProgress(of: file)
        defer { progress.clear() }
        let facts = try HealthStoreFile(path: file).readWalks(of: new, progress: progress.show)
        guard !facts.isOverfull else {
            return ["Its workouts were left out: they hold more than 4 million values."]
        }
        var digest = FileDigest()
        let input = try InputFile(file)
        while let chunk = try input.next() { digest.take(chunk.span) }
        progress.clear()
        let name = file.split(separator: "/").last.map(String.init) ?? file
        let began = ImportBegan(
            fileName: name.fitting(1_024), format: format.rawValue, sha256: digest.bytes)
        let events = facts.events(of: began)
        let count = UInt64(events.headers.count { $0.kind == .sessionStarted })
        switch try await target.record(file, events, began.sha256) {
        case nil: return ["It would bring \(counted(count, "new walk"))."]
        case .known: return []
        case .recorded(_, let source):
            return ["\(counted(count, "new walk")), as import \(source): `pulselog sessions`."]
                + leftOut(facts)
        }
    }

    private func leftOut(_ facts: WalkFacts) -> [String] {
        facts.leftOut.map { "Left out: \(grouped($0.count)) \($0.what)." }
    }
}

extension CommandFailure {
    /// The failure of a file of which only a part was imported.
    init(ofPart file: String, _ damage: String) {
        self.init(.badData, "\(file), in part: \(damage) Everything before that was imported.")
    }
}
