internal import Clocks
internal import Events
public import Interchange
internal import JSON
internal import Projections
internal import SQLite
internal import Text
internal import Words

/// A file in which another program keeps the walker's steps.
public struct HealthStoreFile: Sendable {
    /// Told how many bytes have been read, now and then.
    public typealias Progress = @Sendable (_ bytes: UInt64) -> Void

    /// The most bytes of a file that holds one total.
    private static let totalLimitBytes = 64 * 1_024

    private let path: String
    private let onlyRegular: Bool

    /// Names a file.
    ///
    /// - Parameters:
    ///   - path: Where it is; `-` is standard input.
    ///   - onlyRegular: Whether to refuse anything but a regular file: a pipe could keep the reader
    ///     waiting.
    public init(path: String, onlyRegular: Bool = false) {
        self.path = path
        self.onlyRegular = onlyRegular
    }

    /// Recognizes the file by its content.
    ///
    /// - Throws: ``FileError`` if it cannot be read, or is a zip archive.
    public func format() throws(FileError) -> HealthStoreFormat? {
        var head: [UInt8] = []
        if let chunk = try InputFile(path, onlyRegular: onlyRegular).next() {
            head = Array(chunk.prefix(HealthStoreFormat.headBytes))
        }
        return try HealthStoreFormat(head: head, of: path)
    }

    /// Reads the file.
    ///
    /// - Parameters:
    ///   - format: What it is.
    ///   - progress: Told while it is read, on the same thread.
    /// - Returns: What it says; with ``HealthReading/damage`` if only a part of it could be read.
    /// - Throws: ``FileError`` if nothing of it could be read.
    public func read(
        as format: HealthStoreFormat, progress: Progress = { _ in }
    ) throws(FileError) -> HealthReading {
        switch format {
        case .total: try readTotal()
        case .appleHealth: try readAppleHealth(progress)
        case .gadgetbridge: try readGadgetbridge()
        }
    }

    /// Dates are those of this machine's zone, as for the recorder, unless records tell theirs.
    private static var noRecords: StepRecords {
        StepRecords(limits: StepRecords.Limits(sources: 256)) {
            LocalZone.offsetMinutes(atWallMilliseconds: $0)
        }
    }

    private func readAppleHealth(_ progress: Progress) throws(FileError) -> HealthReading {
        var records = Self.noRecords
        let zones = NamedZones()
        var export = AppleHealthExport(namedZone: zones.offsetMinutes)
        let failure = try read(&export, into: &records, progress)
        var reading = try reading(
            .appleHealth, &records, export.unreadableCount, failure,
            example: export.firstUnreadable)
        if let place = export.firstSkipped {
            let count = UInt64(export.skippedCount)
            reading.remarks.append(
                "\(place) \(counted(count, "record or other element"))"
                    + " of the kind cannot be read; reading continued with the next record.")
        }
        // A pipe cannot be read twice.
        if path != "-" { reading.workouts = export.workouts }
        return reading
    }

    /// Reads workouts as walks, with the heart rates in them.
    ///
    /// - Parameters:
    ///   - workouts: Workouts of this file.
    ///   - progress: Told while it is read, on the same thread.
    /// - Returns: The walks.
    /// - Throws: ``FileError`` if the file can no longer be read.
    public func readWalks(
        of workouts: [AppleHealthWorkout], progress: Progress = { _ in }
    ) throws(FileError) -> WalkFacts {
        var records = Self.noRecords
        var export = AppleHealthExport(heartRatesOf: workouts)
        // What is damaged was said when the workouts were read.
        _ = try read(&export, into: &records, progress)
        return export.walks
    }

    /// Reads an export to its end, or up to its damage.
    private func read(
        _ export: inout AppleHealthExport, into records: inout StepRecords, _ progress: Progress
    ) throws(FileError) -> HealthStoreError? {
        var failure: HealthStoreError?
        var bytes: UInt64 = 0
        let input = try InputFile(path, onlyRegular: onlyRegular)
        var isAtEnd = false
        while failure == nil, !isAtEnd {
            let chunk = try input.next() ?? []
            isAtEnd = chunk.isEmpty
            do throws(HealthStoreError) {
                if isAtEnd {
                    try export.finish(into: &records)
                } else {
                    try export.push(chunk, into: &records)
                }
            } catch {
                failure = error
            }
            bytes += UInt64(chunk.count)
            progress(bytes)
        }
        return failure
    }

