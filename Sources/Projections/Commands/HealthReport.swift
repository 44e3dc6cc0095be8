package import Events

/// What a health store reported in one message.
package struct HealthReport: Hashable, Sendable {
    /// Which program sent it.
    package var origin: Reporter.Kind
    /// Totals of days, in the order of the message.
    package var totals: [HealthTotal]
    /// Samples of which totals are made, in the order of the message.
    package var samples: [StepSample]
    /// Which of them, by index, hold a fraction that was rounded: up or down, as the fractions
    /// before them in the message made necessary.
    package var roundedSamples: [Int] = []
    /// What of the message cannot be used, record by record.
    package var ignored: [IgnoredSamples] = []

    /// Makes a report.
    package init(
        origin: Reporter.Kind, totals: [HealthTotal] = [], samples: [StepSample] = []
    ) {
        (self.origin, self.totals, self.samples) = (origin, totals, samples)
    }

    /// The totals that matter: the greatest of each date, in order of date.
    package static func greatest(of totals: [HealthTotal]) -> [HealthTotal] {
        var greatest: [HealthTotal] = []
        for total in totals.sorted(by: { $0.date < $1.date }) {
            if let last = greatest.last, last.date == total.date {
                if total.supersedes(last) { greatest[greatest.count - 1] = total }
            } else {
                greatest.append(total)
            }
        }
        return greatest
    }
}

/// The steps of one local date, as a health store counts them.
package struct HealthTotal: Hashable, Sendable {
    /// The local date.
    package var date: CivilDate
    /// Steps of that day, all devices, 0 to 2^31 - 1.
    package var steps: UInt64
    /// UTC until which the total counts, in milliseconds since 1970, or nil if the store does not
    /// say.
    package var validUntilMilliseconds: Int64?

    /// Makes a total.
    package init(date: CivilDate, steps: UInt64, validUntilMilliseconds: Int64? = nil) {
        (self.date, self.steps, self.validUntilMilliseconds) = (date, steps, validUntilMilliseconds)
    }

    /// Whether this says more than another total of the same date: more steps, or as many that
    /// count until later.
    func supersedes(_ other: HealthTotal) -> Bool {
        guard steps == other.steps else { return steps > other.steps }
        return validUntilMilliseconds ?? .min > other.validUntilMilliseconds ?? .min
    }
}

extension SourceState {
    /// Whether a total says more than every total of its date that the log holds.
    ///
    /// A store repeats itself, and reports again what it did yesterday; that is not an event.
    package func isNews(_ total: HealthTotal) -> Bool {
        guard let day = steps[total.date], let known = day.observedTotal else { return true }
        return total.supersedes(
            HealthTotal(
                date: total.date, steps: known,
                validUntilMilliseconds: day.observedUntilMilliseconds))
    }
}

/// What became of a ``HealthReport``.
package struct HealthOutcome: Hashable, Sendable {
    /// What became of its totals and of those made of its samples, in order of date.
    package var days: [HealthReceipt]
    /// How many of its samples were news, and are durable.
    package var newSamples: Int
    /// Its samples that were not recorded though they may be news, in order of date.
    package var ignored: [IgnoredSamples]

    /// Makes an outcome.
    package init(days: [HealthReceipt], newSamples: Int = 0, ignored: [IgnoredSamples] = []) {
        (self.days, self.newSamples, self.ignored) = (days, newSamples, ignored)
    }
}

/// Nothing of a ``HealthReport`` was looked at: the machine does not know yet what day it is.
package struct ClockNotSet: Error, Hashable, Sendable, CustomStringConvertible {
    /// Makes the error.
    package init() {}

    /// What is wrong and what to do.
    package var description: String {
        "The clock of this machine is not set yet. Send the totals again when it is."
    }
}

/// Samples of one date, or a single record, of which no event came, for one reason.
package struct IgnoredSamples: Hashable, Sendable {
    /// Why they do not count.
    package enum Reason: String, Sendable {
        /// Other samples of their date may be forgotten already: a sum would be a part of it.
        case tooOld
        /// They end more than a day after they came, by a clock of this machine that is set: the
        /// clock that they were told by is wrong.
        case inFuture
        /// A value is missing, of another type or out of range.
        case invalid
        /// It is of a year before 2000 or after 2099.
        case dateOutOfRange
        /// It ends before it begins.
        case reversed
        /// It is longer than any day.
        case tooLong
        /// Its count is below 0 or above what a record can hold.
        case countOutOfRange
        /// Nobody walks that fast.
        case tooFast
    }

    /// The local date of their last millisecond; nil of a record that cannot be read.
    package var date: CivilDate?
    /// How many there are.
    package var count: Int
    /// Why they do not count.
    package var reason: Reason
    /// Which record it is and what is wrong with it, in a sentence; nil of several.
    package var message: String?

    /// Makes an entry of an outcome.
    package init(date: CivilDate?, count: Int, reason: Reason, message: String? = nil) {
        (self.date, self.count, self.reason, self.message) = (date, count, reason, message)
    }
}

/// What became of one total of a ``HealthReport``.
package struct HealthReceipt: Hashable, Sendable {
    /// What became of it.
    package enum Outcome: Hashable, Sendable {
        /// It was news, and is durable.
        case taken
        /// The log knew as much or more; no event came of it.
        case known
        /// It makes no sense; no event came of it.
        case refused(Refusal)
    }

    /// Whether the total was refused.
    package var isRefused: Bool {
        if case .refused = outcome { true } else { false }
    }

    /// The total.
    package var total: HealthTotal
    /// What became of it.
    package var outcome: Outcome
    /// The count that people see for its date now.
    package var displayed: UInt64

    /// Makes a receipt.
    package init(total: HealthTotal, outcome: Outcome, displayed: UInt64) {
        (self.total, self.outcome, self.displayed) = (total, outcome, displayed)
    }
}
