internal import Clocks
internal import Dispatch
internal import Events
internal import Interchange
internal import Projections
package import Recording
internal import Synchronization
internal import Text

/// Watches a GPX file that a logger writes, and reports its new points as fixes.
///
/// A point is new if its time is later than the moment from which positions are wanted, and no
/// point of that time was told: so nothing of a pause is told, and nothing twice, also by a logger
/// that rewrites its whole file. What is appended is read from where the last look ended.
/// Points that do not count are told in one sentence, by reason, and at the end of the recording
/// how many they were in all.
///
/// Like ``HealthWatch`` it asks the file for its time each second, on a thread of its own.
package final class TrackFileWatch: Sensor {
    /// A point whose time is farther ahead of the clock than 5 minutes is left out: its receiver
    /// does not know the time yet, or one of the two clocks is wrong.
    private static let aheadMilliseconds = Plausibility.clockDifferenceMilliseconds

    private struct State {
        var isWanted = false
        var isLooking = false
        /// The wall clock when positions began to be wanted; nil while they are not, or the clock
        /// was never set.
        var since: Int64?
    }

    private let path: String
    private let runtime: Runtime
    private let queue = DispatchQueue(label: "track file")
    private let state = Mutex(State())
    private let track: Mutex<WatchedTrack>

    /// Names a file; it need not exist yet.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - runtime: The clock and the pauses.
    package init(path: String, on runtime: Runtime = .machine) {
        (self.path, self.runtime) = (path, runtime)
        track = Mutex(WatchedTrack(path))
    }

    /// Says whether positions are wanted.
    package func want(_ wish: SensorWish) {
        let now = runtime.now()
        state.withLock { state in
            state.isWanted = wish.positions
            state.since = wish.positions ? state.since ?? now.whenSet : nil
        }
    }

    /// Whether the file is being looked at.
    package var isLooking: Bool { state.withLock { $0.isLooking } }

    /// What of the file does not count and was not reported yet.
    package func lastWord() -> String? {
        // A look that hangs is not waited for.
        track.withLockIfAvailable { $0.lastWord() } ?? nil
    }

    /// Looks at the file each second until the task is cancelled.
    package func run(into inbox: Inbox) async {
        await runtime.eachSecond { look(inbox) }
    }

    private func look(_ inbox: Inbox) {
        let now = runtime.now()
        let since = state.withLock { state -> Int64? in
            guard state.isWanted, !state.isLooking else { return nil }
            // A clock that was never set does not say which points are new.
            state.since = state.since ?? now.whenSet
            if state.since != nil { state.isLooking = true }
            return state.since
        }
        guard let since else { return }
        queue.async { [self] in
            defer { state.withLock { $0.isLooking = false } }
            let (fixes, sentence) = track.withLock {
                $0.look(within: since...max(since, now.wallMilliseconds + Self.aheadMilliseconds))
            }
            // It may have taken long.
            let isWanted = state.withLock { $0.since == since }
            let now = runtime.now()
            if isWanted {
                for fix in fixes {
                    inbox.put(Arrived(.read(.record(.positionFixed(fix))), at: now))
                }
            }
            if let sentence { inbox.insist(Arrived(.said(sentence), at: now)) }
        }
    }
}

extension Arrival {
    /// The wall clock; nil if it was never set.
    fileprivate var whenSet: Int64? {
        wallMilliseconds >= Self.earliestTrustedMilliseconds ? wallMilliseconds : nil
    }
}

/// A GPX file that grows, or is rewritten.
struct WatchedTrack: ~Copyable {
    private let path: String
    private var reader = GPXTrackReader()
    /// Which file the reader reads, and how much of it it has.
    private var file: (device: UInt64, number: UInt64)?
    private var offset: Int64 = 0
    /// What was seen last.
    private var seen: FileSight?
    /// Why it cannot be read, to be told if it stays as it is.
    private var failure: String?
    /// What was told last, and still holds.
    private var told: String?
    /// The latest time of what was read that is not ahead.
    private var latest: Int64?
    /// The times of the points that were reported, by which a file that is rewritten gives each
    /// once: the latest of them, and the time up to which none is reported.
    private var toldTimes: Set<Int64> = []
    private var toldUntil = Int64.min
    /// So many times are kept: more than a day of points a second.
    static let toldLimit = 100_000
    /// What was left out as ahead, and stays so when the clock has caught up.
    private var ahead: Set<PositionFixed> = []
    /// How many of these are kept: of more a clock would have to be looked at, not a file.
    private static let aheadLimit = 10_000
    /// When the recording began, in milliseconds since 1970.
    private var beginning: Int64?
    /// What of the file does not count.
    private var leftOut = LeftOutPoints()
    /// The counts that were told.
    private var toldCounts = LeftOutPoints().counts
    /// How many were told to be of the past.
    private var toldPast: UInt64 = 0
    /// How many points the file has, and whether it grew since it was read first.
    private var pointCount = 0
    private var hasGrown = false
    /// How many looks in a row found nothing new.
    private var idleLooks = 0
    /// After so many of them a track that is all of the past gets no other points.
    private static let idleLimit = 60

    /// Names a file.
    init(_ path: String) {
        self.path = path
    }

