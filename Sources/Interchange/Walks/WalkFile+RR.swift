internal import Projections
internal import Text

/// The intervals between beats, one a line, in milliseconds with one decimal, which tells one
/// 1/1024 s from the next.
///
/// A gap is no interval: Kubios takes every line for one, so gaps stand in a file of their own.
extension WalkFile {
    func writeIntervals(_ write: ([UInt8]) throws -> Void) rethrows {
        var text = WalkText()
        for sample in series.samples {
            for ticks in sample.rrTicks {
                text.add(decimal((UInt32(ticks) * 10_000 + 512) / 1_024, places: 1) + "\n")
            }
            try text.pass(write)
        }
        try text.finish(write)
    }

    /// A stretch without intervals.
    struct Gap: Hashable {
        /// How many intervals stand before it.
        var beats: UInt64
        var startMilliseconds: UInt64
        var endMilliseconds: UInt64
        var reason: String
    }

    /// The stretches in which no intervals came: pauses, outages, and what is left out.
    var gaps: [Gap] {
        var gaps: [Gap] = []
        var samples = series.samples[...]
        var beats: UInt64 = 0
        for interval in series.intervals {
            while let sample = samples.first,
                sample.elapsedMilliseconds <= interval.startMilliseconds
            {
                beats += UInt64(sample.rrTicks.count)
                samples.removeFirst()
            }
            let word = interval.kind.fileWord
            if let last = gaps.last, last.beats == beats,
                last.endMilliseconds == interval.startMilliseconds
            {
                gaps[gaps.count - 1].endMilliseconds = interval.endMilliseconds
                gaps[gaps.count - 1].reason += "; \(word)"
            } else {
                gaps.append(
                    Gap(
                        beats: beats, startMilliseconds: interval.startMilliseconds,
                        endMilliseconds: interval.endMilliseconds, reason: word))
            }
        }
        return gaps
    }

    /// Whether there are stretches without intervals.
    package var hasGaps: Bool { !gaps.isEmpty }

    /// Where the gaps are.
    func writeGaps(_ write: ([UInt8]) throws -> Void) rethrows {
        var text = WalkText()
        text.line(["intervals_before", "elapsed_s", "duration_s", "reason"])
        for gap in gaps {
            text.line([
                "\(gap.beats)", decimal(gap.startMilliseconds, places: 3),
                decimal(gap.endMilliseconds - gap.startMilliseconds, places: 3),
                gap.reason,
            ])
        }
        try text.finish(write)
    }
}
