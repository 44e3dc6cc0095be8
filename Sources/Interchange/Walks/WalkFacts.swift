public import Events
public import Projections

/// What a file says of walks, to become the events of a source of its own.
///
/// Readers add what they find, in any order of time; the fold decides what counts. Values are those
/// of the file: a heart rate that it gives as a number becomes the shortest measurement that says
/// the same (Bluetooth HRS 1.0, 3.1), and an interval in milliseconds the nearest 1/1024 s, which
/// gives the same milliseconds again.
public struct WalkFacts: Sendable {
    /// Something that the file says of a moment.
    public enum Fact: Hashable, Sendable {
        /// A walk began.
        case began
        /// It was paused.
        case paused
        /// It went on.
        case resumed
        /// It ended.
        case ended
        /// The walker set a mark.
        case mark(String)
        /// A heart rate, with the intervals between beats that came with it, in 1/1024 s.
        case heartRate(UInt16, rrTicks: [UInt16])
        /// A heart rate as its strap sent it (2A37).
        case measurement([UInt8])
        /// A place.
        case position(PositionFixed)
        /// How many steps, and how far, since the walk began.
        case walked(steps: UInt64, distanceMillimetres: UInt64?)
        /// What the strap is called; at most 1,024 bytes of it are kept.
        case strap(String)
    }

    /// The most facts of a file: four days of ten values a second, which stand in memory until they
    /// are appended.
    public static let limit = 4_000_000

    /// Of so many walks at most it is known that they were not on foot.
    private static let sportLimit = 65_536

    /// The most intervals that come with a heart rate: what a value of 512 bytes holds.
    static let intervalLimit = 254

    /// The facts, with the moments in UTC milliseconds.
    public private(set) var facts: [(at: Int64, fact: Fact)] = []
    /// Totals of days, where the file gives such: they are reported as those of a health store.
    public var days: [HealthTotal] = []
    /// Minutes east of UTC where it was walked; nil if the file does not say.
    public var offsetMinutes: Int64?
    /// What was not done on foot, at moments within it.
    private var sports: [(at: Int64, sport: WalkSport)] = []
    /// How many things were left out, by what they are, in words: "points without a time".
    public private(set) var leftOut: [(what: String, count: UInt64)] = []
    /// Whether nobody walked it: `record --simulate` has made it up.
    public internal(set) var isSimulated = false
    /// Whether there were more facts than ``limit``: the rest is missing.
    public private(set) var isOverfull = false

    /// What is dated from then on has not been.
    private let end: Int64

    /// Nothing is known yet.
    ///
    /// - Parameter end: Where the day after tomorrow begins, in UTC milliseconds; what is dated
    ///   from then on, or before 1990, is left out.
    public init(until end: Int64 = Self.endOfTime) {
        self.end = end
    }

    /// Whether something can have been at a moment; what cannot is counted, and the first named.
    ///
    /// - Parameter wall: UTC milliseconds.
    /// - Returns: Whether it can.
    public mutating func isPossible(_ wall: Int64) -> Bool {
        if (Self.beginning..<end).contains(wall) { return true }
        let side = wall < end ? "before 1990" : "after tomorrow by the clock of this machine"
        let date = CivilDate(wallMilliseconds: wall, zoneOffsetMinutes: 0)
        leaveOut("values dated \(side), the first \(date)")
        return false
    }

    /// Adds a fact.
    ///
    /// - Parameters:
    ///   - fact: What it says.
    ///   - wall: UTC milliseconds.
    public mutating func add(_ fact: Fact, at wall: Int64) {
        guard isPossible(wall) else { return }
        guard fact.isWithinLimits else { return leaveOut("values that nothing can have") }
        guard facts.count < Self.limit else { return isOverfull = true }
        facts.append((wall, fact))
    }

    /// Says what was not done on foot.
    ///
    /// - Parameters:
    ///   - sport: What it was; nil for a walk.
    ///   - wall: UTC milliseconds of a moment within it.
    mutating func add(_ sport: WalkSport?, at wall: Int64) {
        if let sport, sports.count < Self.sportLimit { sports.append((wall, sport)) }
    }

    /// What was not done on foot.
    ///
    /// - Parameter starts: When the walks began, in order.
    /// - Returns: The sports, by the indices of the walks.
    public func sports(ofWalksFrom starts: [Int64]) -> [Int: WalkSport] {
        sports.reduce(into: [:]) { sports, known in
            let next = starts.partitioningIndex { $0 > known.at }
            if next > 0 { sports[next - 1] = known.sport }
        }
    }

