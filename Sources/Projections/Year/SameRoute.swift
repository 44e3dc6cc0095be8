
/// The walks that went the same way as one of them, in order.
package struct SameRoute: Sendable {
    /// The walk.
    package let walk: SessionReport
    /// Those before it.
    package let before: [SessionReport]
    /// Those after it.
    package let after: [SessionReport]
    /// Their shapes.
    package let outlines: WalkOutlines

    /// Finds them; nil if there is no other.
    ///
    /// - Parameters:
    ///   - walk: The walk.
    ///   - reports: All walks.
    ///   - outlines: Their outlines.
    package init?(_ walk: SessionReport, among reports: [SessionReport], _ outlines: WalkOutlines) {
        let parts = KnownRoutes(reports, outlines).routes.lazy.map { route in
            route.walks.split(maxSplits: 1, omittingEmptySubsequences: false) {
                $0.position == walk.position
            }
        }.first { $0.count > 1 }
        guard let parts else { return nil }
        (self.walk, self.outlines) = (walk, outlines)
        (before, after) = (Array(parts[0]), Array(parts[1]))
    }

    /// All of them, in order.
    package var walks: [SessionReport] { before + [walk] + after }

    /// The one before it that took the least time, the latest of equals; nil without any.
    package var best: SessionReport? {
        before.reversed().min { $0.activeMilliseconds < $1.activeMilliseconds }
    }

    /// The last five before it, or as many as there are.
    package var lastFive: ArraySlice<SessionReport> { before.suffix(5) }

    /// What those took on average, in milliseconds without pauses; nil without any.
    package var meanMilliseconds: UInt64? {
        guard !lastFive.isEmpty else { return nil }
        return lastFive.reduce(0) { $0 + $1.activeMilliseconds } / UInt64(lastFive.count)
    }
}
