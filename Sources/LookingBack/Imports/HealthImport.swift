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

/// Reports a health store's totals, and takes its workouts into the log.
package struct HealthImport {
    /// A walk is appended with the next ones, up to so many facts, so that the memory that a decade
    /// takes is that of some walks.
    private static let portionFacts = 16_384

    private let file: HealthStoreFile
    private let name: String
    private let format: HealthStoreFormat
    private let isAnyway: Bool
    private let target: ImportTarget

    /// Prepares an import.
    package init(
        _ place: FilePlace, _ format: HealthStoreFormat, isAnyway: Bool, _ target: ImportTarget
    ) {
        (file, name) = (HealthStoreFile(place), place.name)
        (self.format, self.isAnyway, self.target) = (format, isAnyway, target)
    }

    /// Reads the file and reports what the log does not know.
    ///
    /// - Returns: What became of it, nil if it is not a health store; the failure of a file of
    ///   which only a part could be read; that part is reported; and the files of its routes.
    /// - Throws: ``CommandFailure`` if nothing of it could be read, or the log fails.
    package func run() async throws -> (
        answer: HealthImportText?, damage: CommandFailure?, routes: [String]
    ) {
        let progress = ReadingProgress(of: name)
        defer { progress.clear() }
        let reading = try file.read(as: format, progress: progress.show)
        progress.clear()
        guard case .days(let days) = reading.content else { return (nil, nil, []) }
        let walks = try await importWalks(reading)
        let receipts = try await target.record(days, origin: format.origin)
        let answer = HealthImportText(
            file: name, format: format.rawValue, origin: format.origin, days: days,
            receipts: receipts, refusedCount: reading.refusedCount,
            remarks: reading.remarks + walks.remarks, isPartial: reading.damage != nil,
            walks: walks.count, sports: walks.sports, isDry: target.isDry)
        return (
            answer, reading.damage.map { CommandFailure(ofPart: name, $0) },
            file.routes(of: reading.workouts).map(\.name)
        )
    }
}

// MARK: - Walks

extension HealthImport {
    private struct Walks {
        var count: UInt64 = 0
        var sports = SportCounts()
        var sources: [UInt32] = []
        var remarks: [String] = []
    }

    /// Takes the workouts that are not known yet into the log, as sources of their own.
    ///
    /// One that began and took as long as a walk of the log is known: a health store's export has
    /// all of them again each time, and what was recorded here or came in another file as well.
    private func importWalks(_ reading: HealthReading) async throws -> Walks {
        var result = Walks()
        guard !reading.workouts.isEmpty else { return result }
        let known = try await target.known()
        func isNew(_ workout: HealthWorkout) -> Bool {
            !known.contains(from: workout.span.lowerBound, until: workout.span.upperBound)
        }
        let wanted = reading.workouts.filter { isAnyway || $0.sport == nil }
        for workout in reading.workouts where !isAnyway && isNew(workout) {
            if let sport = workout.sport { result.sports.add(sport) }
        }
        // What began during another one is left out also when that one is known.
        let apart = HealthWorkout.apart(wanted)
        let new = apart.filter(isNew)
        guard !new.isEmpty else { return result }
        let progress = ReadingProgress(of: name)
        defer { progress.clear() }
        let walks = try reading.walks ?? file.readWalks(of: new, progress: progress.show)
        var leftOut = walks.facts
        leftOut.leaveOut(
            "workouts that began during another one", count: UInt64(wanted.count - apart.count))
        let began = ImportBegan(
            fileName: (name.split(separator: "/").last.map(String.init) ?? name).fitting(1_024),
            format: format.rawValue, sha256: try file.sha256())
        var seen = try await target.known(EventBatch(), began.sha256)?.place
        var facts = WalkFacts()
        for (index, workout) in new.enumerated() {
            walks.add(workout, hasRoute: !file.routes(of: [workout]).isEmpty, to: &facts)
            file.addRoutes(of: workout, to: &facts)
            let next = new.dropFirst(index + 1).first
            let isApart = next == nil || next?.offsetMinutes != workout.offsetMinutes
            guard isApart || facts.facts.count >= Self.portionFacts else { continue }
            for (what, count) in facts.leftOut { leftOut.leaveOut(what, count: count) }
            let events = facts.events(of: began)
            let outcome = try await target.record(name, events, began.sha256, beyond: seen)
            // Another process imports it as well.
            if case .known? = outcome { break }
            result.count += UInt64(events.headers.count { $0.kind == .sessionStarted })
            if let outcome { result.sources.append(outcome.source) }
            seen = try await target.known(EventBatch(), began.sha256)?.place
            facts = WalkFacts()
        }
        result.remarks = sentences(result, leftOut)
        return result
    }

    private func sentences(_ walks: Walks, _ leftOut: WalkFacts) -> [String] {
        guard walks.count > 0 else { return [] }
        let new = counted(walks.count, "new walk")
        guard let first = walks.sources.first, let last = walks.sources.last else {
            return ["It would bring \(new)."]
        }
        let place = first == last ? "import \(first)" : "imports \(first) to \(last)"
        return ["\(new), as \(place): `pulselog sessions`."]
            + leftOut.leftOut.filter { $0.count > 0 }.map {
                "Left out: \($0.what) (\(grouped($0.count)))."
            }
    }
}

extension CommandFailure {
    /// The failure of a file of which only a part was imported.
    init(ofPart file: String, _ damage: String) {
        self.init(.badData, "\(file), in part: \(damage) Everything before that was imported.")
    }
}
