import Events
import Interchange
import Projections

/// 2026-03-01T09:00:00Z.
let nineOClock: Int64 = 1_772_355_600_000

/// Reads a file of walks in pieces of a size.
func readWalks(
    _ format: WalkFileFormat, _ text: String, _ times: StatedTimes = StatedTimes(),
    pieces size: Int = .max
) -> (facts: WalkFacts, damage: String?) {
    var reader = format.reader(times)
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        reader.push(Array(rest.prefix(size)).span)
        rest = rest.dropFirst(size)
    }
    reader.finish()
    return (reader.facts, reader.damage)
}

/// The sessions that the fold makes of facts.
func sessions(_ facts: WalkFacts) -> [SessionReport] {
    let file = ImportBegan(
        fileName: "a", format: "gpx", sha256: [UInt8](repeating: 0, count: 32))
    var events = facts.events(of: file)
    events.setSource(1)
    var state = LogState()
    for index in 0..<events.count { events.withEvent(at: index) { state.evolve($0) } }
    return state.sessionReports(at: state.lastMoment)
}

extension WalkFacts {
    /// The facts, with the seconds since nine.
    var timed: [Timed] {
        facts.map { Timed(seconds: Double($0.at - nineOClock) / 1_000, fact: $0.fact) }
    }

    struct Timed: Equatable {
        let seconds: Double
        let fact: Fact

        init(seconds: Double, fact: Fact) {
            (self.seconds, self.fact) = (seconds, fact)
        }

        init(_ seconds: Double, _ fact: Fact) {
            self.init(seconds: seconds, fact: fact)
        }
    }
}