    /// Reads a database with what lies in its write-ahead log; without, if both do not belong
    /// together, or cannot be copied.
    private func readGadgetbridge() throws(FileError) -> HealthReading {
        let log = DatabaseCopy.log(of: path)
        // Its header has 32 bytes (SQLite, "Write-Ahead Logging", 4.1).
        guard let bytes = InputFile.sizeBytes(of: log), bytes > 32 else {
            return try readGadgetbridge(path, isCopy: false)
        }
        let obstacle: String
        do throws(FileError) {
            let copy = try DatabaseCopy(of: path)
            let reading = try readGadgetbridge(copy.path, isCopy: true)
            if reading.damage == nil { return reading }
            obstacle = "it does not belong to the database"
        } catch {
            obstacle = error.code == .badContent ? "nothing can be read with it" : "\(error)"
        }
        let unseen =
            "Newer rows may be in \(log), which is not read (\(obstacle)): have Gadgetbridge "
            + "export its data again."
        do throws(FileError) {
            var reading = try readGadgetbridge(path, isCopy: false)
            reading.remarks.append(unseen)
            return reading
        } catch {
            throw FileError(error.code, "\(error) \(unseen)")
        }
    }

    private func readGadgetbridge(
        _ file: String, isCopy: Bool
    ) throws(FileError) -> HealthReading {
        var records = Self.noRecords
        var contents = GadgetbridgeDatabase()
        var failure: HealthStoreError?
        do {
            let database =
                isCopy
                ? try SQLiteDatabase(readingWithLog: file)
                : try SQLiteDatabase(readingUnchanged: file)
            if isCopy { try database.checkPages() }
            try contents.read(database, into: &records)
        } catch let error as SQLiteError {
            throw FileError(.badContent, "\(path): \(error.description)")
        } catch let error as HealthStoreError {
            failure = error
        } catch {
            throw FileError(.unreadable, "\(path): \(error)")
        }
        var reading = try reading(.gadgetbridge, &records, contents.unreadableCount, failure)
        reading.remarks += contents.unknownTables.prefix(8).map {
            "The table \($0) was left out: what its steps count is not known here."
        }
        return reading
    }

    private func reading(
        _ format: HealthStoreFormat, _ records: inout StepRecords, _ unreadableCount: UInt64,
        _ failure: HealthStoreError?, example: String? = nil
    ) throws(FileError) -> HealthReading {
        if let failure, failure.code != .damaged {
            throw FileError(.badContent, "\(path): \(failure.description)")
        }
        let days = try FileError.content(of: path) { try records.totals() }
        if let failure, days.isEmpty {
            throw FileError(.badContent, "\(path): \(failure.description)")
        }
        let uselessCount = unreadableCount + records.refusedCount
        if uselessCount > 0, records.takenCount == 0 {
            throw FileError(
                .badContent,
                "\(path): none of \(counted(uselessCount, "step record")) can be read."
                    + (example.map { " The first has \($0)." } ?? ""))
        }
        let possible = days.filter { FieldRange.stepsTotal.contains($0.steps) }
        let impossibleCount = UInt64(days.count - possible.count)
        return HealthReading(
            format: format, content: .days(possible.filter { $0.steps > 0 }),
            refusedCount: unreadableCount + records.refusedCount + impossibleCount,
            remarks: Self.remarks(records), damage: failure?.description)
    }

    /// What nobody can have walked.
    private static func remarks(_ records: StepRecords) -> [String] {
        guard let first = records.firstTooFast else { return [] }
        let count = records.tooFastCount
        let seconds = UInt64((first.milliseconds + 999) / 1_000)
        return [
            "\(counted(count, "record")) left out because nobody walks that fast: "
                + (count == 1 ? "" : "the first says ")
                + "\(grouped(UInt64(first.steps))) steps in \(grouped(seconds)) seconds."
        ]
    }

    private func readTotal() throws(FileError) -> HealthReading {
        let text = try InputFile.contents(
            of: path, limitBytes: Self.totalLimitBytes, onlyRegular: onlyRegular)
        let value = try FileError.content(of: path) { try JSONParser.parse(text) }
        if case .number(let number) = value, let total = number.integer(as: UInt64.self) {
            return HealthReading(format: .total, content: .total(total, date: nil))
        }
        guard case .string(let day)? = value["date"], let date = CivilDate(day),
            case .number(let number)? = value["steps"],
            let total = number.integer(as: UInt64.self)
        else {
            throw FileError(
                .badContent, "\(path): expected {\"date\":\"2026-03-01\",\"steps\":8123}, or 8123.")
        }
        return HealthReading(format: .total, content: .total(total, date: date))
    }
}
