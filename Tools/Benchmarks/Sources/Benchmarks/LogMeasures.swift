import CReference
import Deciding
import EventStore
import EventStoreLMDB
import Events
import Projections

/// What a log costs from its first append to the last total, against C on the same blocks and
/// against stores that keep each event by itself.
///
/// All sides append the same events in the same durable transactions. The fold of all projections
/// is held against C that adds up nothing but the core totals.
extension Measures {
    /// What is appended and folded.
    private struct Input {
        let name: String
        let title: String
        let events: Int
        /// Those who keep each event by itself and take part.
        var rivals: [ref_contender] = []
        let prologue: EventChunk
        let next: (Int) throws -> EventChunk
    }

    /// Someone who keeps the log, and what that takes.
    private struct Side {
        let name: String
        let append: (EventChunk) async throws -> Void
        let addUp: () throws -> ref_core
        var appending = Samples()
        var appendingCPU = Samples()
        var adding = Samples()
    }

    /// Measures all inputs, and compares how fast they are folded.
    ///
    /// - Throws: ``LogsDiffer`` or ``TotalsDiffer`` if the sides do not agree; the errors of the
    ///   stores.
    func measureLogs() async throws -> [Measure] {
        var mixture = StandardMixture(seed: options.seed)
        var copies = mixture
        copies.deliveryFactor = 2
        var walks = YearOfWalks(events: options.walkEvents, seed: options.seed)
        let rivals = [ref_records, ref_sqlite]
        let inputs = try [
            Input(
                name: "Mixture", title: "mixture", events: options.events, rivals: rivals,
                prologue: mixture.prologue(), next: { try mixture.chunk(of: $0) }),
            Input(
                name: "Walks", title: "year of walks", events: options.walkEvents, rivals: rivals,
                prologue: walks.prologue(), next: { try walks.chunk(of: $0) }),
            Input(
                name: "Copies", title: "each value twice", events: options.walkEvents,
                prologue: copies.prologue(), next: { try copies.chunk(of: $0) }),
        ]
        var measures: [Measure] = []
        var rates: [Double] = []
        for input in inputs {
            let stores = try workspace.stores(input.name)
            let (lines, rate) = try await measure(input, in: stores)
            measures += lines
            rates.append(rate)
            progress("\(input.title): comparing the two logs block for block")
            _ = try stores.compare()
            if input.name == "Mixture" { measures += try measureReading(from: stores) }
        }
        let (slowest, fastest) = (rates.min() ?? 0, rates.max() ?? 1)
        measures.append(
            Measure(
                name: "foldSlowest", title: "full fold, slowest mixture", unit: .eventsPerSecond,
                swift: slowest, reference: fastest, ratio: slowest / fastest, must: .atLeast(0.7),
                rival: "fastest"))
        return measures
    }

    /// Appends and folds one input.
    ///
    /// - Returns: The lines, and how many events are folded in a second.
    private func measure(
        _ input: Input, in stores: StorePair
    ) async throws -> (lines: [Measure], foldRate: Double) {
        let (log, reference) = try stores.create(input.prologue)
        var sides = [
            Side(
                name: "Swift", append: { _ = try await log.append($0.batch, expecting: nil) },
                addUp: { try CoreTotals(of: log).figures }),
            Side(
                name: "C", append: { try reference.append($0) },
                addUp: { try reference.addUp() }),
        ]
        for rival in input.rivals {
            let directory = try workspace.directory("\(input.name)-\(sides.count)")
            let rows = try RowStore(rival, directory: directory)
            try rows.append(input.prologue)
            sides.append(
                Side(
                    name: rows.name, append: { try rows.append($0) },
                    addUp: { try rows.addUp() }))
        }
        try await append(input, to: &sides)
        var folding = Samples()
        // A round that nobody times brings all files into memory.
        for round in 0...options.rounds {
            progress("\(input.title): folding, round \(round)")
            var state = LogState()
            let seconds = try Stopwatch.processor.time { try log.fold(into: &state) }
            let totals = try CoreTotals(of: log)
            try state.compare(with: totals)
            if round > 0 { folding.add(seconds) }
            for index in sides.indices {
                var added = ref_core()
                let seconds = try Stopwatch.processor.time { added = try sides[index].addUp() }
                try totals.compare(with: added, of: sides[index].name)
                if round > 0 { sides[index].adding.add(seconds) }
            }
        }
        log.close()
        let lines = Self.lines(input, sides, folding)
        return (lines, Double(input.events) / folding.median)
    }

    /// Appends all events; which side comes first depends on the round.
    private func append(_ input: Input, to sides: inout [Side]) async throws {
        var left = input.events - input.prologue.count
        var round = 0
        while left > 0 {
            progress("\(input.title): appending, \(left) events left")
            let chunk = try input.next(min(left, options.commitEvents))
            for offset in sides.indices {
                let index = (offset + round) % sides.count
                let start = (wall: Stopwatch.wall.now, processor: Stopwatch.processor.now)
                try await sides[index].append(chunk)
                sides[index].appending.add(Stopwatch.wall.now - start.wall)
                sides[index].appendingCPU.add(Stopwatch.processor.now - start.processor)
            }
            left -= chunk.count
            round += 1
        }
    }

    /// A line for each work and each other side, by the rate of events.
    private static func lines(
        _ input: Input, _ sides: [Side], _ folding: Samples
    ) -> [Measure] {
        let count = Double(input.events)
        func line(
            _ name: String, _ title: String, _ swift: Samples, _ other: Samples, of rival: String,
            by seconds: KeyPath<Samples, Double>, must: Double? = nil, goal: Double? = nil
        ) -> Measure {
            Measure(
                name: name + input.name + rival, title: title, unit: .eventsPerSecond,
                swift: count / swift[keyPath: seconds], reference: count / other[keyPath: seconds],
                ratio: other.pairedRatio(to: swift), must: must.map { .atLeast($0) },
                goal: goal.map { .atLeast($0) }, rival: rival)
        }
        let swift = sides[0]
        return sides.dropFirst().flatMap { side in
            let isC = side.name == "C"
            let isSQLite = side.name == "SQLite"
            let reading = line(
                "add", "... core totals alone", swift.adding, side.adding, of: side.name,
                by: \.median)
            return [
                line(
                    "append", "append, \(input.title)", swift.appending, side.appending,
                    of: side.name, by: \.total, must: isC ? 0.75 : isSQLite ? 13 : nil),
                line(
                    "appendCPU", "... processor time", swift.appendingCPU, side.appendingCPU,
                    of: side.name, by: \.total),
                line(
                    "fold", "full fold, \(input.title)", folding, side.adding, of: side.name,
                    by: \.median, must: isSQLite ? 3.5 : nil, goal: isSQLite ? 5 : nil),
            ] + (isC ? [reading] : [])
        }
    }
}
