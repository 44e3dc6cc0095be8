import FoundationEssentials

/// What the command line asks for.
struct Options {
    /// A part of what can be measured.
    enum Part: String, CaseIterable {
        case durable, recorder, bulk, verify, rows, order
    }

    /// Events of the log that is filled, folded, verified and opened.
    var events = 5_000_000
    /// Events of the year of walks.
    var walkEvents = 2_600_000
    /// Events that one durable transaction of the bulk append takes.
    var commitEvents = 100_000
    /// Single durable events on each side.
    var durableEvents = 2_000
    /// How often the log is folded, verified and opened on each side.
    var rounds = 7
    /// The seed of the input.
    var seed: UInt64 = 20_260_301
    /// Where the stores are made: the file system that is measured.
    var directory = FileManager.default.temporaryDirectory.path
    /// What is measured.
    var parts = Part.allCases
    /// Whether nothing is measured but a log of ``longEvents``, or as many as are asked for.
    var isLong = false
    /// Whether to print JSON instead of the table.
    var isJSON = false

    private static let longEvents = 100_000_000

    static let usage = """
        Usage: Tools/Benchmarks/run [options]

        Measures the log and its folds against a C program on liblmdb, in one process.

          --events N           events of the log (default 5000000, at least 10000)
          --walk-events N      events of a year of walks (default 2600000, at least 10000)
          --commit-events N    events for each durable transaction (default 100000)
          --durable-events N   single durable events (default 2000, at least 100)
          --rounds N           folds, verifications and openings (default 7)
          --seed N             seed of the input (default 20260301)
          --directory PATH     where the stores are made for the time of the run
          --only PART          one part: durable, recorder, bulk, verify, rows
                               or order
          --long               nothing but a log of 100000000 events, or --events, of walks:
                               the rebuild, the opening with a snapshot, a range (3 GB, 10 min)
          --json               print JSON
          --help               print this

        Exit code: 0 if every promise holds that must, 1 if one does not, 64 for wrong
        arguments, 70 if the two logs or the two folds differ or a store fails.
        """

    /// Reads the arguments.
    ///
    /// - Throws: ``UsageError``.
    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        if arguments.contains("--long") { (isLong, events, rounds) = (true, Self.longEvents, 3) }
        while let name = rest.popFirst() {
            switch name {
            case "--events": events = try Self.number(name, &rest, from: 10_000)
            case "--walk-events": walkEvents = try Self.number(name, &rest, from: 10_000)
            case "--commit-events": commitEvents = try Self.number(name, &rest, from: 1)
            case "--durable-events": durableEvents = try Self.number(name, &rest, from: 100)
            case "--rounds": rounds = try Self.number(name, &rest, from: 1)
            case "--seed": seed = UInt64(try Self.number(name, &rest, from: 0))
            case "--directory": directory = try Self.value(name, &rest)
            case "--only": parts = [try Self.part(try Self.value(name, &rest))]
            case "--long": break
            case "--json": isJSON = true
            case "--help": throw UsageError(message: nil)
            default: throw UsageError(message: "There is no option \(name).")
            }
        }
    }

    private static func part(_ name: String) throws(UsageError) -> Part {
        guard let part = Part(rawValue: name) else {
            throw UsageError(message: "There is no part \(name) to measure.")
        }
        return part
    }

    private static func value(
        _ name: String, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let value = rest.popFirst() else {
            throw UsageError(message: "The option \(name) needs a value.")
        }
        return value
    }

    private static func number(
        _ name: String, _ rest: inout ArraySlice<String>, from minimum: Int
    ) throws(UsageError) -> Int {
        let text = try value(name, &rest)
        guard let number = Int(text), number >= minimum, number <= 1_000_000_000 else {
            throw UsageError(
                message: "The option \(name) needs a number from \(minimum), not \(text).")
        }
        return number
    }
}

/// Wrong arguments, or nil for a wish for help.
struct UsageError: Error {
    let message: String?
}
