/// One line of the result.
struct Measure {
    /// What a figure counts.
    enum Unit: String {
        case microseconds = "us"
        case eventsPerSecond = "events/s"
        case bytes = "bytes"
        case mebibytes = "MiB"
    }

    /// What is promised, of the ratio to C or of Swift's own figure.
    enum Bound {
        case atMost(Double)
        case atLeast(Double)
        case valueAtMost(Double)
        case valueAtLeast(Double)
    }

    /// The name in JSON.
    let name: String
    let title: String
    let unit: Unit
    /// Swift's figure: seconds for a time, else in the unit.
    let swift: Double
    /// The other side's figure, if there is one.
    var reference: Double?
    /// Swift's to the other's, from pairs taken side by side.
    var ratio: Double?
    /// What is promised.
    var must: Bound?
    /// What is aimed at beyond that.
    var goal: Bound?
    /// Who the other side is: C by blocks, or a store that keeps each event by itself.
    var rival = "C"

    /// Whether a bound holds.
    func meets(_ bound: Bound) -> Bool {
        switch bound {
        case .atMost(let limit): ratio.map { $0 <= limit } ?? false
        case .atLeast(let limit): ratio.map { $0 >= limit } ?? false
        case .valueAtMost(let limit): swift <= limit
        case .valueAtLeast(let limit): swift >= limit
        }
    }

    /// A bound as it stands in the table.
    func text(_ bound: Bound) -> String {
        switch bound {
        case .atMost(let limit): "<= " + limit.fixed(2)
        case .atLeast(let limit): ">= " + limit.fixed(2)
        case .valueAtMost(let limit): "<= " + unit.text(limit)
        case .valueAtLeast(let limit): ">= " + unit.text(limit)
        }
    }

    /// Whether what must hold does.
    var holds: Bool { must.map(meets) ?? true }
}
