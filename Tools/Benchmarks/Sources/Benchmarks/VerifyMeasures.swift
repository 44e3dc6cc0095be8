import Events
import EventStoreLMDB

/// What verification costs where it has the most to do: a log that is signed, all of it.
extension Measures {
    /// Events between two checkpoints of a long walk: 15 minutes of them.
    private static let signedEvents = 1_800
    /// Checkpoints of the log that has one for each quarter of an hour.
    private static let checkpoints = 400

    /// Measures a year of walks that one checkpoint vouches for, and walks that have many.
    ///
    /// - Throws: The errors of the stores.
    func measureVerification() async throws -> [Measure] {
        let year = try await verify(
            "signed-year", events: options.walkEvents, eventsForCheckpoint: .max)
        let walks = try await verify(
            "signed-walks", events: Self.checkpoints * Self.signedEvents,
            eventsForCheckpoint: Self.signedEvents)
        return [
            Measure(
                name: "verifySigned", title: "verify, signed", unit: .eventsPerSecond,
                swift: year, must: .valueAtLeast(80e6)),
            Measure(
                name: "verifyCheckpoints", title: "... signed every 15 min",
                unit: .eventsPerSecond, swift: walks),
        ]
    }

    /// Makes a year of walks, signs it, and verifies it over and over.
    ///
    /// - Returns: Events for each second of processor time.
    private func verify(
        _ name: String, events: Int, eventsForCheckpoint: Int
    ) async throws -> Double {
        let stores = try workspace.stores(name)
        let folder = CheckpointFolder("\(workspace.path)/\(name)-kept")
        var walks = YearOfWalks(events: events, seed: options.seed)
        let (log, _) = try stores.create(walks.prologue())
        var left = events - Int(try log.next)
        while left > 0 {
            progress("\(name): appending, \(left) events left")
            let chunk = try walks.chunk(
                of: min(left, options.commitEvents, eventsForCheckpoint))
            _ = try await log.append(chunk.batch, expecting: nil)
            left -= chunk.count
            guard eventsForCheckpoint < .max || left == 0 else { continue }
            try await log.makeCheckpoint(in: folder) { count in
                [UInt8](repeating: 7, count: count)
            }
        }
        var processor = Samples()
        // A round that nobody times brings the file into memory.
        for round in 0...options.rounds {
            progress("\(name): verifying, round \(round)")
            let start = Stopwatch.processor.now
            let found = try log.verify(comparingWith: folder)
            let end = Stopwatch.processor.now
            if let damage = found.damage { throw damage }
            precondition(found.evidence.signedEvents == events, "All events are signed.")
            if round > 0 { processor.add(end - start) }
        }
        log.close()
        return Double(events) / processor.median
    }
}
