internal import JSON
internal import Projections

extension WalkFile {
    /// What the rows of CSV are.
    package enum Rows: String, CaseIterable, Sendable {
        /// One for each second.
        case seconds
        /// One for each value.
        case samples
    }

    /// Writes the walk: the one way out, for commands and for the page.
    ///
    /// - Parameters:
    ///   - format: The format; ``refusal(_:)`` says whether it can hold the walk.
    ///   - rows: What the rows are of CSV.
    ///   - write: Takes the bytes, of text at most 64 KiB and a line at once.
    /// - Returns: What of the walk the format does not hold, in the singular, and how much of it
    ///   there is.
    /// - Throws: What `write` throws.
    @discardableResult
    package func write(
        _ format: WalkFormat, rows: Rows = .seconds, _ write: ([UInt8]) throws -> Void
    ) rethrows -> [(what: String, count: UInt64)] {
        var held = contents
        switch format {
        case .fit: try write(fit())
        case .gpx: held = try writeGPX(write)
        case .tcx: held = try writeTCX(write)
        case .csv: held = try rows == .seconds ? writeSeconds(write) : writeSamples(write)
        case .rr:
            held = Contents(intervals: contents.intervals)
            try writeIntervals(write)
        case .gaps: try writeGaps(write)
        case .json:
            var rest = json[...]
            while !rest.isEmpty {
                try write(Array(rest.prefix(WalkText.portionBytes)))
                rest = rest.dropFirst(WalkText.portionBytes)
            }
        }
        return zip(contents.list, held.list).compactMap { all, held in
            all.count > held.count ? (all.what, all.count - held.count) : nil
        }
    }

    /// How much a walk, or a file of it, holds of what formats may leave out.
    struct Contents {
        var intervals: UInt64 = 0
        var heartRates: UInt64 = 0
        var positions: UInt64 = 0
        var steps: UInt64 = 0
        var marks: UInt64 = 0

        fileprivate var list: [(what: String, count: UInt64)] {
            [
                ("beat interval", intervals), ("heart rate", heartRates), ("position", positions),
                ("step", steps), ("mark", marks),
            ]
        }
    }

    /// What the walk holds.
    var contents: Contents {
        let samples = series.samples
        return Contents(
            intervals: samples.reduce(0) { $0 + UInt64($1.rrTicks.count) },
            heartRates: UInt64(samples.count), positions: UInt64(series.points.count),
            steps: report.steps, marks: UInt64(series.marks.count))
    }

    /// The session as `sessions show --json` prints it.
    private var json: [UInt8] {
        JSONWriter.line { json in
            report.writeFields(to: &json)
            series.writeFields(to: &json)
        }
    }

    /// Why the walk cannot leave in a format, in a sentence; nil if it can.
    package func refusal(_ format: WalkFormat) -> String? {
        lack(format).map { "This walk has no \($0). FIT holds what was recorded." }
    }

    /// What a format needs and the walk does not have, in the plural.
    package func lack(_ format: WalkFormat) -> String? {
        switch format {
        case .gpx where series.points.isEmpty: "positions, which GPX needs"
        case .rr where !hasIntervals, .gaps where !hasIntervals: "intervals between beats"
        case .fit, .gpx, .tcx, .csv, .rr, .gaps, .json: nil
        }
    }

    private var hasIntervals: Bool { series.samples.contains { !$0.rrTicks.isEmpty } }

    /// What a file of the walk is called, without its ending: `2026-03-01-0931-walk`, by the clock
    /// where it began.
    package var fileName: String {
        let time = localInstant(0)
        return "\(time.prefix(10))-\(time.dropFirst(11).prefix(2))\(time.dropFirst(14).prefix(2))"
            + "-walk"
    }
}

// MARK: - The course of the walk

/// In which of its stretches a walk is; asked in order.
struct WalkCourse {
    private var rest: ArraySlice<SessionInterval>
    /// How many stretches have ended.
    private(set) var ended = 0

    init(_ intervals: [SessionInterval]) {
        rest = intervals[...]
    }

    /// The stretch of a moment; nil where heart rates came.
    ///
    /// - Parameter elapsed: Milliseconds since the walk began, no less than before.
    /// - Returns: The stretch.
    mutating func interval(at elapsed: UInt64) -> SessionInterval? {
        while let first = rest.first, first.endMilliseconds <= elapsed {
            rest.removeFirst()
            ended += 1
        }
        return rest.first.flatMap { $0.startMilliseconds <= elapsed ? $0 : nil }
    }
}

extension SessionInterval.Kind {
    /// What it is called in files.
    var fileWord: String {
        switch self {
        case .noContact: "no contact"
        case .silent: "no value"
        case .held: "link lost"
        case .disconnected: "no link"
        case .paused: "paused"
        }
    }
}