    /// Looks at the file, and reads what is new in it.
    ///
    /// - Parameter times: Points outside of these times are not told, in milliseconds since 1970.
    /// - Returns: The new points, and a sentence if there is something to tell.
    mutating func look(
        within times: ClosedRange<Int64>
    ) -> (fixes: [PositionFixed], sentence: String?) {
        let sight = FileSight(of: path)
        beginning = beginning ?? times.lowerBound
        guard sight != seen else {
            idleLooks += 1
            // Only what is as it was the second before is certainly not being written.
            if let failure = failure.take() { return ([], once(failure)) }
            return ([], sentenceOnLeftOut(isPastDue: idleLooks == Self.idleLimit))
        }
        seen = sight
        idleLooks = 0
        failure = nil
        guard case .file(let device, let number, let size, _) = sight else {
            if case .nothing(let sentence) = sight { return ([], once(sentence)) }
            return ([], nil)
        }
        hasGrown = hasGrown || file != nil
        let isSame = file.map { $0 == (device, number) } ?? false
        let before = latest
        var fixes: [PositionFixed] = []
        var isRead = false
        if isSame, size >= offset, !reader.isAtEnd { isRead = readOn(within: times, into: &fixes) }
        if !isRead {
            reader = GPXTrackReader()
            leftOut = LeftOutPoints()
            pointCount = 0
            (offset, file) = (0, (device, number))
            failure = nil
            isRead = readOn(within: times, into: &fixes)
        }
        // What cannot be read on is read again at the next look.
        if isRead { told = nil } else { file = nil }
        let isPastDue = before.map { $0 < latest ?? $0 } ?? false
        return (fixes, sentenceOnLeftOut(isPastDue: isPastDue))
    }

    /// Reads to the end of the file.
    ///
    /// - Returns: false if that fails, for a reason that stands in ``failure``.
    private mutating func readOn(
        within times: ClosedRange<Int64>, into fixes: inout [PositionFixed]
    ) -> Bool {
        do {
            let input = try ByteStream(path, onlyRegular: true, from: offset)
            while let chunk = try input.next() {
                offset += Int64(chunk.count)
                let points = reader.push(chunk)
                pointCount += points.count
                for point in points where isNew(point, within: times) { fixes.append(point) }
                leftOut.unread = reader.leftOut
                if let damage = reader.damage {
                    failure = "\(name): \(damage)"
                    if !toldTimes.isEmpty { failure? += " The points before that are kept." }
                    return false
                }
            }
            return true
        } catch {
            failure = error.description
            return false
        }
    }

    private var name: String { printable(path, limit: 200) }

    /// Whether a point is to be told, from now on no more.
    private mutating func isNew(_ point: PositionFixed, within times: ClosedRange<Int64>) -> Bool {
        guard let time = point.fixedAtMilliseconds, time > toldUntil, !toldTimes.contains(time)
        else { return false }
        guard time <= times.upperBound, !ahead.contains(point) else {
            if ahead.count < Self.aheadLimit { ahead.insert(point) }
            leftOut.ahead.add(time)
            return false
        }
        latest = max(latest ?? time, time)
        guard time > times.lowerBound else {
            // What is of a pause is nobody's mistake.
            if time <= beginning ?? time { leftOut.past.add(time) }
            return false
        }
        toldTimes.insert(time)
        if toldTimes.count > Self.toldLimit { forgetOlderHalf() }
        return true
    }

    private mutating func forgetOlderHalf() {
        let times = toldTimes.sorted()
        toldUntil = times[times.count / 2]
        toldTimes = Set(times[(times.count / 2 + 1)...])
    }

    /// What to tell of the points that do not count: when there is a new reason, or ten times as
    /// many of one as were told; of the past once, as long as all points are of it.
    private mutating func sentenceOnLeftOut(isPastDue: Bool) -> String? {
        let isPast = isPastDue && toldTimes.isEmpty && leftOut.past.count > 0 && toldPast == 0
        let counts = leftOut.counts
        guard isPast || zip(counts, toldCounts).contains(where: { $0 > $1 * 10 }) else {
            return nil
        }
        toldPast = leftOut.past.count
        toldCounts = zip(counts, toldCounts).map { max($0, $1) }
        return leftOut.sentence(on: name)
    }

    /// What is left to report when the recording has ended: why the file could not be read, that
    /// it has no points, how many of them do not count, that it seems to be cut.
    func lastWord() -> String? {
        if let failure { return failure == told ? nil : failure }
        guard file != nil else { return nil }
        let counts = leftOut.counts
        guard pointCount > 0 || counts.contains(where: { $0 > 0 }) else {
            return "\(name) has no track points."
        }
        let isPast = toldTimes.isEmpty && leftOut.past.count > toldPast
        let isMore = isPast || zip(counts, toldCounts).contains { $0 > $1 }
        // A logger that is at work has added something.
        let isCut = !reader.isAtEnd && !hasGrown
        let sentences = [
            isMore ? leftOut.sentence(on: name) : nil,
            isCut
                ? "\(name) has no end, and did not grow during this recording: it was cut off, or "
                    + "its logger has stopped. Complete points were read." : nil,
        ]
        let word = sentences.compactMap { $0 }.joined(separator: " ")
        return word.isEmpty ? nil : word
    }

    /// A sentence, unless it was the last one that was told.
    private mutating func once(_ sentence: String) -> String? {
        defer { told = sentence }
        return told == sentence ? nil : sentence
    }
}
