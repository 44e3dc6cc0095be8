import Events

/// A pedometer as an odometer that only goes up, whatever its own counter does.
///
/// Each step has one place on it. What is counted is a range of places, so no step counts twice.
struct Odometer: Carried {
    /// What one reading moved.
    struct Advance {
        /// How many steps further the odometer stands.
        let steps: Int128
        /// Whether the counter had restarted.
        let isFresh: Bool
        /// Whether legs cannot have moved it, so that it did not.
        var isBeyondLegs = false
        /// Whether the reading says nothing at all.
        var isMute = false
    }

    private(set) var device = DeviceID.blank
    /// No reading came since the recorder started or stopped.
    var isUnheard = false

    /// What the counter showed last.
    private var shown: Sight?
    /// The road that was left, until the present one has proved itself.
    private var lost: Lost?
    /// The last sights that came together.
    private var together = Together()
    private var cadence: UInt64 = 0
    private(set) var lastAt: Instant?
    /// Places of a foot pod, in 1/60,000 steps.
    private var integral: Int128 = 0

    init() {}

    init(_ device: DeviceID) {
        self.device = device
    }

    /// Whether the next reading may show steps that a total of some age holds already.
    ///
    /// Not if it was read since that total's end, or a moment ago, and a recorder listened since.
    func mayRepeat(aged milliseconds: UInt64, at now: UInt64) -> Bool {
        guard !isUnheard, let lastAt else { return true }
        return now - min(now, lastAt.milliseconds) > max(milliseconds, Self.paceLimitMilliseconds)
    }

    /// A foot pod's cadence holds, and a reading is recent, for at most 5 s.
    private static let paceLimitMilliseconds: UInt64 = 5_000

    /// What a counter showed, and when.
    private struct Sight: Carried {
        var count: Int128 = 0
        var at = Instant()

        mutating func carry(_ carrier: inout Carrier) { carrier(&count, &at) }
    }

    /// Sights that came together.
    private struct Together: Carried {
        /// From when they share the time.
        var from = Instant()
        var since: UInt64 = 0
        var moved: Int128 = 0

        mutating func carry(_ carrier: inout Carrier) { carrier(&from, &since, &moved) }
    }

    /// A road that was left.
    private struct Lost: Carried {
        /// The last that was seen of it, and where the legs stood.
        var sight = Sight()
        var letGoBy: Legs.LetGoBy?
        /// How far it went on other roads since.
        var gained: Int128 = 0
        /// Whether nobody can have come to the beginning of the present road, and when that was.
        var isStray = false
        var since: UInt64 = 0
        /// Whether the present road led on from there.
        var ledOn = false

        mutating func carry(_ carrier: inout Carrier) {
            carrier(&sight, &letGoBy, &gained, &isStray)
            carrier(&since, &ledOn)
        }
    }

    /// Ten minutes: so long a road that nobody can have come to must lead on to be believed.
    private static let proofMilliseconds: UInt64 = 600_000

    /// Readings that come in less than half a second come together, for five seconds at most.
    private static let apartMilliseconds: UInt64 = 500
    private static let togetherMilliseconds: UInt64 = 5_000

    /// The most that legs make in a time: 5 a second and 10 for a reading, 200,000 in each day.
    static func legs(_ milliseconds: UInt64) -> Int128 {
        let time = Int128(milliseconds)
        let days = max(1, (time + 86_399_999) / 86_400_000)
        return min(time * 5 / 1_000 + 10, days * 200_000)
    }

    /// Whether everything lies before a time.
    func isPast(at now: UInt64) -> Bool {
        max(together.since, lost?.since ?? 0) <= now
    }

    mutating func carry(_ carrier: inout Carrier) {
        carrier(&device, &isUnheard, &shown, &lost)
        carrier(&together, &cadence, &lastAt, &integral)
    }

    /// Takes a reading.
    ///
    /// - Parameters:
    ///   - reading: The reading.
    ///   - now: When.
    ///   - stepsPerCadenceCount: Steps for one count of a foot pod's cadence.
    ///   - legs: What goes on them, if it counts; nil if it does not.
    /// - Returns: What it moved; nil if the value cannot be decoded.
    mutating func read(
        _ reading: PedometerRead.Reading, at now: Instant, stepsPerCadenceCount: UInt8,
        on legs: inout Legs?
    ) -> Advance? {
        let advance: Advance
        var isTold = true
        switch reading {
        case .counter(let count): advance = move(to: count, at: now, &legs)
        case .characteristic(.infiniTimeStepCount, let value):
            guard value.count >= 4 else { return nil }
            let count = value.prefix(4).reversed().reduce(0) { $0 << 8 | UInt64($1) }
            advance = move(to: count, at: now, &legs)
        case .characteristic(.runningSpeedCadenceMeasurement, let value):
            guard let cadence = Self.cadence(value) else { return nil }
            // All bits set is not a cadence.
            isTold = cadence < 255
            advance =
                isTold
                ? roll(cadence, at: now, UInt64(stepsPerCadenceCount), &legs)
                : Advance(steps: 0, isFresh: false, isMute: true)
        case .characteristic: return nil
        }
        isUnheard = false
        if isTold { lastAt = now }
        return advance
    }