    /// Forgets what was added after the first facts.
    mutating func keep(first count: Int) {
        facts.removeLast(facts.count - count)
    }

    /// Forgets what was counted, of the facts from an index on.
    mutating func removeCounts(from index: Int) {
        facts[min(index, facts.count)...].removeAll {
            if case .walked = $0.fact { true } else { false }
        }
    }

    /// 1990: nobody recorded a walk before.
    private static let beginning: Int64 = 631_152_000_000
    /// The end of the year 9999.
    public static let endOfTime: Int64 = 253_402_300_800_000

    /// Counts something that does not become a fact.
    ///
    /// - Parameters:
    ///   - what: What it is, in the plural; of several that differ after a comma the first counts.
    ///   - count: How many there were.
    public mutating func leaveOut(_ what: String, count: UInt64 = 1) {
        let kind = what.prefix { $0 != "," }
        if let index = leftOut.firstIndex(where: { $0.what.prefix { $0 != "," } == kind }) {
            leftOut[index].count += count
        } else if leftOut.count < 100 {
            leftOut.append((what, count))
        }
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
    public func events(of file: ImportBegan, without absent: Set<Int> = []) -> EventBatch {
        var writer = WalkEvents(
            file: file, offsetMinutes: offsetMinutes, counts: countedFromStart, absent: absent)
        var rest = facts.indices.map { (facts[$0].at, facts[$0].fact.rank, $0) }.sorted(by: <)[...]
        while let (now, _, _) = rest.first {
            let moment = rest.prefix { $0.0 == now }
            rest = rest.dropFirst(moment.count)
            // Where one walk ends and the next one begins, what is said is of the first.
            let isTurn = writer.isOpen && moment.last?.1 == Fact.ended.rank
            let begins = moment.prefix { isTurn && $0.1 == Fact.began.rank }
            let inOrder = begins.isEmpty ? moment : moment.dropFirst(begins.count) + begins
            for (_, _, index) in inOrder {
                writer.take(facts[index].fact, at: now)
            }
        }
        return writer.finish(findings: leftOut.reduce(0) { $0 + $1.count })
    }

    /// What is said of a walk's beginning where steps are counted from there on; nil without any.
    private var countedFromStart: Fact? {
        var isCounted = false
        for (_, fact) in facts {
            guard case .walked(_, let distance) = fact else { continue }
            if distance != nil { return .walked(steps: 0, distanceMillimetres: 0) }
            isCounted = true
        }
        return isCounted ? .walked(steps: 0, distanceMillimetres: nil) : nil
    }
}

extension WalkFacts.Fact {
    /// Whether an event can hold it.
    fileprivate var isWithinLimits: Bool {
        switch self {
        case .heartRate(_, let rrTicks): rrTicks.count <= WalkFacts.intervalLimit
        case .measurement(let value): value.count <= EventLimit.valueBytes
        case .position(let fix): fix.isOnEarth
        case .began, .paused, .resumed, .ended, .mark, .walked, .strap: true
        }
    }

    /// What comes first of what happens at once.
    fileprivate var rank: UInt8 {
        switch self {
        case .began: 0
        case .resumed: 1
        case .strap: 2
        case .heartRate, .measurement, .position, .walked, .mark: 3
        case .paused: 4
        case .ended: 5
        }
    }
}

extension PositionFixed {
    /// Whether each number is within its limits.
    fileprivate var isOnEarth: Bool {
        do throws(FieldError) {
            _ = try Event.positionFixed(self).encodedPayload()
            return true
        } catch {
            return false
        }
    }
}

/// Makes events of facts that come in order.
private struct WalkEvents {
    static let strap = DeviceID(address: 1, space: .other)
    static let pedometer = DeviceID(address: 2, space: .other)

    let file: ImportBegan
    let offsetMinutes: Int64?
    let counts: WalkFacts.Fact?
    /// The walks that are left out, and how many have begun.
    let absent: Set<Int>
    var begun = 0
    var isAbsent = false
    var batch = EventBatch()
    var startMilliseconds: Int64 = 0
    var lastMilliseconds: Int64 = 0
    /// Whether any walk has begun.
    var hasWalk = false
    var isOpen = false
    var isPaused = false
    var lastCount: (steps: UInt64, distance: UInt64?)?
    /// When it was said to go on last, while it was not paused.
    var idleResumption: Int64?

