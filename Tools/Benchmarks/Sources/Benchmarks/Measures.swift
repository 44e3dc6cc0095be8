import Events
import EventStore
import EventStoreLMDB

/// What is measured, each in both languages on the same input.
struct Measures {
    let options: Options
    let workspace: Workspace
    let progress: (String) -> Void

    /// Runs everything.
    ///
    /// - Throws: ``LogsDiffer`` or ``TotalsDiffer`` if the two sides do not agree; the errors of
    ///   the stores.
    func run() async throws -> [Measure] {
        if options.isLong { return try await measureLong() }
        var measures: [Measure] = []
        for part in options.parts {
            switch part {
            case .durable: measures += try await measureDurableAppend()
            case .recorder: measures += try await measureRecorder()
            case .log: measures += try await measureLogs()
            case .verify: measures += try await measureVerification()
            case .order: measures += try measureOrder()
            }
        }
        return measures
    }

    // MARK: - Appending

    /// One event, durable: from the call to the answer, with the way to the log's writer thread
    /// and back in Swift.
    private func measureDurableAppend() async throws -> [Measure] {
        progress("appending single durable events")
        let stores = try workspace.stores("durable")
        var mixture = StandardMixture(seed: options.seed)
        let (log, reference) = try stores.create(mixture.prologue())
        let chunks = try (0..<options.durableEvents).map { _ in try mixture.chunk(of: 1) }
        var pair = WaitingPair()
        for (round, chunk) in chunks.enumerated() {
            try await pair.time(round: round) {
                _ = try await log.append(chunk.batch, expecting: nil)
            } reference: {
                try reference.append(chunk)
            }
        }
        log.close()
        let wall = pair.wall
        return [
            Measure(
                name: "durableEventP50", title: "one durable event, p50", unit: .microseconds,
                swift: wall.swift.median, reference: wall.reference.median,
                ratio: wall.swift.median / wall.reference.median,
                must: .atMost(1.4)),
            Measure(
                name: "durableEventP99", title: "one durable event, p99", unit: .microseconds,
                swift: wall.swift.quantile(0.99), reference: wall.reference.quantile(0.99),
                ratio: wall.swift.quantile(0.99) / wall.reference.quantile(0.99)),
            Measure(
                name: "durableEventCPU", title: "... processor time", unit: .microseconds,
                swift: pair.processor.swift.median, reference: pair.processor.reference.median,
                ratio: pair.processor.timeRatio),
        ]
    }

    // MARK: - Size and reading

    /// How many bytes the log takes, and what it costs to check both.
    func measureReading(from stores: StorePair) throws -> [Measure] {
        let log = try LMDBEventLog.open(directory: stores.swift, mode: .existing)
        let reference = try ReferenceStore(directory: stores.reference)
        let count = Double(options.events)
        let usage = try log.usage()
        let verifying = try verifyRounds(log, reference)
        log.close()
        return [
            Measure(
                name: "fileBytesPerEvent", title: "bytes of the file per event", unit: .bytes,
                swift: Double(usage.fileSizeBytes) / count, must: .valueAtMost(8.5)),
            Measure(
                name: "blockBytesPerEvent", title: "bytes of the blocks per event", unit: .bytes,
                swift: Double(usage.blockBytes) / count),
            Measure(
                name: "verify", title: "verify: CRC and every event", unit: .eventsPerSecond,
                swift: count / verifying.swift.median,
                reference: count / verifying.reference.median, ratio: verifying.rateRatio),
        ]
    }

    private func verifyRounds(_ log: LMDBEventLog, _ reference: ReferenceStore) throws -> Pair {
        var pair = Pair()
        for round in 0..<options.rounds {
            progress("verifying, round \(round + 1)")
            var counts: (swift: UInt64, reference: UInt64) = (0, 0)
            try pair.time(.processor, round: round) {
                let verification = try log.verify()
                if let damage = verification.damage { throw damage }
                counts.swift = verification.next
            } reference: {
                counts.reference = try reference.verify()
            }
            precondition(counts.swift == counts.reference, "Equal logs have as many events.")
        }
        return pair
    }
}
