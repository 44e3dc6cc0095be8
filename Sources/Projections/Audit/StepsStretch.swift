package import Events

/// Readings of the chosen pedometer that count one after the other, under one rule.
///
/// A person can redo it with the events at its two ends, for a foot pod with all between them.
package struct StepsStretch: Hashable, Sendable {
    /// How readings become steps.
    package enum Rule: String, Sendable {
        /// A counter went on: last less first.
        case difference
        /// A counter showed less than before and so restarted: last.
        case restart
        /// The watch's 32 bits were over: last and 2^32 less first.
        case wrap
        /// A counter is back on the line that it had left: last less what it showed there, and less
        /// what was counted meanwhile.
        case onLine
        /// A reading that legs cannot have made: 0.
        case setAside
        /// A foot pod's cadence over time: (carried + cadenceMilliseconds) / 60,000, rounded down.
        case cadence
    }

    /// Who counted.
    package let device: DeviceID
    /// How readings become steps.
    package internal(set) var rule: Rule
    /// The reading from which it counts, or nil if that one came before the day.
    package internal(set) var firstPosition: Position?
    /// The count at the first reading; 0 of a foot pod.
    package private(set) var first: UInt64 = 0
    /// The last reading that counts.
    package internal(set) var lastPosition: Position = 0
    /// The count at the last reading; 0 of a foot pod.
    package internal(set) var last: UInt64 = 0
    /// How many readings count: those after the first one.
    package internal(set) var readings: UInt64 = 1
    /// Steps for one count of the cadence, 1 or 2.
    package private(set) var stepsPerCadenceCount: UInt8 = 1
    /// What was left of a step at the first reading, in 1/60,000 steps.
    package private(set) var carried: UInt64 = 0
    /// The sum of cadence (per minute) x steps per count x milliseconds for which it held.
    package internal(set) var cadenceMilliseconds: UInt64 = 0

    /// For how long the pedometer had not been read when its first reading came, if that was over
    /// midnight; or nil.
    package internal(set) var silenceMilliseconds: UInt64?
    /// Steps at its beginning that a total had brought already, or that were set aside.
    package internal(set) var covered: UInt64 = 0
    /// How many totals those are; 0 if none.
    package internal(set) var coveringTotals: UInt64 = 0

    /// What a counter counted from one reading to the next.
    init(_ device: DeviceID, _ outcome: CountedLine.Outcome, from first: UInt64, to last: UInt64) {
        (self.device, self.first, self.last) = (device, first, last)
        switch outcome {
        case .begun, .counted: rule = .difference
        case .wrapped: rule = .wrap
        case .onLine(let steps): (rule, self.first) = (.onLine, last.minus(steps))
        case .begunAnew: rule = .restart
        case .setAside, .fellBack: rule = .setAside
        }
    }

    /// What a foot pod's cadence made from one reading to the next.
    init(_ device: DeviceID, _ factor: UInt8, carried: UInt64, _ cadenceMilliseconds: UInt64 = 0) {
        (self.device, rule, stepsPerCadenceCount) = (device, .cadence, factor)
        (self.carried, self.cadenceMilliseconds) = (carried, cadenceMilliseconds)
    }

    /// What it adds to the day.
    package var steps: UInt64 { shown.minus(covered) }

    /// What the readings show.
    var shown: UInt64 {
        switch rule {
        case .difference, .onLine: last.minus(first)
        case .setAside: 0
        case .restart: last
        case .wrap: last.plus(1 << 32).minus(first)
        case .cadence: carried.plus(cadenceMilliseconds) / 60_000
        }
    }
}

/// A reading of the chosen pedometer that does not count, or not in full.
package struct UncountedReading: Hashable, Sendable {
    /// Why a reading does not count.
    package enum Reason: String, Sendable {
        /// The day began after the reading before, and these steps are not surely of it.
        case newDay
        /// Another pedometer counted until now.
        case newlyChosen
        /// A health total that won had brought what the pedometer counted unheard.
        case coveredByTotal
    }

    /// The reading.
    package let position: Position
    /// Who counted.
    package let device: DeviceID
    /// What does not count of it.
    package let steps: UInt64
    /// Why it does not count.
    package let reason: Reason
    /// The event that made it so; of several totals the last.
    package let causePosition: Position
    /// How many totals had these steps; 0 for another reason.
    package let totals: UInt64
}

/// The readings of a pedometer that is not chosen.
package struct OtherPedometer: Hashable, Sendable {
    /// The pedometer.
    package let device: DeviceID
    /// How many readings it gave on the day.
    package internal(set) var readings: UInt64
}
