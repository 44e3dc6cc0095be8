internal import JSON
internal import Projections

extension WalkFile {
    /// What the rows of CSV are.
    public enum Rows: String, CaseIterable, Sendable {
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
    /// - Throws: What `write` throws.
    public func write(
        _ format: WalkFormat, rows: Rows = .seconds, _ write: ([UInt8]) throws -> Void
    ) rethrows {
        switch format {
        case .fit: try write(fit())
        case .gpx: try writeGPX(write)
        case .tcx: try writeTCX(write)
        case .csv: try rows == .seconds ? writeSeconds(write) : writeSamples(write)
        case .rr: try writeIntervals(write)
        case .gaps: try writeGaps(write)
        case .json:
            var rest = json[...]
            while !rest.isEmpty {
                try write(Array(rest.prefix(WalkText.portionBytes)))
                rest = rest.dropFirst(WalkText.portionBytes)
            }
        }
    }

    /// The session as `sessions show --json` prints it.
    private var json: [UInt8] {
        JSONWriter.line { json in
            report.writeFields(to: &json)
            series.writeFields(to: &json)
        }
    }

    /// Why the walk cannot leave in a format, in a sentence; nil if it can.
    public func refusal(_ format: WalkFormat) -> String? {
        lack(format).map { "This walk has no \($0). FIT holds what was recorded." }
    }

    /// What a format needs and the walk does not have, in the plural.
    public func lack(_ format: WalkFormat) -> String? {
        switch format {
        case .gpx where series.points.isEmpty: "positions, which GPX needs"
        case .rr where !hasIntervals, .gaps where !hasIntervals: "intervals between beats"
        case .fit, .gpx, .tcx, .csv, .rr, .gaps, .json: nil
        }
    }

    private var hasIntervals: Bool { series.samples.contains { !$0.rrTicks.isEmpty } }

    /// What a file of the walk is called, without its ending: `2026-03-01-0931-walk`, by the clock
    /// where it began.
    public var fileName: String {
        let time = localInstant(0)
        return "\(time.prefix(10))-\(time.dropFirst(11).prefix(2))\(time.dropFirst(14).prefix(2))"
            + "-walk"
    }

    /// What of the walk a format does not hold, in the singular, and how much of it there is.
    public func losses(_ format: WalkFormat, rows: Rows = .seconds) -> [(
        what: String, count: UInt64
    )] {
        let samples = series.samples
        let beats = samples.reduce(0) { $0 + UInt64($1.rrTicks.count) }
        let all = [
            ("beat interval", [.gpx, .tcx].contains(format) ? beats : 0),
            ("heart rate", UInt64(samples.count) - heldSamples(format, rows, samples)),
            ("position", UInt64(series.points.count) - heldPoints(format, rows)),
            ("step", lostSteps(format)),
            ("mark", UInt64(series.marks.count { $0.isLost(in: format) })),
        ]
        return all.filter { $0.1 > 0 }.map { (what: $0.0, count: $0.1) }
    }

    /// How many of the heart rates a format holds.
    private func heldSamples(
        _ format: WalkFormat, _ rows: Rows, _ samples: [SessionSeries.Sample]
    ) -> UInt64 {
        switch format {
        case .fit, .gaps, .json: return UInt64(samples.count)
        case .tcx: return UInt64(samples.count { $0.garminRate != nil })
        case .csv where rows == .samples: return UInt64(samples.count)
        case .csv: return Self.seconds(samples.map(\.elapsedMilliseconds))
        case .gpx:
            var held: UInt64 = 0
            var last: SessionSeries.Sample?
            for (_, sample) in track where sample?.garminRate != nil && sample != last {
                held += 1
                last = sample
            }
            return held
        case .rr: return 0
        }
    }

    /// How many of the positions a format holds.
    private func heldPoints(_ format: WalkFormat, _ rows: Rows) -> UInt64 {
        switch format {
        case .csv where rows == .seconds:
            Self.seconds(series.points.map(\.elapsedMilliseconds))
        case .rr: 0
        case .fit, .gpx, .tcx, .csv, .gaps, .json: UInt64(series.points.count)
        }
    }

    /// In how many rows of a second such moments are.
    private static func seconds(_ moments: [UInt64]) -> UInt64 {
        let seconds = moments.map { ($0 + 999) / 1_000 }
        return UInt64(zip(seconds, seconds.dropFirst()).count { $0 != $1 } + min(1, seconds.count))
    }

    private func lostSteps(_ format: WalkFormat) -> UInt64 {
        switch format {
        case .gpx, .rr: report.steps
        case .tcx: stepsBeyondLaps
        case .fit, .csv, .gaps, .json: 0
        }
    }
}

extension SessionSeries.Sample {
    /// Its heart rate within the limits of the schemas of TCX and of GPX's extension; nil outside.
    var garminRate: UInt64? { (1...255).contains(bpm) ? UInt64(bpm) : nil }
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

extension SessionSeries.Mark {
    /// Whether a format has no place for it: in CSV a mark is its text.
    fileprivate func isLost(in format: WalkFormat) -> Bool {
        switch format {
        case .tcx, .rr: true
        case .csv: text.isEmpty
        case .fit, .gpx, .gaps, .json: false
        }
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
