import Events
import Interchange
import Projections
import TestSupport
import Testing

/// 2026-03-01T09:00:00Z.
let nineOClock: Int64 = 1_772_355_600_000

/// What every import here says that it reads.
let importedFile = ImportBegan(fileName: "a", format: "gpx")

/// Reads a file of walks in pieces of a size.
func readWalks(
    _ format: WalkFileFormat, _ bytes: [UInt8], _ times: StatedTimes = StatedTimes(),
    pieces size: Int = .max, until end: Int64 = WalkFacts.endOfTime
) -> (facts: WalkFacts, damage: String?) {
    var reader = format.reader(times, until: end)
    for piece in bytes.pieces(of: size) { reader.push(piece.span) }
    reader.finish()
    return (reader.facts, reader.damage)
}

/// Reads a text of walks in pieces of a size.
func readWalks(
    _ format: WalkFileFormat, _ text: String, _ times: StatedTimes = StatedTimes(),
    pieces size: Int = .max, until end: Int64 = WalkFacts.endOfTime
) -> (facts: WalkFacts, damage: String?) {
    readWalks(format, Array(text.utf8), times, pieces: size, until: end)
}

/// The sessions that the fold makes of facts, in which it finds nothing amiss.
func sessions(_ facts: WalkFacts) -> [SessionReport] {
    var events = facts.events(of: importedFile)
    events.setSource(1)
    var state = LogState()
    for index in 0..<events.count { _ = events.withEvent(at: index) { state.evolve($0) } }
    #expect(state.findings.total == 0)
    return state.sessionReports(at: state.lastMoment)
}

extension WalkFacts {
    /// The facts, in order of time.
    var facts: [(at: Int64, fact: Fact)] {
        var facts: [(at: Int64, fact: Fact)] = []
        forEachInOrder { facts.append(($0.header.stamp.wallMilliseconds, $0.decoded)) }
        return facts
    }

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
