/// One line of the result.
struct Measure {
    /// What a figure counts.
    enum Unit: String {
        case microseconds = "us"
        case eventsPerSecond = "events/s"
        case bytes = "bytes"
    }

    /// What is promised, of the ratio to C or of Swift's own figure.
    enum Bound {
        case atMost(Double)
        case atLeast(Double)
        case valueAtMost(Double)
    }

    /// The name in JSON.
    let name: String
    let title: String
    let unit: Unit
    /// Swift's figure: seconds for a time, else in the unit.
    let swift: Double
    /// C's figure, if there is one.
    var reference: Double?
    /// Swift's to C's, from pairs taken side by side.
    var ratio: Double?
    /// What has to hold now.
    var must: Bound?
    /// What ARCHITECTURE promises in the end.
    var goal: Bound?

    /// Whether a bound holds.
    func meets(_ bound: Bound) -> Bool {
        switch bound {
        case .atMost(let limit): ratio.map { $0 <= limit } ?? false
        case .atLeast(let limit): ratio.map { $0 >= limit } ?? false
        case .valueAtMost(let limit): swift <= limit
        }
    }

    /// Whether what must hold does.
    var holds: Bool { must.map(meets) ?? true }
}
