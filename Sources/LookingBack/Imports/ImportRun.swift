package import BluetoothCaptures
package import Interchange
package import Sensors
internal import Stores
internal import Terminal
package import Words

/// What can be imported.
package enum ImportFormat {
    case jsonLines
    case store(HealthStoreFormat)
    case capture(CaptureFormat)
    case walks(WalkFileFormat)

    /// All of them, by what they are called.
    package static let named: [(name: String, format: ImportFormat)] = {
        var all: [(String, ImportFormat)] = [("jsonl", .jsonLines)]
        let stores: [HealthStoreFormat] = [.appleHealth, .gadgetbridge]
        all += stores.map { ($0.rawValue, .store($0)) }
        all += CaptureFormat.allCases.map { ($0.rawValue, .capture($0)) }
        all += WalkFileFormat.allCases.map { ($0.rawValue, .walks($0)) }
        return all
    }()
}

/// Imports files, folders and archives, one file after the other.
///
/// Each file is recorded whole or not at all. What is named is judged by itself; of what is found
/// in a folder or an archive, whatever is no walk is passed over and counted.
package final class ImportRun {
    /// What became of the files, as it is told.
    package typealias Report = (any Answer) -> Void
    /// Restores a log of JSON Lines.
    package typealias Restore = (
        _ path: String, _ events: consuming EventFile
    ) async throws -> Void

    /// So many zip archives may lie within each other; a gzip file may lie in the innermost.
    private static let layerLimit = 2

    private let format: ImportFormat?
    private let hints: CaptureHints
    private let isAnyway: Bool
    private let isJSON: Bool
    private let target: ImportTarget
    private let machine: String?
    private let report: Report
    private let restore: Restore
    private var summary: ImportSummaryText
    private var progress = ProgressLine()
    /// Why the run is not a success; the last reason that was not told yet.
    private var failure: CommandFailure?
    /// How many files of walks there were, and whether some were found and not named.
    private var walkFiles = 0
    private var hasFound = false
    private var stop: StopRequest?
    /// The files that health stores name as routes of their workouts.
    private var routes: Set<String> = []

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - format: What the files are; nil to recognize each.
    ///   - hints: What they do not say, and is given by hand.
    ///   - isAnyway: Whether likely copies are imported as well.
    ///   - isJSON: Whether each file is reported, as programs want it, also one that was found.
    ///   - target: The store.
    ///   - machine: What the machine of another log is called; nil for what its file is called.
    ///   - report: Tells what became of files.
    ///   - restore: Restores a log.
    package init(
        _ format: ImportFormat?, _ hints: CaptureHints, isAnyway: Bool, isJSON: Bool,
        into target: ImportTarget, machine: String?, report: @escaping Report,
        restore: @escaping Restore
    ) {
        (self.format, self.hints, self.isAnyway) = (format, hints, isAnyway)
        (self.isJSON, self.target, self.machine) = (isJSON, target, machine)
        (self.report, self.restore) = (report, restore)
        summary = ImportSummaryText(isDry: target.isDry)
    }

    /// Imports everything that is named.
    ///
    /// - Parameter paths: Files and folders.
    /// - Throws: ``CommandFailure`` if something could not be read, or only in part; all the rest
    ///   is imported. If the log fails, nothing more is.
    package func run(_ paths: [String]) async throws {
        var files: [(path: String, isNamed: Bool)] = []
        for path in paths {
            if FolderContents.isFolder(path), !OtherLogImport.isStore(path) {
                files += Self.ordered(try FolderContents.files(in: path)) { $0 }.map { ($0, false) }
                hasFound = true
            } else {
                files.append((path, true))
            }
        }
        if files.count > 1 { stop = StopRequest() }
        for (index, file) in files.enumerated() {
            guard goesOn else { break }
            if files.count > 1 { progress.show("Importing", percent: index * 100 / files.count) }
            try await note(isNamed: file.isNamed) {
                summary.see(file.path)
                try await importFile(file.path, isNamed: file.isNamed)
            }
        }
        progress.clear()
        await target.seal()
        if walkFiles > 1 || hasFound { report(summary) }
        if summary.isUnread { failure = failure ?? CommandFailure(.badData, "No walk was read.") }
        stop?.endIfRequested(
            saying: "Interrupted. What was imported is safe; run it again for the rest: each file "
                + "counts once.")
        if let failure { throw failure }
    }

    /// Files in which routes come after what they may belong to.
    private static func ordered<File>(_ files: [File], by name: (File) -> String) -> [File] {
        files.filter { !name($0).lowercased().hasSuffix(".gpx") }
            + files.filter { name($0).lowercased().hasSuffix(".gpx") }
    }

    private var goesOn: Bool { !(stop?.hasCome ?? false) }

    /// Whether to stop instead of reading on; asked before each piece of a file.
    private func isStopped(before descriptor: Int32) -> Bool {
        stop?.comes(before: descriptor) ?? false
    }

    /// Runs the import of a file; if the file is to blame, the others are imported all the same.
    private func note(isNamed: Bool, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as FileError where error.code == .stopped {
            return
        } catch {
            let failure = CommandFailure(error)
            // What is said of times by hand may not be for everything in a folder.
            let isOfFile =
                error is FileError || [.badData, .noInput, .permission].contains(failure.exitCode)
                || failure.exitCode == .usage && !isNamed
            guard isOfFile else {
                progress.clear()
                // Of the files before something may have been recorded.
                await target.seal()
                throw failure
            }
            fail(failure, isNamed: isNamed)
        }
    }

    /// Remembers a failure for the end; of several named files each is told.
    ///
    /// - Parameters:
    ///   - new: The failure.
    ///   - isNamed: Whether its file was named.
    ///   - isCounted: Whether the summary has the file among others already.
    private func fail(_ new: CommandFailure, isNamed: Bool, isCounted: Bool = false) {
        if !isCounted { summary.failed.add(new.message) }
        guard isNamed else {
            failure = failure ?? Self.someFailed
            return
        }
        if let failure, failure.message != Self.someFailed.message {
            progress.clear()
            Output.standardError.say(failure.message)
        }
        failure = new
    }

    private static var someFailed: CommandFailure {
        CommandFailure(
            .badData, "Some files could not be read, or only in part; all the rest counts.")
    }

    // MARK: - A file

    private func importFile(_ path: String, isNamed: Bool) async throws {
        switch format {
        case .jsonLines:
            let input = try ByteStream(path)
            _ = try input.captureFormat(for: .importing)
            return try await restoring(path, EventFile(input))
        case .capture(let format):
            let input = try ByteStream(path)
            _ = try input.captureFormat(as: format, for: .importing)
            return try await importCapture(input, format, isNamed: true)
        case nil where OtherLogImport.isStore(path):
            try refuseHints(for: path)
            return tell(try await OtherLogImport(path, from: machine, target).run())
        case .store, .walks, nil: break
        }
        guard isNamed || !routes.contains(path) else { return }
        let input = try ByteStream(path, unless: isStopped(before:))
        let start = try input.start(WalkFileFormat.startBytes)
        let isArchive = start.starts(with: [0x1F, 0x8B]) || ZipArchive.begins(start)
        if format != nil || isArchive || kind(of: start, isNamed: isNamed) != nil {
            let isFile = FilePlace.sizeBytes(of: path) != nil
            return try await visit(
                input, at: isFile ? FilePlace(path) : nil, layers: 0, isNamed: isNamed)
        }
        do {
            guard let format = try input.captureFormat(for: .importing) else {
                guard isNamed else { return summary.passOver(path, as: FileKind.program(start)) }
                return try await restoring(path, EventFile(input))
            }
            try await importCapture(input, format, isNamed: isNamed)
        } catch {
            // Of what was found, something without a heart rate is no failure.
            guard !isNamed, CommandFailure(error).exitCode == .badData else { throw error }
            summary.passOver(path, as: FileKind.program(start))
        }
    }

    /// What a file of walks or of a health store is, as it was said or by its content; nil for any
    /// other file.
    private func kind(of start: [UInt8], isNamed: Bool) -> ImportFormat? {
        let walks = WalkFileFormat(recognizing: start)
        var store: HealthStoreFormat?
        if start.starts(with: "SQLite format 3\0".utf8) {
            store = .gadgetbridge
        } else if let root = XMLRoot.name(start) {
            // Of XML that is named any is looked into, so that what is wrong with it is said.
            let isKnown = walks != nil || FileKind.program(start) != nil
            store = root == "HealthData" || isNamed && !isKnown ? .appleHealth : nil
        }
        switch format {
        case .store(let said): return isNamed || store == said ? format : nil
        case let said?: return said
        case nil: return walks.map { .walks($0) } ?? store.map { .store($0) }
        }
    }

    private func importStore(
        _ place: FilePlace, _ format: HealthStoreFormat, isNamed: Bool
    ) async throws {
        try refuseHints(for: place.name)
        // What SQLite needs by name in TMPDIR is taken away before the process ends.
        if stop == nil { stop = StopRequest() }
        let (answer, damage, routes) = try await HealthImport(
            place, format, isAnyway: isAnyway, target, unless: isStopped(before:)
        ).run()
        // What belongs to a workout is no walk of its own.
        self.routes.formUnion(routes)
        if let answer {
            summary.add(answer)
            tell(answer)
        }
        if let damage { fail(damage, isNamed: isNamed) }
    }

    private func importCapture(
        _ input: ByteStream, _ format: CaptureFormat, isNamed: Bool
    ) async throws {
        let (answer, damage) = try await target.record(input, format, hints)
        tell(answer)
        if let damage { fail(damage, isNamed: isNamed) }
    }

    private func restoring(_ path: String, _ events: consuming EventFile) async throws {
        try refuseHints(for: path)
        try await restore(path, events)
    }

    private func refuseHints(for path: String) throws {
        try require(
            hints.isEmpty && hints.device == nil, .usage,
            "--handle, --begin, --zone and --device are for Bluetooth captures and walks; "
                + "\(path) is neither.")
    }

    // MARK: - Walks

    /// Imports a file of walks, or what is in an archive.
    private func visit(
        _ stream: ByteStream, at place: FilePlace?, layers: Int, isNamed: Bool
    ) async throws {
        let start = try stream.start(WalkFileFormat.startBytes)
        let isArchive = ZipArchive.begins(start)
        try require(
            !isArchive || layers < Self.layerLimit, .badData,
            "\(stream.name): too many archives within each other; unpack it first.")
        if isArchive {
            let archive = try ZipArchive(
                place ?? FilePlace(keeping: stream), unless: isStopped(before:))
            return try await visit(archive, layers: layers)
        }
        if layers <= Self.layerLimit, let content = try stream.gunzipped() {
            return try await visit(
                content, at: nil, layers: Self.layerLimit + 1, isNamed: isNamed)
        }
        switch kind(of: start, isNamed: isNamed) {
        case .walks(let format)?: try await importWalks(stream, format, isNamed: isNamed)
        case .store(let format)?:
            try await importStore(
                place ?? FilePlace(keeping: stream), format, isNamed: isNamed)
        case _ where isNamed:
            throw CommandFailure(
                .badData,
                "\(stream.name): this is "
                    + (FileKind.program(start)
                        ?? "a gzip archive of something that is no walk. Unpack it first."))
        default: summary.passOver(stream.name, as: FileKind.program(start))
        }
    }

    private func importWalks(
        _ stream: ByteStream, _ format: WalkFileFormat, isNamed: Bool
    ) async throws {
        walkFiles += 1
        let answer = try await WalkImport(hints: hints, isAnyway: isAnyway, target: target)
            .run(stream, format)
        summary.add(answer)
        if isJSON || isNamed && answer.hasContent { tell(answer) }
        // Of what was found, a file of settings or a course is no failure.
        guard let failure = answer.failure, isNamed || answer.damage != nil else { return }
        fail(failure, isNamed: isNamed, isCounted: answer.damage == nil)
    }

    private func visit(_ archive: ZipArchive, layers: Int) async throws {
        if stop == nil { stop = StopRequest() }
        hasFound = true
        for (index, entry) in Self.ordered(archive.entries, by: \.name).enumerated() {
            guard goesOn else { return }
            if layers == 0 {
                progress.show("Importing", percent: index * 100 / archive.entries.count)
            }
            let place = FilePlace(entry, in: archive)
            guard !entry.isHidden, !routes.contains(place.name) else { continue }
            summary.see(place.name)
            try await note(isNamed: false) {
                try await visit(
                    place.open(unless: isStopped(before:)), at: place, layers: layers + 1,
                    isNamed: false)
            }
        }
    }

    private func tell(_ answer: any Answer) {
        progress.clear()
        report(answer)
    }
}

extension ZipArchive.Entry {
    /// Whether it, or a folder that it is in, is hidden, or a Mac's own notes of a file.
    fileprivate var isHidden: Bool {
        name.split(separator: "/").contains {
            $0.hasPrefix(".") && $0 != ".." || $0 == "__MACOSX"
        }
    }
}

extension WalkImportText {
    fileprivate var hasContent: Bool { outcome != .nothing || days > 0 }

    /// Why not all of the file could be imported; nil if all was.
    fileprivate var failure: CommandFailure? {
        guard let damage else {
            let sentences = text.split(separator: "\n").joined(separator: " ")
            return hasContent ? nil : CommandFailure(.badData, sentences)
        }
        if case .recorded = outcome { return CommandFailure(ofPart: file, damage) }
        return CommandFailure(
            .badData, "\(file)\(hasContent ? ", in part" : " was not imported"): \(damage)")
    }
}
