internal import Clocks
package import Events
package import Interchange
internal import JSON
internal import Projections
internal import SQLite
internal import TamperEvidence
internal import Text

/// A file in which another program keeps the walker's steps.
package struct HealthStoreFile {
    /// Told how many bytes have been read, now and then.
    package typealias Progress = @Sendable (_ bytes: UInt64) -> Void

    /// The most places of a walk: a day of two a second.
    private static let placeLimit = 200_000
    /// The most bytes of a file that holds one total.
    private static let totalLimitBytes = 64 * 1_024

    /// The most bytes that come of an export in an archive: a phone writes several GB.
    private static let archivedLimitBytes: UInt64 = 1 << 36

    private let place: FilePlace
    private let isStopped: ByteStream.StopCheck?
    /// What it is called, for people.
    private var path: String { place.name }

    /// Names a regular file: a pipe could keep the reader waiting.
    package init(path: String) {
        (place, isStopped) = (FilePlace(path), nil)
    }

    /// Takes a file in an archive, or what was kept of a pipe, as well.
    package init(_ place: FilePlace, unless isStopped: @escaping ByteStream.StopCheck) {
        (self.place, self.isStopped) = (place, isStopped)
    }

    private func open() throws(FileError) -> ByteStream {
        try place.open(limitBytes: Self.archivedLimitBytes, unless: isStopped)
    }

    /// Takes the SHA-256 of its bytes.
    ///
    /// - Throws: ``FileError`` if it cannot be read.
    package func sha256() throws(FileError) -> [UInt8] {
        var digest = FileDigest()
        let stream = try open()
        while let piece = try stream.next() { digest.take(piece.span) }
        return digest.bytes
    }

    /// The files next to it that hold the routes of workouts.
    package func routes(of workouts: [HealthWorkout]) -> [FilePlace] {
        workouts.flatMap(\.routes).compactMap { place.neighbour($0) }
    }

    /// The places of a workout's routes; what is damaged is left out and counted.
    package func places(of workout: HealthWorkout, _ facts: inout WalkFacts) -> [PositionFixed] {
        let routes = routes(of: [workout])
        if routes.count < workout.routes.count {
            facts.leaveOut(
                "routes whose files are not there",
                count: UInt64(workout.routes.count - routes.count))
        }
        var places: [PositionFixed] = []
        for route in routes {
            var reader = GPXTrackReader()
            do throws(FileError) {
                let stream = try route.open(unless: isStopped)
                while reader.damage == nil, let piece = try stream.next() {
                    let fixes = reader.push(piece)
                    let kept = fixes.prefix(Self.placeLimit - places.count)
                    places += kept
                    guard kept.count < fixes.count else { continue }
                    facts.leaveOut(
                        "positions beyond what one import holds",
                        count: UInt64(fixes.count - kept.count))
                }
            } catch {
                facts.leaveOut("routes that cannot be read, but for what is whole")
                continue
            }
            if !reader.isAtEnd { facts.leaveOut("routes that are damaged, but for what is whole") }
        }
        return places
    }

    /// Recognizes the file by its content.
    ///
    /// - Throws: ``FileError`` if it cannot be read, or is a zip archive.
    package func format() throws(FileError) -> HealthStoreFormat? {
        let start = try open().start(WalkFileFormat.startBytes)
        try require(
            !ZipArchive.begins(start), .badContent,
            "\(path) is a zip archive: unzip it, and name the export.xml or database in it.")
        return HealthStoreFormat(recognizing: start)
    }

    /// Reads the file.
    ///
    /// - Parameters:
    ///   - format: What it is.
    ///   - progress: Told while it is read, on the same thread.
    /// - Returns: What it says; with ``HealthReading/damage`` if only a part of it could be read.
    /// - Throws: ``FileError`` if nothing of it could be read.
    package func read(
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
        reading.workouts = export.workouts
        return reading
    }

    /// Reads workouts of Apple Health as walks, with the heart rates in them.
    ///
    /// - Parameters:
    ///   - workouts: Workouts of this export, in order, none within another.
    ///   - progress: Told while it is read, on the same thread.
    /// - Returns: The walks.
    /// - Throws: ``FileError`` if the file can no longer be read.
    package func readWalks(
        of workouts: [HealthWorkout], progress: Progress = { _ in }
    ) throws(FileError) -> HealthWalks {
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
        let input = try open()
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
        guard place.isNamed else { return try readGadgetbridge(DatabaseCopy(open())) }
        let log = DatabaseCopy.log(of: path)
        // Its header has 32 bytes (SQLite, "Write-Ahead Logging", 4.1).
        guard let bytes = FilePlace.sizeBytes(of: log), bytes > 32 else {
            return try readGadgetbridge(nil)
        }
        let obstacle: String
        do throws(FileError) {
            let files = [path, log]
            let before = files.map(FileSight.init(of:))
            let copy = try DatabaseCopy(open(), log: FilePlace(log).open(unless: isStopped))
            try require(
                files.map(FileSight.init(of:)) == before, .unreadable, "it is being written")
            let reading = try readGadgetbridge(copy)
            if reading.damage == nil { return reading }
            obstacle = "it does not belong to the database"
        } catch {
            guard error.code != .stopped else { throw error }
            obstacle = error.code == .badContent ? "nothing can be read with it" : "\(error)"
        }
        let unseen =
            "Newer rows may be in \(log), which is not read (\(obstacle)): have Gadgetbridge "
            + "export its data again."
        do throws(FileError) {
            var reading = try readGadgetbridge(nil)
            reading.remarks.append(unseen)
            return reading
        } catch {
            throw FileError(error.code, "\(error) \(unseen)")
        }
    }

    private func readGadgetbridge(_ copy: DatabaseCopy?) throws(FileError) -> HealthReading {
        var records = Self.noRecords
        var contents = GadgetbridgeDatabase()
        var failure: HealthStoreError?
        // The copy goes with the last that holds it.
        defer { withExtendedLifetime(copy) {} }
        do {
            let file = copy?.path ?? path
            let hasLog = copy?.hasLog ?? false
            let database =
                hasLog
                ? try SQLiteDatabase(readingWithLog: file)
                : try SQLiteDatabase(readingUnchanged: file)
            if hasLog { try database.checkPages() } else { copy?.remove() }
            try contents.read(database, into: &records)
        } catch let error as SQLiteError {
            throw FileError(.badContent, "\(path): \(error.description)")
        } catch let error as HealthStoreError {
            failure = error
        } catch {
            throw FileError(.unreadable, "\(path): \(error)")
        }
        var reading = try reading(.gadgetbridge, &records, contents.unreadableCount, failure)
        (reading.workouts, reading.walks) = (contents.workouts, contents.walks)
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
        let words = StepRecords.tooFastWords(steps: first.steps, milliseconds: first.milliseconds)
        return [
            "\(counted(count, "record")) left out: \(count == 1 ? "it" : "the first") \(words)."
        ]
    }

    private func readTotal() throws(FileError) -> HealthReading {
        let text = try FilePlace.contents(
            of: path, limitBytes: Self.totalLimitBytes, onlyRegular: true)
        let value = try FileError.content(of: path) { try JSONParser.parse(text) }
        if let total = value.integer(as: UInt64.self) {
            return HealthReading(format: .total, content: .total(total, date: nil))
        }
        guard let date = value["date"]?.text.flatMap(CivilDate.init),
            let total = value["steps"]?.integer(as: UInt64.self)
        else {
            throw FileError(
                .badContent, "\(path): expected {\"date\":\"2026-03-01\",\"steps\":8123}, or 8123.")
        }
        return HealthReading(format: .total, content: .total(total, date: date))
    }
}
