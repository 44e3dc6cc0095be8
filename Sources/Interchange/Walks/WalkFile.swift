internal import Events
package import Projections

/// A walk that leaves in a file: what its totals are shown from, and what they are made of.
///
/// Each format is written by an extension of its own, `WalkFile+FIT.swift` and so on, and needs no
/// other model of a walk.
package struct WalkFile {
    /// Its totals.
    package let report: SessionReport
    /// Its samples, marks, splits and track; ``SessionSeries/rows`` line by line.
    package let series: SessionSeries

    /// Takes a session that is to be written.
    package init(_ report: SessionReport, _ series: SessionSeries) {
        (self.report, self.series) = (report, series)
    }

    /// The program that files name for a walk that `record --simulate` made up.
    static let simulator = "Pulselog simulator"

    /// The program that files name.
    var program: String { report.provenance == .simulated ? Self.simulator : "Pulselog" }

    /// What was done; a walk if it is unknown.
    var sport: Sport { report.keeping.sport.known ?? .walk }

    /// UTC milliseconds of a moment of the session.
    ///
    /// - Parameter elapsed: Since it began, with its pauses.
    /// - Returns: The time by the wall clock at its start.
    package func wallMilliseconds(_ elapsed: UInt64) -> Int64 {
        report.startedAtMilliseconds.addingReportingOverflow(Int64(clamping: elapsed)).partialValue
    }
}
