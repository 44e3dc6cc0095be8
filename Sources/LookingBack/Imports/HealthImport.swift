internal import Clocks
internal import Deciding
package import Sensors
internal import Stores
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
        let receipts = try await target.record(days, origin: format.origin)
        let answer = HealthImportText(
            file: file, format: format.rawValue, origin: format.origin, days: days,
            receipts: receipts, refusedCount: reading.refusedCount, remarks: reading.remarks,
            isPartial: reading.damage != nil, isDry: target.isDry)
        return (answer, reading.damage.map { CommandFailure(ofPart: file, $0) })
    }
}

extension CommandFailure {
    /// The failure of a file of which only a part was imported.
    init(ofPart file: String, _ damage: String) {
        self.init(.badData, "\(file), in part: \(damage) Everything before that was imported.")
    }
}
