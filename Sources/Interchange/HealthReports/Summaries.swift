internal import Events
internal import Projections

/// Samples of Health Auto Export, of which one may hold others: an hour its minutes, if what it
/// summarizes by was changed.
///
/// Each sample is what was known of its interval when it was sent, so it is at most what was
/// walked, and so is the sum of samples that lie in it side by side. Of the two the greater counts:
/// that invents no step, and never falls when more is sent. An hour of this program next to the
/// minutes of another one is beyond this rule, as the page says.
struct Summaries {
    /// A sample, and the samples in it that count if it does not.
    private struct Interval {
        let sample: StepSample
        var parts: [StepSample] = []

        /// What counts of the interval.
        var greatest: [StepSample] {
            parts.reduce(0) { $0 + $1.steps } > sample.steps ? parts : [sample]
        }

        func holds(_ other: StepSample) -> Bool {
            other.endedAtMilliseconds <= sample.endedAtMilliseconds
                && (other.beganAtMilliseconds < sample.endedAtMilliseconds
                    || other.beganAtMilliseconds == sample.beganAtMilliseconds)
        }
    }

    /// The intervals that hold the sample at hand, the longest first.
    private var open: [Interval] = []
    private var counted: [StepSample] = []

    /// The samples that count, of any origin.
    static func greatest(of samples: [StepSample]) -> [StepSample] {
        func isSummary(_ sample: StepSample) -> Bool {
            sample.origin.hasPrefix(ExportInterval.program)
        }
        var summaries = Summaries()
        let inOrder = samples.filter(isSummary).sorted {
            ($0.beganAtMilliseconds, $1.endedAtMilliseconds, $0.steps, $0.countedBy)
                < ($1.beganAtMilliseconds, $0.endedAtMilliseconds, $1.steps, $1.countedBy)
        }
        for sample in inOrder { summaries.add(sample) }
        while !summaries.open.isEmpty { summaries.close() }
        return summaries.counted.map(atBeginning) + samples.filter { !isSummary($0) }
    }

    /// The sample in the minute that it begins in: it may have been sent before its interval was
    /// over, so it does not say until when it counts.
    private static func atBeginning(_ sample: StepSample) -> StepSample {
        var sample = sample
        sample.endedAtMilliseconds = sample.beganAtMilliseconds
        return sample
    }

    /// Adds a sample that begins after the others, or with them and is no longer.
    private mutating func add(_ sample: StepSample) {
        while let last = open.last, !last.holds(sample) { close() }
        open.append(Interval(sample: sample))
    }

    /// Hands what counts of the shortest interval to the one that holds it.
    private mutating func close() {
        let parts = open.removeLast().greatest
        if open.isEmpty { counted += parts } else { open[open.count - 1].parts += parts }
    }
}
