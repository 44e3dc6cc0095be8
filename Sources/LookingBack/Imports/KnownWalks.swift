internal import Events
internal import Projections

/// The walks of a log by when they began, among which a walk is looked for that comes again in
/// another format.
struct KnownWalks {
    private static let startMilliseconds: Int64 = 60_000
    private static let durationMilliseconds: UInt64 = 60_000
    /// Of a duration, or of a distance.
    private static let percent: UInt64 = 2

    private struct Walk {
        let began: Int64
        /// Nil for one that a dry run would import.
        let position: Position?
        let activeMilliseconds: UInt64
        let elapsedMilliseconds: UInt64
        /// The sum and the count of its heart rates.
        let heartRate: (sum: UInt64, count: UInt64)
        let distanceMillimetres: UInt64?

        init(_ report: SessionReport, _ position: Position?) {
            began = report.startedAtMilliseconds
            self.position = position
            activeMilliseconds = report.activeMilliseconds
            elapsedMilliseconds = report.elapsedMilliseconds
            heartRate = (report.heartRate.sum, report.heartRate.samples)
            distanceMillimetres = report.distanceMillimetres
        }

        func isLike(_ other: Self) -> Bool {
            guard isNear(activeMilliseconds, other.activeMilliseconds, durationMilliseconds)
            else { return false }
            if heartRate.count > 0, other.heartRate.count > 0 {
                // Hundredths of a beat a minute.
                let means = [heartRate, other.heartRate].map { $0.sum * 100 / $0.count }
                return isNear(means[0], means[1], within: 100)
            }
            guard let distanceMillimetres, let distance = other.distanceMillimetres else {
                return false
            }
            return isNear(distanceMillimetres, distance, 0)
        }

        func took(_ milliseconds: UInt64) -> Bool {
            isNear(elapsedMilliseconds, milliseconds, durationMilliseconds)
        }

        /// Whether two values are within so much, or within 2 %.
        private func isNear(_ one: UInt64, _ other: UInt64, _ tolerance: UInt64) -> Bool {
            isNear(one, other, within: max(tolerance, max(one, other) / 100 * percent))
        }

        private func isNear(_ one: UInt64, _ other: UInt64, within tolerance: UInt64) -> Bool {
            max(one, other) - min(one, other) <= tolerance
        }
    }

    /// In order of their start.
    private var walks: [Walk] = []

    /// The walks of a log, but for simulated ones.
    init(_ state: LogState) {
        for report in state.sessionReports(at: state.lastMoment)
        where report.provenance != .simulated { add(report, report.position) }
    }

    /// Adds a walk.
    ///
    /// - Parameters:
    ///   - report: The walk.
    ///   - position: Where it began; nil if it is in no log.
    mutating func add(_ report: SessionReport, _ position: Position?) {
        let walk = Walk(report, position)
        walks.insert(walk, at: firstIndex(from: walk.began))
    }

    /// Looks for a walk that began within a minute of this one, took as long within a minute or
    /// 2 %, and has the same mean heart rate within a beat a minute, or where one has none the same
    /// distance within 2 %.
    ///
    /// - Returns: Its position; nil within for a walk that is in no log; nil if there is none.
    func copy(of report: SessionReport) -> Position?? {
        let walk = Walk(report, nil)
        return near(walk.began).first { walk.isLike($0) }.map(\.position)
    }

    /// Whether a walk began within a minute of a time, and took as long with its pauses, within a
    /// minute or 2 %.
    func contains(from start: Int64, until end: Int64) -> Bool {
        near(start).contains { $0.took(UInt64(max(0, end - start))) }
    }

    private func near(_ start: Int64) -> ArraySlice<Walk> {
        walks[firstIndex(from: start - Self.startMilliseconds)...]
            .prefix { $0.began - start <= Self.startMilliseconds }
    }

    private func firstIndex(from began: Int64) -> Int {
        walks.partitioningIndex { $0.began >= began }
    }
}
