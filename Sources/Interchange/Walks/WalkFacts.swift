package import Events
package import Projections
internal import Text

/// What a file says of walks, to become the events of a source of its own.
///
/// Readers add what they find, in any order of time; the fold decides what counts. Values are those
/// of the file: a heart rate that it gives as a number becomes the shortest measurement that says
/// the same (Bluetooth HRS 1.0, 3.1), and an interval in milliseconds the nearest 1/1024 s, which
/// gives the same milliseconds again.
///
/// In memory stand the newest facts. The others lie in order of time in some runs, which are kept
/// elsewhere and read in turn.
package struct WalkFacts: Sendable {
    /// Something that the file says of a moment, as the event that it becomes.
    package typealias Fact = Event

    /// What a file's own summary of a walk says otherwise than its records.
    package struct Difference: Hashable, Sendable {
        /// When the walk began, in UTC milliseconds.
        package let walk: Int64
        /// Whether it is one of millimetres; else of steps.
        package let isOfDistance: Bool
        package let summary: UInt64
        package let recorded: UInt64
    }

    /// The most facts of a file: four days of ten values a second.
    package static let limit = 4_000_000

    /// For so long two walks may overlap.
    private static let overlapMilliseconds: Int64 = 10_000
    /// The most walks of a file.
    private static let walkLimit = 10_000

    /// The most intervals that come with a heart rate: what a value of 512 bytes holds.
    static let intervalLimit = 254

    /// So many facts, or bytes of them, stand in memory.
    private static let newestFacts = 65_536
    private static let newestBytes = 8 << 20

    private let keeper: ByteKeeper?
    /// The newest facts, as they came, and all others in order of time within each run.
    private var newest = EventBatch()
    private var runs: [EventBatch] = []
    /// How many facts there are, heart rates, and positions.
    package private(set) var (count, heartRates, positions) = (0, UInt64(0), UInt64(0))
    /// When the first fact was that the file says: UTC milliseconds.
    package private(set) var firstAt: Int64?
    private var lastInRuns: EventHeader.Moment?
    /// What is said of a walk's beginning where steps are counted from there on; nil without any.
    private var countedFromStart: Fact?
    /// Totals of days, where the file gives such: they are reported as those of a health store.
    package var days: [HealthTotal] = []
    /// Minutes east of UTC where it was walked; nil if the file does not say.
    package var offsetMinutes: Int64?
    /// When walks began and ended, in order.
    private var walks: [ClosedRange<Int64>] = []
    /// How many things were left out, by what they are, in words: "points without a time".
    package private(set) var leftOut: [(what: String, count: UInt64)] = []
    /// Where a summary is more than 2 % from what was recorded, which counts; 100 at most.
    package private(set) var differences: [Difference] = []
    /// Whether nobody walked it: `record --simulate` has made it up.
    package internal(set) var isSimulated = false
    /// Whether there were more facts than ``limit``: the rest is missing.
    package private(set) var isOverfull = false

    /// What is dated from then on has not been.
    private let end: Int64

    /// Nothing is known yet.
    ///
    /// - Parameters:
    ///   - end: Where the day after tomorrow begins, in UTC milliseconds; what is dated from then
    ///     on, or before 1990, is left out.
    ///   - keeper: Where facts are kept; nil for memory.
    package init(until end: Int64 = Self.endOfTime, keptIn keeper: ByteKeeper? = nil) {
        (self.end, self.keeper) = (end, keeper)
    }

    /// Whether something can have been at a moment; what cannot is counted, and the first named.
    ///
    /// - Parameter wall: UTC milliseconds.
    /// - Returns: Whether it can.
    package mutating func isPossible(_ wall: Int64) -> Bool {
        if canHave(wall) { return true }
        let side = wall < end ? "before 1990" : "after tomorrow by the clock of this machine"
        let date = CivilDate(wallMilliseconds: wall, zoneOffsetMinutes: 0)
        leaveOut("values dated \(side), the first \(date)")
        return false
    }

    /// Whether something can have been at a moment, in UTC milliseconds.
    func canHave(_ wall: Int64) -> Bool { (Self.beginning..<end).contains(wall) }

    /// Adds a fact.
    ///
    /// - Parameters:
    ///   - fact: What it says.
    ///   - wall: UTC milliseconds.
    ///   - walk: When the walk began of which it is, in UTC milliseconds: of two that touch, the
    ///     earlier has ended when the later begins. 0 if only the order of facts tells.
    package mutating func add(_ fact: Fact, at wall: Int64, of walk: Int64 = 0) {
        guard isPossible(wall) else { return }
        guard hasRoom else { return isOverfull = true }
        if let refusal = newest.add(fact, at: wall, of: walk) { return leaveOut(refusal) }
        note(fact.kind, at: wall)
    }

    /// Adds facts of a walk that were held back.
    mutating func add(_ facts: EventBatch, of walk: Int64) {
        facts.forEach { fact in
            let wall = fact.header.stamp.wallMilliseconds
            guard isPossible(wall) else { return }
            guard hasRoom else { return isOverfull = true }
            newest.copy(fact, at: Stamp(walk: walk, at: wall))
            note(fact.header.kind, at: wall)
        }
    }

    /// Notes what a walk's summary says, if it is more than 2 % from what was recorded.
    package mutating func compare(
        _ summary: UInt64?, to recorded: UInt64, isOfDistance: Bool, _ walk: Int64
    ) {
        guard let summary, summary.distance(from: recorded) > summary / 50,
            differences.count < 100
        else { return }
        differences.append(
            Difference(walk: walk, isOfDistance: isOfDistance, summary: summary, recorded: recorded)
        )
    }

    /// Whether a walk is news: the file tells of none at its time, but for some seconds, and not of
    /// too many; one that is not is counted.
    mutating func begins(_ walk: ClosedRange<Int64>) -> Bool {
        let index = walks.partitioningIndex { $0.lowerBound >= walk.lowerBound }
        let others = walks[max(0, index - 1)..<min(walks.count, index + 1)]
        let isKnown = others.contains { other in
            let common = other.clamped(to: walk).length
            return abs(other.lowerBound - walk.lowerBound) <= 1_000
                && abs(other.upperBound - walk.upperBound) <= 1_000
                || other.overlaps(walk) && common > Self.overlapMilliseconds
        }
        guard !isKnown else {
            leaveOut("walks at the time of another one in the file")
            return false
        }
        guard hasRoom("walks", walks.count, Self.walkLimit) else { return false }
        walks.insert(walk, at: index)
        return true
    }

    private var hasRoom: Bool { count < Self.limit }

    private mutating func note(_ kind: EventKind, at wall: Int64) {
        count += 1
        firstAt = firstAt ?? wall
        switch kind {
        case .characteristicNotified: heartRates += 1
        case .positionFixed: positions += 1
        case .pedometerRead where countedFromStart?.distance == nil:
            let isFar = newest.event(at: newest.count - 1).distance != nil
            countedFromStart = .walked(steps: 0, distanceMillimetres: isFar ? 0 : nil)
        default: break
        }
        if newest.count >= Self.newestFacts || newest.payloadBytes >= Self.newestBytes { addRun() }
    }

    /// 1990: nobody recorded a walk before.
    private static let beginning: Int64 = 631_152_000_000
    /// The end of the year 9999.
    package static let endOfTime: Int64 = 253_402_300_800_000

    /// Counts something that does not become a fact.
    ///
    /// - Parameters:
    ///   - what: What it is, in the plural; of several that differ after a comma the first counts.
    ///   - count: How many there were.
    package mutating func leaveOut(_ what: String, count: UInt64 = 1) {
        let kind = what.prefix { $0 != "," }
        if let index = leftOut.firstIndex(where: { $0.what.prefix { $0 != "," } == kind }) {
            leftOut[index].count += count
        } else if leftOut.count < 100 {
            leftOut.append((what, count))
        }
    }

    /// Whether there may be one more of something, which is counted if not.
    mutating func hasRoom(_ what: String, _ count: Int, _ limit: Int) -> Bool {
        if count >= limit { leaveOut("\(what) beyond the first \(grouped(UInt64(limit)))") }
        return count < limit
    }

    /// The events of an import, in order of time.
    ///
    /// A walk that does not begin begins with its first value, one that does not end ends with its
    /// last, and a value after an end begins another walk.
    ///
    /// - Parameters:
    ///   - file: What is imported.
    ///   - absent: The indices of walks that are left out.
    /// - Returns: The events, of source 0; empty if there is no walk.
    package func events(of file: ImportBegan, without absent: Set<Int> = []) -> EventBatch {
        var writer = WalkEvents(
            file: file, offsetMinutes: offsetMinutes, counts: countedFromStart, absent: absent,
            batch: EventBatch(keptIn: keeper))
        forEachInOrder { writer.take($0) }
        return writer.finish(findings: leftOut.reduce(0) { $0 + $1.count })
    }

    /// Puts the newest facts in order: after the last run if they follow it, or as one more.
    private mutating func addRun() {
        guard !newest.isEmpty else { return }
        let order = newest.headers.indices.map { (newest.headers[$0].moment, $0) }.sorted {
            ($0.0.at, $0.0.walk, $0.0.rank, $0.1) < ($1.0.at, $1.0.walk, $1.0.rank, $1.1)
        }
        if lastInRuns.map({ $0 > order[0].0 }) ?? true {
            if !runs.isEmpty { runs[runs.count - 1].pack() }
            runs.append(EventBatch(keptIn: keeper))
        }
        for (_, index) in order {
            newest.withEvent(at: index) { runs[runs.count - 1].copy($0) }
        }
        lastInRuns = order[order.count - 1].0
        newest = EventBatch()
    }

    /// Lends each fact, in order of time.
    package func forEachInOrder(_ body: (borrowing EventView) -> Void) {
        var facts = self
        facts.addRun()
        var heads = facts.runs.enumerated().map { RunHead(of: $1, number: $0) }
            .sorted { $1.isBefore($0) }
        while var head = heads.popLast() {
            repeat {
                head.portion.withEvent(at: head.index, body)
                head.advance()
            } while !head.isAtEnd && heads.last.map { head.isBefore($0) } ?? true
            guard !head.isAtEnd else { continue }
            heads.insert(head, at: heads.partitioningIndex { $0.isBefore(head) })
        }
    }
}

