import ArgumentParser
import FoundationEssentials

/// What the command line asks for.
struct Options: ParsableArguments {
    /// A part of what can be measured.
    enum Part: String, CaseIterable, ExpressibleByArgument {
        case durable, recorder, log, verify, order
    }

    private static let longEvents = 100_000_000

    @Option(
        name: .customLong("events"), help: "Events of the log (5000000; of a long one 100000000).")
    private var givenEvents: Int?

    @Option(help: "Events of a year of walks.")
    var walkEvents = 2_600_000

    @Option(help: "Events for each durable transaction.")
    var commitEvents = 100_000

    @Option(help: "Single durable events on each side.")
    var durableEvents = 2_000

    @Option(
        name: .customLong("rounds"), help: "Folds, verifications and openings (7; of a long log 3)."
    )
    private var givenRounds: Int?

    @Option(help: "The seed of the input.")
    var seed: UInt64 = 20_260_301

    @Option(
        help: "Where the stores are made for the time of the run: the file system that is measured."
    )
    var directory = FileManager.default.temporaryDirectory.path

    @Option(help: "One part.")
    private var only: Part?

    @Flag(
        name: .customLong("long"),
        help: """
            Nothing but a long log of walks: the rebuild, the opening with a snapshot, a range, a \
            command (1 GB, 6 min).
            """)
    var isLong = false

    @Flag(name: .customLong("json"), help: "Print JSON.")
    var isJSON = false

    /// Events of the log that is filled, folded, verified and opened.
    var events: Int { givenEvents ?? (isLong ? Self.longEvents : 5_000_000) }
    /// How often the log is folded, verified and opened on each side.
    var rounds: Int { givenRounds ?? (isLong ? 3 : 7) }
    /// What is measured.
    var parts: [Part] { only.map { [$0] } ?? Part.allCases }

    func validate() throws {
        guard min(events, walkEvents) >= 10_000, durableEvents >= 100, commitEvents > 0, rounds > 0
        else {
            throw ValidationError(
                "give at least 10000 events of each log, 100 durable events and one of the rest")
        }
    }
}
