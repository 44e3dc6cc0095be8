import Deciding
import Events
import EventStore
import EventStoreLMDB
import FoundationEssentials
import Glibc
import Projections

/// What a log of decades costs: a hundred million events, walks day after day.
///
/// Nobody records as many in ten years. What must not grow with a log is what somebody waits for:
/// the totals, and the events of one session.
extension Measures {
    /// Events of the range that is read out of the middle.
    private static let rangeEvents = 3_600
    private static let warmRounds = 200
    private static let coldRounds = 9
    /// After how many parts of the rebuild the memory is looked at.
    private static let rebuildSteps = 100

    /// Fills a log, and measures the rebuild, the opening, a range and a command.
    ///
    /// - Throws: The errors of the stores.
    func measureLong() async throws -> [Measure] {
        let stores = try workspace.stores("long")
        try await fillLong(stores)
        return try measureRebuild(of: stores.swift) + measureOpening(of: stores.swift)
            + measureRange(of: stores.swift) + [await measureCommand(on: stores.swift)]
    }

    private func fillLong(_ stores: StorePair) async throws {
        var walks = YearOfWalks(events: options.walkEvents, seed: options.seed)
        let prologue = try walks.prologue()
        let (log, _) = try stores.create(prologue)
        var left = options.events - prologue.count
        while left > 0 {
            progress("appending, \(left) events left")
            let chunk = try walks.chunk(of: min(left, options.commitEvents))
            _ = try await log.append(chunk.batch, expecting: nil)
            left -= chunk.count
        }
        log.close()
    }

    // MARK: - Everything

    /// Folds all of it, keeps a snapshot, and tells the memory that the fold took of its own.
    private func measureRebuild(of directory: String) throws -> [Measure] {
        let log = try LMDBEventLog.open(directory: directory, mode: .existing)
        progress("rebuilding, and looking at the memory")
        var state = LogState()
        var memory: [Double] = []
        var seconds = 0.0
        for step in 0..<Self.rebuildSteps {
            let ends = [step, step + 1].map { Position($0 * options.events / Self.rebuildSteps) }
            seconds += try Stopwatch.processor.time {
                try log.fold(from: ends[0], until: ends[1], into: &state)
            }
            memory.append(try Self.anonymousBytes)
        }
        let greatest = memory.max() ?? 0
        let bytes = Double(try log.usage().fileSizeBytes)
        log.keepSnapshot(of: FoldedState(state, savedEvents: 0), in: SnapshotFile(of: log))
        log.close()
        return [
            Measure(
                name: "rebuildLong", title: "full rebuild", unit: .eventsPerSecond,
                swift: Double(options.events) / seconds),
            Measure(
                name: "rebuildLongMemoryTenth", title: "... RssAnon after a tenth",
                unit: .mebibytes, swift: memory[Self.rebuildSteps / 10]),
            Measure(
                name: "rebuildLongMemory", title: "RssAnon of the rebuild", unit: .mebibytes,
                swift: greatest, reference: bytes, ratio: greatest / bytes,
                must: .atMost(8), rival: "the file"),
            Measure(
                name: "stateLong", title: "... bytes of the state", unit: .mebibytes,
                swift: Double(state.canonicalBytes().count)),
        ]
    }

    // MARK: - What somebody waits for

    /// Opens the log and folds on from the snapshot.
    private func measureOpening(of directory: String) throws -> [Measure] {
        var (opening, totals) = (Samples(), Samples())
        for round in 0..<options.rounds * 3 {
            progress("opening, round \(round + 1)")
            let start = Stopwatch.wall.now
            let log = try LMDBEventLog.open(directory: directory, mode: .existing)
            let middle = Stopwatch.wall.now
            let folded = try log.folded(from: SnapshotFile(of: log))
            let end = Stopwatch.wall.now
            precondition(folded.savedEvents == UInt64(options.events), "The snapshot is used.")
            opening.add(middle - start)
            totals.add(end - start)
            log.close()
        }
        return [
            Measure(
                name: "openLong", title: "open", unit: .microseconds, swift: opening.median),
            Measure(
                name: "openLongTotals", title: "open to live totals", unit: .microseconds,
                swift: totals.median, must: .valueAtMost(0.5), goal: .valueAtMost(0.001)),
        ]
    }

    /// What a command waits for that appends one event: opening, appending, closing.
    private func measureCommand(on directory: String) async throws -> Measure {
        let stores = try workspace.stores("short")
        var walks = YearOfWalks(events: options.walkEvents, seed: options.seed)
        try stores.create(walks.prologue()).swift.close()
        var pair = WaitingPair()
        for round in 0..<options.durableEvents / 10 {
            let chunk = try walks.chunk(of: 1)
            func command(_ directory: String) async throws {
                let log = try LMDBEventLog.open(directory: directory, mode: .existing)
                _ = try await log.append(chunk.batch, expecting: nil)
                log.close()
            }
            try await pair.time(round: round) {
                try await command(directory)
            } reference: {
                try await command(stores.swift)
            }
        }
        return Measure(
            name: "commandLong", title: "open, append an event", unit: .microseconds,
            swift: pair.wall.swift.median, reference: pair.wall.reference.median,
            ratio: pair.wall.swift.median / pair.wall.reference.median, must: .atMost(1.3),
            rival: "empty log")
    }

    /// Reads the events of a session's length out of the middle.
    private func measureRange(of directory: String) throws -> [Measure] {
        let first = Position(options.events / 2)
        var (warm, cold) = (Samples(), Samples())
        for round in 0..<Self.coldRounds {
            progress("reading a range, cold, round \(round + 1)")
            try dropFromMemory("\(directory)/data.mdb")
            let log = try LMDBEventLog.open(directory: directory, mode: .existing)
            cold.add(try timeRange(of: log, from: first))
            log.close()
        }
        let log = try LMDBEventLog.open(directory: directory, mode: .existing)
        for _ in 0..<Self.warmRounds { warm.add(try timeRange(of: log, from: first)) }
        log.close()
        return [
            Measure(
                name: "rangeLong", title: "3,600 events, warm", unit: .microseconds,
                swift: warm.median, must: .valueAtMost(0.000_1)),
            Measure(
                name: "rangeLongCold", title: "... not in memory", unit: .microseconds,
                swift: cold.median, must: .valueAtMost(0.001)),
        ]
    }

    private func timeRange(of log: LMDBEventLog, from first: Position) throws -> Double {
        var count = 0
        let start = Stopwatch.wall.now
        try log.read(from: first) { _ in
            count += 1
            return count < Self.rangeEvents
        }
        let seconds = Stopwatch.wall.now - start
        precondition(count == Self.rangeEvents, "The range is within the log.")
        return seconds
    }

    /// Lets the kernel forget what it holds of a file that nobody has open.
    private func dropFromMemory(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ReferenceError(call: "open", result: errno) }
        defer { close(descriptor) }
        let result = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
        try ReferenceError.check(result, "posix_fadvise")
    }

    /// The memory of this process that is no file's (`RssAnon`).
    private static var anonymousBytes: Double {
        get throws {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let kibibytes = status.firstMatch(of: /RssAnon:\s*(\d+)/).flatMap { Double($0.1) }
            return (kibibytes ?? 0) * 1_024
        }
    }
}