/// How far a run of facts was read.
private struct RunHead {
    let run: EventBatch
    let number: Int
    var portion = EventBatch()
    var portionIndex = -1
    var index = -1
    var moment: EventHeader.Moment = (0, 0, 0)
    var isAtEnd: Bool { index == portion.count }

    init(of run: EventBatch, number: Int) {
        (self.run, self.number) = (run, number)
        advance()
    }

    mutating func advance() {
        index += 1
        while index >= portion.count, portionIndex + 1 < run.portionCount {
            portionIndex += 1
            (portion, index) = (run.portion(portionIndex), 0)
        }
        if !isAtEnd { moment = portion.headers[index].moment }
    }

    /// Whether its fact is before that of another run, which came earlier or later.
    func isBefore(_ other: RunHead) -> Bool {
        (moment.at, moment.walk, moment.rank, number)
            < (other.moment.at, other.moment.walk, other.moment.rank, other.number)
    }
}

extension EventHeader {
    /// When a fact was, of which walk it is, and what comes first of what happens at once.
    fileprivate typealias Moment = (at: Int64, walk: UInt64, rank: UInt8)

    fileprivate var moment: Moment {
        let rank: UInt8 =
            switch kind {
            case .sessionStarted: 0
            case .sessionResumed: 1
            case .deviceSeen: 2
            case .sessionPaused: 4
            case .sessionEnded: 5
            default: 3
            }
        return (stamp.wallMilliseconds, stamp.bootMilliseconds, rank)
    }
}

extension Event {
    /// What a pedometer told of a distance.
    fileprivate var distance: UInt64? {
        if case .pedometerRead(let read) = self { read.distanceMillimetres } else { nil }
    }
}
