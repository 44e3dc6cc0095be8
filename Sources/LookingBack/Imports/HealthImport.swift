internal import Deciding
internal import Events
internal import Interchange
package import Sensors
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
        _ place: FilePlace, _ format: HealthStoreFormat, isAnyway: Bool, _ target: ImportTarget,
        unless isStopped: @escaping ByteStream.StopCheck
    ) {
        (file, name) = (HealthStoreFile(place, unless: isStopped), place.name)
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
        var answer = HealthImportText(
            file: name, format: format.rawValue, origin: format.origin, days: days)
        (answer.uselessCount, answer.remarks) = (reading.refusedCount, reading.remarks)
        (answer.isPartial, answer.isDry) = (reading.damage != nil, target.isDry)
        try await importWalks(reading, &answer)
        answer.receipts = try await target.record(days, origin: format.origin)
        return (
            answer, reading.damage.map { CommandFailure(ofPart: name, $0) },
            file.routes(of: reading.workouts).map(\.name)
        )
    }

    // MARK: - Walks

    /// Takes the workouts that are not known yet into the log, as sources of their own.
    ///
    /// One that began and took as long as a walk of the log is known: a health store's export has
    /// all of them again each time, and what was recorded here or came in another file as well.
    private func importWalks(
        _ reading: HealthReading, _ answer: inout HealthImportText
    ) async throws {
        guard !reading.workouts.isEmpty else { return }
        let known = try await target.known()
        func isNew(_ workout: HealthWorkout) -> Bool {
            !known.contains(from: workout.span.lowerBound, until: workout.span.upperBound)
        }
        var dated = WalkFacts(until: target.end)
        let wanted = reading.workouts.filter {
            (isAnyway || $0.sport?.isOnFoot ?? true) && dated.isPossible($0.span.lowerBound)
                && dated.isPossible($0.span.upperBound)
        }
        answer.remarks += dated.leftOutSentences
        for workout in reading.workouts where !isAnyway && isNew(workout) {
            if let sport = workout.sport, !sport.isOnFoot { answer.sports.append(sport) }
        }
        // What began during another one is left out also when that one is known.
        let apart = HealthWorkout.apart(wanted)
        let new = apart.filter(isNew)
        guard !new.isEmpty else { return }
        let progress = ReadingProgress(of: name)
        defer { progress.clear() }
        let walks = try reading.walks ?? file.readWalks(of: new, progress: progress.show)
        var leftOut = walks.facts
        leftOut.leaveOut(
            "workouts that began during another one", count: UInt64(wanted.count - apart.count))
        let began = try ImportBegan(ofFile: name, format: format.rawValue, sha256: file.sha256())
        var seen = try await target.known(EventBatch(), began.sha256)?.place
        var (facts, sources): (WalkFacts, [UInt32]) = (WalkFacts(until: target.end), [])
        for (index, workout) in new.enumerated() {
            let places = file.places(of: workout, &facts)
            walks.add(workout, places, to: &facts)
            let next = new.dropFirst(index + 1).first
            let isApart = next == nil || next?.offsetMinutes != workout.offsetMinutes
            guard isApart || facts.count >= Self.portionFacts else { continue }
            for (what, count) in facts.leftOut { leftOut.leaveOut(what, count: count) }
            let events = facts.events(of: began)
            facts = WalkFacts(until: target.end)
            let outcome = try await target.record(
                name, target.draft(events), began.sha256, beyond: seen)
            // It is known by its heart rates, or another process imports the file as well.
            if case .known? = outcome { continue }
            events.forEach { if $0.header.kind == .sessionStarted { answer.walks += 1 } }
            if let outcome { sources.append(outcome.source) }
            seen = try await target.known(EventBatch(), began.sha256)?.place
        }
        answer.remarks += sentences(answer.walks, sources, leftOut)
    }

    private func sentences(
        _ walks: UInt64, _ sources: [UInt32], _ leftOut: WalkFacts
    ) -> [String] {
        guard walks > 0 else { return [] }
        let new = counted(walks, "new walk")
        guard let first = sources.first, let last = sources.last else {
            return ["It would bring \(new)."]
        }
        let place = first == last ? "import \(first)" : "imports \(first) to \(last)"
        return ["\(new), as \(place): `pulselog sessions`."]
            + leftOut.leftOutSentences
    }
}

extension CommandFailure {
    /// The failure of a file of which only a part was imported.
    init(ofPart file: String, _ damage: String) {
        self.init(.badData, "\(file), in part: \(damage) Everything before that was imported.")
    }
}
