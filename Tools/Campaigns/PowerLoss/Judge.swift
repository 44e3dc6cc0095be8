internal import CampaignRuns
internal import EventStore
internal import EventStoreLMDB

/// What a power cut has done.
enum Verdict {
    case whole
    /// What was said to be in the log is not.
    case lost(String)
    /// The log holds what the run never appended there.
    case invented(String)
    /// The store cannot be opened, read, appended to, or sealed.
    case unopened(String)
    /// Something else that must not be.
    case unsound(String)
}

/// Looks at what a power cut has left of one run.
struct Judge {
    let scenario: Scenario
    /// What was there before.
    let before: FileTree
    let eventsBefore: UInt64
    /// What the run has left without a power cut.
    let after: StoreReading
    /// Where the remains are put.
    let place: String

    private var store: String {
        "\(place)/\(scenario.subject == .copy ? StagedRun.copyName : StagedRun.storeName)"
    }
    private var state: String { "\(place)/\(StagedRun.stateName)" }

    /// Uses what is left as the next commands would.
    ///
    /// - Parameters:
    ///   - remains: What is on disk.
    ///   - moment: When the power failed.
    /// - Returns: What became of it.
    /// - Throws: ``CampaignError`` if a file cannot be written.
    func verdict(
        on remains: FileTree, at moment: TracedRun.Moment
    ) async throws(CampaignError) -> Verdict {
        if let words = strangeName(in: remains) { return .unsound(words) }
        if scenario.subject == .copy, let words = changeOfSource(remains) { return .unsound(words) }
        try Files.removeTree(place)
        try Files.put(remains, place)
        let isMade = scenario.subject == .store || moment.isEnd || moment.said.events != nil
        guard remains[store.dropFirst(place.count + 1)] != nil else {
            if isMade { return .lost("the store is not there") }
            return scenario.subject == .newStore ? await makeAnew() : .whole
        }
        do throws(EventLogError) {
            let reading = try StoreReading(store, state: state)
            if let fault = fault(of: reading, at: moment) { return fault }
            return try await use(reading)
        } catch {
            return .unopened("\(error)")
        }
    }

    // MARK: - Names

    /// What has a name that nobody expects.
    private func strangeName(in remains: FileTree) -> String? {
        guard case .folder(let entries) = remains else { return "it is no folder" }
        let known = [StagedRun.storeName, StagedRun.stateName]
        for name in entries.keys.sorted() where !known.contains(name) {
            let isPart = [StagedRun.storeName, StagedRun.copyName].contains {
                name.hasPrefix("\($0).creating-")
            }
            let isCopy = name == StagedRun.copyName && scenario.subject == .copy
            guard isPart || isCopy else { return "there is \(name)" }
        }
        return nil
    }

    private func changeOfSource(_ remains: FileTree) -> String? {
        for name in ["data.mdb", "log.id"] {
            let path = "\(StagedRun.storeName)/\(name)"[...]
            guard remains[path] == before[path] else { return "the source's \(name) has changed" }
        }
        return nil
    }

    // MARK: - The log

    private func fault(of reading: StoreReading, at moment: TracedRun.Moment) -> Verdict? {
        let events = reading.events
        let common = zip(events, after.events).prefix { $0 == $1 }.count
        if common < events.count { return .invented("event \(common) is not of this run") }
        // A copy appears when it is whole.
        let isOver = moment.isEnd || scenario.subject == .copy
        let told = isOver ? UInt64(after.events.count) : moment.said.events ?? eventsBefore
        if events.count < told { return .lost("\(events.count) of \(told) events are there") }
        let signed = moment.isEnd ? after.evidence.signedEvents : moment.said.signed ?? 0
        if reading.evidence.signedEvents < signed {
            return .unsound("\(reading.evidence.signedEvents) of \(signed) events are signed")
        }
        return nil
    }

    /// Appends, seals, and reads everything again.
    private func use(_ reading: StoreReading) async throws(EventLogError) -> Verdict {
        let log = try LMDBEventLog.open(directory: store, mode: .existing)
        var trouble: String?
        do {
            let batch = try Writer.batch(1, number: 1_000_000)
            _ = try await log.append(batch, expecting: UInt64(reading.events.count))
            try await log.makeCheckpoint(
                in: CheckpointFolder("\(state)/\(log.origin)"), random: Writer.randomBytes)
        } catch {
            trouble = "\(error)"
        }
        log.close()
        if let trouble { return .unopened("an append or a checkpoint: \(trouble)") }
        let later = try StoreReading(store, state: state)
        guard later.events.starts(with: reading.events),
            later.events.count == reading.events.count + 1,
            later.evidence.signedEvents == later.events.count
        else { return .unsound("after an append it is not that log and one event") }
        return .whole
    }

    /// Makes the store that is not there, as the next command would.
    private func makeAnew() async -> Verdict {
        do {
            let origin = try Writer.origin(id: Writer.randomBytes(LogOrigin.idBytes))
            let log = try LMDBEventLog.open(directory: store, mode: .create(origin))
            log.close()
            return try await use(StoreReading(store, state: state))
        } catch {
            return .unopened("it cannot be made anew: \(error)")
        }
    }
}

extension FileTree {
    /// What is at a path; nil if nothing is.
    fileprivate subscript(path: Substring) -> FileTree? {
        guard case .folder(let entries) = self else { return nil }
        let names = path.split(separator: "/", maxSplits: 1)
        guard let first = names.first, let entry = entries[String(first)] else { return nil }
        return names.count < 2 ? entry : entry[names[1]]
    }
}
