import CReference
import Events
import EventStore
import EventStoreLMDB
import Projections

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
            case .bulk: measures += try await measureBulk()
            case .verify: measures += try await measureVerification()
            case .rows: measures += try await measureRows()
            case .order: measures += try measureOrder()
            }
        }
        return measures
    }

    private func measureBulk() async throws -> [Measure] {
        let stores = try workspace.stores("bulk")
        return try await measureBulkAppend(to: stores) + measureSize(of: stores)
            + measureReading(from: stores)
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
                must: .atMost(1.1)),
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

    /// Many events in each durable transaction.
    ///
    /// The batches are filled before the clock starts.
    private func measureBulkAppend(to stores: StorePair) async throws -> [Measure] {
        var mixture = StandardMixture(seed: options.seed)
        let prologue = try mixture.prologue()
        let (log, reference) = try stores.create(prologue)
        var left = options.events - prologue.count
        var pair = WaitingPair()
        var filling = Samples()
        var round = 0
        while left > 0 {
            progress("appending in bulk, \(left) events left")
            let chunk = try mixture.chunk(of: min(left, options.commitEvents))
            let start = Stopwatch.processor.now
            try fill(chunk)
            filling.add(Stopwatch.processor.now - start)
            try await pair.time(round: round) {
                _ = try await log.append(chunk.batch, expecting: nil)
            } reference: {
                try reference.append(chunk)
            }
            left -= chunk.count
            round += 1
        }
        log.close()
        let count = Double(options.events - prologue.count)
        let (wall, processor) = (pair.wall, pair.processor)
        return [
            Measure(
                name: "bulkAppend", title: "bulk append", unit: .eventsPerSecond,
                swift: count / wall.swift.total, reference: count / wall.reference.total,
                ratio: wall.rateRatio, must: .atLeast(0.9)),
            Measure(
                name: "bulkAppendCPU", title: "... processor time", unit: .eventsPerSecond,
                swift: count / processor.swift.total, reference: count / processor.reference.total,
                ratio: processor.rateRatio),
            Measure(
                name: "bulkAppendFillingCPU", title: "... filling the batch, too",
                unit: .eventsPerSecond, swift: count / (processor.swift.total + filling.total)),
        ]
    }

    /// Fills a batch from the payloads, as an import does.
    private func fill(_ chunk: borrowing EventChunk) throws {
        var batch = EventBatch()
        let payloads = chunk.payloads.span
        for (index, header) in chunk.batch.headers.enumerated() {
            let start = Int(chunk.references[index].payload_offset)
            let end = start + Int(chunk.references[index].payload_size)
            try batch.append(header, payload: payloads.extracting(start..<end))
        }
        precondition(batch.count == chunk.count, "Every event is filled in.")
    }

    // MARK: - Size

    private func measureSize(of stores: StorePair) throws -> [Measure] {
        progress("comparing the two logs block for block")
        _ = try stores.compare()
        let usage = try ReferenceStore.measure(stores.swift)
        let other = try ReferenceStore.measure(stores.reference)
        let count = Double(usage.events)
        return [
            Measure(
                name: "fileBytesPerEvent", title: "bytes of the file per event", unit: .bytes,
                swift: Double(usage.pages) * 4_096 / count,
                reference: Double(other.pages) * 4_096 / count, must: .valueAtMost(8.5)),
            Measure(
                name: "blockBytesPerEvent", title: "bytes of the blocks per event", unit: .bytes,
                swift: Double(usage.block_bytes) / count,
                reference: Double(other.block_bytes) / count),
        ]
    }

    // MARK: - Reading

    private func measureReading(from stores: StorePair) throws -> [Measure] {
        var opening = Pair()
        for round in 0..<options.rounds * 3 {
            progress("opening, round \(round + 1)")
            try time(&opening, round, stores)
        }
        let log = try LMDBEventLog.open(directory: stores.swift, mode: .existing)
        let reference = try ReferenceStore(directory: stores.reference)
        let count = Double(options.events)
        // A round that nobody times brings both files into memory.
        var folding = try foldRounds(log, reference, rounds: 1)
        folding = try foldRounds(log, reference, rounds: options.rounds)
        let verifying = try verifyRounds(log, reference)
        log.close()
        return [
            Measure(
                name: "fold", title: "full fold, all projections", unit: .eventsPerSecond,
                swift: count / folding.swift.median, reference: count / folding.reference.median,
                ratio: folding.rateRatio, must: .atLeast(0.75)),
            Measure(
                name: "verify", title: "verify: CRC and every event", unit: .eventsPerSecond,
                swift: count / verifying.swift.median,
                reference: count / verifying.reference.median, ratio: verifying.rateRatio),
            Measure(
                name: "open", title: "open to head", unit: .microseconds,
                swift: opening.swift.median, reference: opening.reference.median,
                ratio: opening.timeRatio),
        ]
    }

    /// Opens both stores and asks for the head; the closing is not timed.
    private func time(_ pair: inout Pair, _ round: Int, _ stores: StorePair) throws {
        var log: LMDBEventLog?
        var reference: ReferenceStore?
        var heads: (swift: Position, reference: UInt64) = (0, 0)
        try pair.time(.wall, round: round) {
            let opened = try LMDBEventLog.open(directory: stores.swift, mode: .existing)
            heads.swift = try opened.next
            log = opened
        } reference: {
            let opened = try ReferenceStore(directory: stores.reference)
            heads.reference = opened.next
            reference = opened
        }
        precondition(heads.swift == heads.reference, "Equal logs end at the same position.")
        log?.close()
        withExtendedLifetime(reference) {}
    }

    /// Folds both logs in turns, and compares every figure each time.
    private func foldRounds(
        _ log: LMDBEventLog, _ reference: ReferenceStore, rounds: Int
    ) throws -> Pair {
        var pair = Pair()
        for round in 0..<rounds {
            progress("folding, round \(round + 1)")
            var state = LogState()
            var totals: ReferenceTotals?
            try pair.time(.processor, round: round) {
                try fold(log, into: &state)
            } reference: {
                totals = try reference.fold()
            }
            if let totals { try state.compare(with: totals) }
        }
        return pair
    }

    /// Folds a whole log, block by block.
    func fold(_ log: LMDBEventLog, into state: inout LogState) throws {
        var damage: DamagedBlock?
        try log.readBlocks(from: 0) { block in
            do throws(DamagedBlock) {
                try state.evolve(block: block)
            } catch {
                damage = error
            }
            return damage == nil
        }
        if let damage { throw damage }
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