    mutating func take(_ fact: WalkFacts.Fact, at wall: Int64) {
        if batch.isEmpty {
            startMilliseconds = wall
            lastMilliseconds = wall
            add(.importBegan(file))
            if let offsetMinutes, abs(offsetMinutes) <= 1_440 {
                add(.zoneOffsetChanged(ZoneOffsetChanged(toMinutes: offsetMinutes)))
            }
        }
        lastMilliseconds = wall
        switch fact {
        case .began:
            guard !isOpen else { return }
            begin()
        case .ended:
            guard isOpen else { return }
            end()
        case .paused:
            // A pause that ends when it begins is none.
            guard isOpen, !isPaused, idleResumption != wall else { return }
            isPaused = true
            add(.sessionPaused(SessionPaused()))
        case .resumed:
            guard isOpen, isPaused else { return idleResumption = wall }
            isPaused = false
            add(.sessionResumed(SessionResumed()))
            // Nothing counts from before a pause to after it: it goes on from here.
            if let (steps, distance) = lastCount { count(steps, distance) }
        case .strap(let name):
            add(
                .deviceSeen(
                    DeviceSeen(device: Self.strap, name: name.fitting(1_024), roles: .heart)))
        case .mark(let text):
            beginIfNeeded()
            add(.sessionMarked(SessionMarked(text: text.fitting(512))))
        case .heartRate(let bpm, let rrTicks):
            beginIfNeeded()
            add(Self.measurement(bpm, rrTicks))
        case .measurement(let value):
            beginIfNeeded()
            add(Self.notified(value))
        case .position(let fix):
            beginIfNeeded()
            add(.positionFixed(fix))
        case .walked(let steps, let distance):
            beginIfNeeded()
            count(steps, distance)
        }
    }

    mutating func finish(findings: UInt64) -> EventBatch {
        if isOpen { end() }
        guard hasWalk else { return EventBatch() }
        let ended = ImportEnded(importedEvents: UInt64(batch.count - 1), findings: findings)
        add(.importEnded(ended))
        return batch
    }

    private mutating func beginIfNeeded() {
        if !isOpen { begin() }
    }

    private mutating func begin() {
        (isOpen, isPaused, isAbsent) = (true, false, absent.contains(begun))
        begun += 1
        hasWalk = hasWalk || !isAbsent
        add(.sessionStarted(SessionStarted()))
        // A pedometer's first count is what others are counted from.
        guard case .walked(let steps, let distance) = counts else { return }
        add(.pedometerChosen(PedometerChosen(device: Self.pedometer)))
        count(steps, distance)
    }

    private mutating func end() {
        add(.sessionEnded(SessionEnded(reason: .inputEnded)))
        (isOpen, isAbsent) = (false, false)
    }

    private mutating func count(_ steps: UInt64, _ distance: UInt64?) {
        lastCount = (steps, distance)
        add(
            .pedometerRead(
                PedometerRead(
                    device: Self.pedometer, reading: .counter(min(steps, 1 << 53 - 1)),
                    distanceMillimetres: distance.map { min($0, 1 << 53 - 1) })))
    }

    private static func measurement(_ bpm: UInt16, _ rrTicks: [UInt16]) -> Event {
        // In one byte 255 stands for no reading.
        let isWide = bpm > 254
        var value: [UInt8] = [(isWide ? 1 : 0) | (rrTicks.isEmpty ? 0 : 0b1_0000)]
        value.append(UInt8(truncatingIfNeeded: bpm))
        if isWide { value.append(UInt8(bpm >> 8)) }
        for ticks in rrTicks { value += [UInt8(truncatingIfNeeded: ticks), UInt8(ticks >> 8)] }
        return notified(value)
    }

    private static func notified(_ value: [UInt8]) -> Event {
        .characteristicNotified(
            CharacteristicNotified(
                device: strap, characteristic: .heartRateMeasurement, value: value))
    }

    private mutating func add(_ event: Event) {
        guard !isAbsent else { return }
        let stamp = Stamp(
            bootMilliseconds: UInt64(max(0, lastMilliseconds - startMilliseconds)),
            wallMilliseconds: lastMilliseconds, bootNumber: 0)
        do throws(FieldError) {
            try batch.append(event, stamp: stamp, flags: .wallTrusted)
        } catch {
            preconditionFailure("A walk's event is beyond the limits of its fields: \(error)")
        }
    }
}
