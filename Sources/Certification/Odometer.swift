import Events

/// A pedometer as an odometer that only goes up, whatever its own counter does.
///
/// Each step has one place on it. What is counted is a range of places, so no step counts twice.
struct Odometer {
    /// What one reading moved.
    struct Advance {
        /// How many steps further the odometer stands.
        let steps: Int128
        /// Whether the counter had begun anew.
        let isFresh: Bool
    }

    let device: DeviceID
    /// No reading came since the recorder started or stopped.
    var isUnheard = false

    private var count: UInt64?
    private var cadence: UInt64 = 0
    private var lastAt: UInt64?
    /// Places of a foot pod, in 1/60,000 steps.
    private var integral: Int128 = 0

    init(_ device: DeviceID) {
        self.device = device
    }

    /// Whether the next reading may show steps that a total of some age holds already.
    ///
    /// Not if it was read since that total's end, or a moment ago, and a recorder listened since.
    func mayRepeat(aged milliseconds: UInt64, at now: UInt64) -> Bool {
        guard !isUnheard, let lastAt else { return true }
        return now - min(now, lastAt) > max(milliseconds, Self.paceLimitMilliseconds)
    }

    /// A foot pod's cadence holds, and a reading is recent, for at most 5 s.
    private static let paceLimitMilliseconds: UInt64 = 5_000

    mutating func read(
        _ reading: PedometerRead.Reading, at now: UInt64, stepsPerCadenceCount: UInt8
    ) -> Advance? {
        let advance: Advance?
        switch reading {
        case .counter(let count): advance = move(to: count, bits: nil)
        case .characteristic(.infiniTimeStepCount, let value):
            guard value.count >= 4 else { return nil }
            let count = value.prefix(4).reversed().reduce(0) { $0 << 8 | UInt64($1) }
            advance = move(to: count, bits: 32)
        case .characteristic(.runningSpeedCadenceMeasurement, let value):
            guard let cadence = Self.cadence(value) else { return nil }
            advance = roll(cadence, at: now, UInt64(stepsPerCadenceCount))
        case .characteristic: return nil
        }
        isUnheard = false
        lastAt = now
        return advance
    }

    private mutating func move(to new: UInt64, bits: UInt64?) -> Advance {
        defer { count = new }
        guard let old = count else { return Advance(steps: 0, isFresh: false) }
        if new >= old { return Advance(steps: Int128(new - old), isFresh: false) }
        if let bits, old < 1 << bits {
            // A wrap is told from a new beginning by how little it makes.
            let wrapped = new + (1 << bits) - old
            if wrapped < 100_000 { return Advance(steps: Int128(wrapped), isFresh: false) }
        }
        return Advance(steps: Int128(new), isFresh: true)
    }

    private mutating func roll(_ cadence: UInt8, at now: UInt64, _ factor: UInt64) -> Advance {
        let before = integral / 60_000
        if let lastAt, now > lastAt {
            let held = min(now - lastAt, Self.paceLimitMilliseconds)
            integral += Int128(self.cadence * factor * held)
        }
        self.cadence = UInt64(cadence)
        return Advance(steps: integral / 60_000 - before, isFresh: false)
    }

    /// The cadence of a whole RSC Measurement (RSCS 1.0, 3.1), or nil.
    private static func cadence(_ value: [UInt8]) -> UInt8? {
        guard let flags = value.first else { return nil }
        let size = 4 + (flags & 1 != 0 ? 2 : 0) + (flags & 2 != 0 ? 4 : 0)
        return value.count >= size ? value[3] : nil
    }
}
