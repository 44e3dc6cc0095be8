import Deciding
import Events
import EventStore
import EventStoreLMDB
import Glibc
import Projections
import Recording

/// What a log of decades costs: a hundred million events, walks day after day.
///
/// Nobody records as many in ten years. What must not grow with a log is what somebody waits for:
/// the totals, and the events of one session.
extension Measures {
    /// Events of the range that is read out of the middle.
    private static let rangeEvents = 3_600
    private static let warmRounds = 200
    private static let coldRounds = 9

    /// Fills both logs, and measures the opening, the rebuild and a range.
    ///
    /// - Throws: ``TotalsDiffer``; the errors of the stores.
    func measureLong() async throws -> [Measure] {
        let stores = try workspace.stores("long")
        try await fillLong(stores)
        _ = try stores.compare()
        return try measureRebuild(of: stores) + measureOpening(of: stores.swift)
            + measureRange(of: stores.swift)
    }

    private func fillLong(_ stores: StorePair) async throws {
        var walks = YearOfWalks(events: options.walkEvents, seed: options.seed)
        let prologue = try walks.prologue()
        let (log, reference) = try stores.create(prologue)
        var left = options.events - prologue.count
        while left > 0 {
            progress("appending, \(left) events left")
            let chunk = try walks.chunk(of: min(left, options.commitEvents))
            _ = try await log.append(chunk.batch, expecting: nil)
            try reference.append(chunk)
            left -= chunk.count
        }
        log.close()
    }

    // MARK: - Everything

    /// Folds all of both, keeps a snapshot, and tells the memory that the fold took of its own.
    private func measureRebuild(of stores: StorePair) throws -> [Measure] {
        let log = try LMDBEventLog.open(directory: stores.swift, mode: .existing)
        let reference = try ReferenceStore(directory: stores.reference)
        var pair = Pair()
        for round in 0..<options.rounds {
            progress("rebuilding, round \(round + 1)")
            var state = LogState()
            var totals: ReferenceTotals?
            try pair.time(.processor, round: round) {
                try fold(log, into: &state)
            } reference: {
                totals = try reference.fold()
            }
            if let totals { try state.compare(with: totals) }
        }
        progress("rebuilding, and looking at the memory")
        let count = options.events
        var memory = RebuildMemory(positions: UInt64(count))
        var state = LogState()
        var damage: DamagedBlock?
        try log.readBlocks(from: 0) { block in
            do throws(DamagedBlock) {
                try state.evolve(block: block)
            } catch {
                damage = error
            }
            memory.look(at: state.events)
            return damage == nil
        }
        if let damage { throw damage }
        log.keepSnapshot(of: state, in: SnapshotFile(of: log))
        log.close()
        return [
            Measure(
                name: "rebuildLong", title: "full rebuild", unit: .eventsPerSecond,
                swift: Double(count) / pair.swift.median,
                reference: Double(count) / pair.reference.median, ratio: pair.rateRatio,
                must: .atLeast(0.75)),
            Measure(
                name: "rebuildLongMemoryTenth", title: "... RssAnon after a tenth",
                unit: .mebibytes, swift: memory.bytesAfterTenth),
            Measure(
                name: "rebuildLongMemory", title: "... RssAnon at its greatest", unit: .mebibytes,
                swift: memory.greatestBytes),
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
                swift: totals.median, must: .valueAtMost(0.001)),
        ]
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
}

/// The memory of this process that is no file's (`RssAnon`), while a log is folded.
private struct RebuildMemory {
    private let positions: UInt64
    private var hundredths: UInt64 = 0
    /// When a tenth was folded.
    private(set) var bytesAfterTenth = 0.0
    private(set) var greatestBytes = 0.0

    /// Begins to look at a fold of so many events, a hundred times.
    init(positions: UInt64) {
        self.positions = positions
    }

    /// So many events were folded.
    mutating func look(at position: UInt64) {
        guard position * 100 / positions > hundredths else { return }
        hundredths = position * 100 / positions
        let bytes = Self.anonymousBytes
        if hundredths <= 10 { bytesAfterTenth = bytes }
        greatestBytes = max(greatestBytes, bytes)
    }

    private static var anonymousBytes: Double {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
            guard text.hasPrefix("RssAnon:") else { continue }
            let number = text.split(whereSeparator: { !$0.isNumber }).first
            return Double(number.flatMap { Int($0) } ?? 0) * 1_024
        }
        return 0
    }
}
