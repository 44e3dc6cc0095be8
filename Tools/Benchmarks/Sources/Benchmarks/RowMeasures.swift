import CReference
import Events
import EventStore
import EventStoreLMDB
import Projections

/// What the log and its fold gain on stores that keep each event by itself.
///
/// All sides append the same events in the same durable transactions, and fold them to the same
/// totals: the rows' fold is the reference's, one event after the other.
extension Measures {
    /// Measures both inputs.
    ///
    /// - Throws: ``TotalsDiffer`` if a fold gives something else; the errors of the stores.
    func measureRows() async throws -> [Measure] {
        var mixture = StandardMixture(seed: options.seed)
        var walks = YearOfWalks(events: options.walkEvents, seed: options.seed)
        let prologues = try (mixture.prologue(), walks.prologue())
        return try await measureRows(
            Contest(name: "Mixture", title: "mixture", events: options.events, goal: 6),
            prologues.0, { try mixture.chunk(of: $0) })
            + measureRows(
                Contest(
                    name: "Walks", title: "year of walks", events: options.walkEvents, goal: 10),
                prologues.1, { try walks.chunk(of: $0) })
    }

    /// What is appended and folded.
    private struct Contest {
        let name: String
        let title: String
        let events: Int
        /// How many times as fast as SQLite's the fold is to be in the end.
        let goal: Double
    }

    /// The times of the same work on each side: Swift, C by blocks, and the rows.
    private struct Times {
        var swift = Samples()
        var blocks = Samples()
        var rows: [Samples]
    }

    private func measureRows(
        _ input: Contest, _ prologue: EventChunk, _ next: (Int) throws -> EventChunk
    ) async throws -> [Measure] {
        let stores = try workspace.stores(input.name)
        let rows = try [ref_records, ref_sqlite, ref_rocksdb].enumerated().map { index, contender in
            try RowStore(
                contender, directory: workspace.directory("\(input.name)-rows\(index)"))
        }
        let (log, reference) = try stores.create(prologue)
        for row in rows { try row.append(prologue) }
        var appending = Times(rows: rows.map { _ in Samples() })
        var processor = appending
        var left = input.events - prologue.count
        while left > 0 {
            progress("\(input.title): appending, \(left) events left")
            let chunk = try next(min(left, options.commitEvents))
            var start = Stopwatch.processor.now
            appending.swift.add(
                try await seconds(.wall) { _ = try await log.append(chunk.batch, expecting: nil) })
            processor.swift.add(Stopwatch.processor.now - start)
            appending.blocks.add(try await seconds(.wall) { try reference.append(chunk) })
            for (index, row) in rows.enumerated() {
                start = Stopwatch.processor.now
                appending.rows[index].add(try await seconds(.wall) { try row.append(chunk) })
                processor.rows[index].add(Stopwatch.processor.now - start)
                row.rest()
            }
            left -= chunk.count
        }
        var folding = try await foldRows(input, log, reference, rows, rounds: 1)
        folding = try await foldRows(input, log, reference, rows, rounds: options.rounds)
        log.close()
        return measures(input, rows.map(\.name), appending, processor, folding)
    }

    private func foldRows(
        _ input: Contest, _ log: LMDBEventLog, _ reference: ReferenceStore, _ rows: [RowStore],
        rounds: Int
    ) async throws -> Times {
        var times = Times(rows: rows.map { _ in Samples() })
        for round in 0..<rounds {
            progress("\(input.title): folding, round \(round + 1)")
            var state = LogState()
            times.swift.add(try await seconds(.processor) { try fold(log, into: &state) })
            var totals = try reference.fold()
            times.blocks.add(try await seconds(.processor) { totals = try reference.fold() })
            try state.compare(with: totals)
            for (index, row) in rows.enumerated() {
                times.rows[index].add(
                    try await seconds(.processor) { totals = try row.fold() })
                try state.compare(with: totals)
            }
        }
        return times
    }

    /// How long something takes.
    private func seconds(
        _ watch: Stopwatch, _ body: () async throws -> Void
    ) async rethrows -> Double {
        let start = watch.now
        try await body()
        return watch.now - start
    }

    private func measures(
        _ input: Contest, _ names: [String], _ appending: Times, _ processor: Times,
        _ folding: Times
    ) -> [Measure] {
        let count = Double(input.events)
        var measures: [Measure] = []
        if input.name == "Walks" {
            measures.append(
                Measure(
                    name: "foldWalks", title: "full fold, \(input.title)", unit: .eventsPerSecond,
                    swift: count / folding.swift.median,
                    reference: count / folding.blocks.median,
                    ratio: folding.blocks.pairedRatio(to: folding.swift), must: .atLeast(0.75)))
        }
        for (index, name) in names.enumerated() {
            let isSQLite = name == "SQLite"
            measures += [
                Measure(
                    name: "append\(input.name)\(name)", title: "append, \(input.title)",
                    unit: .eventsPerSecond, swift: count / appending.swift.total,
                    reference: count / appending.rows[index].total,
                    ratio: appending.rows[index].pairedRatio(to: appending.swift),
                    must: isSQLite ? .atLeast(25) : nil, rival: name),
                Measure(
                    name: "append\(input.name)\(name)CPU", title: "... processor time",
                    unit: .eventsPerSecond, swift: count / processor.swift.total,
                    reference: count / processor.rows[index].total,
                    ratio: processor.rows[index].pairedRatio(to: processor.swift), rival: name),
                Measure(
                    name: "fold\(input.name)\(name)", title: "full fold, \(input.title)",
                    unit: .eventsPerSecond, swift: count / folding.swift.median,
                    reference: count / folding.rows[index].median,
                    ratio: folding.rows[index].pairedRatio(to: folding.swift),
                    must: isSQLite ? .atLeast(6) : nil,
                    goal: isSQLite ? .atLeast(input.goal) : nil, rival: name),
            ]
        }
        return measures
    }
}