    private mutating func move(
        to count: UInt64, at now: Instant, _ legs: inout Legs?
    ) -> Advance {
        let new = Sight(count: Int128(count), at: now)
        guard let old = shown else {
            shown = new
            together = Together(from: now, since: now.milliseconds)
            legs?.go(0, now)
            return Advance(steps: 0, isFresh: false)
        }
        let isApart = now.longest(since: old.at) >= Self.apartMilliseconds
        if isApart || now.milliseconds - together.since >= Self.togetherMilliseconds {
            together = Together(from: old.at, since: now.milliseconds)
        }
        shown = new
        let room = max(0, Self.legs(now.longest(since: together.from)) - together.moved)
        let reach = max(0, min(room, legs?.reach(now) ?? room))
        guard let advance = way(from: old, to: new, within: reach, &legs) else {
            return Advance(steps: 0, isFresh: false, isBeyondLegs: true)
        }
        together.moved += advance.steps
        lost?.gained += advance.steps
        return advance
    }

    /// How the counter can have come from one sight to another; nil if legs cannot have.
    private mutating func way(
        from old: Sight, to new: Sight, within room: Int128, _ legs: inout Legs?
    ) -> Advance? {
        let ahead = new.count - old.count
        if (0...room).contains(ahead) {
            if ahead > 0, let lost {
                let isLong = new.at.milliseconds - lost.since >= Self.proofMilliseconds
                if isLong || !lost.isStray { self.lost = nil } else { self.lost?.ledOn = true }
            }
            legs?.go(ahead, new.at)
            return Advance(steps: ahead, isFresh: false)
        }
        let isFresh = ahead < 0 && new.count <= room
        if let lost, lost.isStray || !isFresh, case let further = new.count - lost.sight.count,
            further >= 0, further <= Self.legs(new.at.longest(since: lost.sight.at)),
            case let steps = max(0, further - lost.gained),
            steps <= legs?.reach(new.at, from: lost.letGoBy) ?? steps
        {
            self.lost = nil
            legs?.go(steps, new.at, from: lost.letGoBy)
            return Advance(steps: steps, isFresh: false)
        }
        // A wrap of 32 bits is told from a new beginning by how little it makes.
        let around = (new.count + 1 << 32 - old.count) % (1 << 32)
        if ahead < 0, old.count < 1 << 32, around < 100_000, around <= room {
            legs?.go(around, new.at)
            return Advance(steps: around, isFresh: false)
        }
        let now = new.at.milliseconds
        if let lost, !lost.ledOn {
            self.lost?.isStray = !isFresh
            self.lost?.since = now
        } else {
            lost = Lost(sight: old, letGoBy: legs?.letGoBy, isStray: !isFresh, since: now)
        }
        guard isFresh else { return nil }
        legs?.go(new.count, new.at)
        return Advance(steps: new.count, isFresh: true)
    }

    private mutating func roll(
        _ cadence: UInt8, at now: Instant, _ factor: UInt64, _ legs: inout Legs?
    ) -> Advance {
        let before = integral / 60_000
        if let before = lastAt?.milliseconds, now.milliseconds > before {
            let held = min(now.milliseconds - before, Self.paceLimitMilliseconds)
            // Faster than legs is not a walk.
            let perMinute = self.cadence * factor
            if perMinute <= 300 { integral += Int128(perMinute * held) }
        }
        self.cadence = UInt64(cadence)
        let steps = integral / 60_000 - before
        guard steps <= legs?.reach(now) ?? steps else {
            return Advance(steps: 0, isFresh: false, isBeyondLegs: true)
        }
        legs?.go(steps, now)
        return Advance(steps: steps, isFresh: false)
    }

    /// The cadence of a whole RSC Measurement (RSCS 1.0, 3.1), or nil.
    private static func cadence(_ value: [UInt8]) -> UInt8? {
        guard let flags = value.first else { return nil }
        let size = 4 + (flags & 1 != 0 ? 2 : 0) + (flags & 2 != 0 ? 4 : 0)
        return value.count >= size ? value[3] : nil
    }
}
