internal import CampaignRuns
internal import Glibc

/// Runs of whole commands on stores that were damaged or put together from others.
struct CommandRuns {
    /// What a command does with its store.
    private enum Kind {
        /// It changes nothing, and says the same of the same log.
        case reads
        /// It changes nothing, and also says what time it is, or which snapshot there is.
        case tells
        case changes
        /// It changes nothing, and makes a store of what it finds.
        case recovers
    }

    private static let commands: [(kind: Kind, arguments: [String])] = [
        (.tells, ["status"]), (.reads, ["sessions"]), (.reads, ["sessions", "show", "last"]),
        (.tells, ["steps", "--days", "3"]), (.reads, ["export"]), (.reads, ["log", "cat"]),
        (.reads, ["log", "tail"]), (.tells, ["log", "stats", "--json"]),
        (.recovers, ["log", "recover", "--out", "OUT"]), (.tells, ["log", "backup", "OUT"]),
        (.tells, ["log", "backup", "OUT", "--compact"]),
        (.reads, ["log", "verify"]), (.reads, ["log", "rebuild"]),
        (.reads, ["audit", "steps", "--day", "2026-03-01"]), (.reads, ["audit", "check"]),
        (.reads, ["replay", "store", "--json"]), (.reads, ["devices", "list"]),
        (.reads, ["profile", "show"]), (.changes, ["health", "9000", "--day", "2026-03-01"]),
        (.changes, ["profile", "set", "weight=80kg"]),
        (.changes, ["steps", "correct", "--day", "2026-03-01", "--by", "-5", "--reason", "tired"]),
        (.changes, ["record", "--simulate", "--new", "--for", "1s"]),
    ]
    /// The exit codes of sysexits(3) that the commands use.
    private static let exitCodes: Set<Int32> = [0, 1, 64, 65, 66, 69, 70, 73, 74, 75, 77, 78]
    private static let limitSeconds = 60

    private let program: String
    private let reference: String
    private let folder: String
    private let every: Int
    private var turn = 0
    private(set) var count = 0
    private(set) var findings = 0
    /// What each reading command says of the whole store.
    private var expected: [[String]: [UInt8]] = [:]

    /// Makes ready to run commands.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - reference: The whole store.
    ///   - folder: Where the damaged ones are put.
    ///   - every: Runs one in so many commands.
    init(program: String, reference: String, folder: String, every: Int) {
        (self.program, self.reference, self.folder) = (program, reference, folder)
        self.every = every
    }

    /// Runs every command on the whole store, and remembers what it says.
    mutating func runWhole() throws(CampaignError) {
        let files = try Files.contents(of: reference)
        for (kind, arguments) in Self.commands {
            let (end, output) = try run(arguments, on: files)
            if end != .exited(0) { report("the whole store", arguments, "\(end)") }
            if kind == .reads { expected[arguments] = output }
        }
    }

    /// Runs every command on a damaged data file.
    mutating func run(on damage: Damage) throws(CampaignError) {
        var files = try Files.contents(of: reference)
        damage.apply(to: &files["data.mdb", default: []])
        try runAll("\(damage)", on: files)
    }

    /// Runs every command on stores whose files belong to others, or are missing.
    mutating func runExchanges(with other: String) throws(CampaignError) {
        let own = try Files.contents(of: reference)
        let others = try Files.contents(of: other)
        let random = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 0x9E37 >> 3) }
        for name in own.keys.sorted() {
            let contents: [(String, [UInt8]?)] = [
                ("missing", nil), ("empty", []), ("random", random), ("the other's", others[name]),
                ("cut", own[name].map { Array($0.prefix($0.count / 2)) }),
                ("the data file", own["data.mdb"]),
            ]
            for (what, content) in contents where content != own[name] {
                var files = own
                files[name] = content
                try runAll("\(name): \(what)", on: files)
            }
        }
    }

    /// Runs every command with each combination of closed standard descriptors.
    mutating func runClosedDescriptors() throws(CampaignError) {
        let files = try Files.contents(of: reference)
        for closed in 1..<8 {
            for (kind, arguments) in Self.commands where isNext() {
                let (end, _) = try run(arguments, on: files, closed: closed)
                let place = "closed descriptors \(closed)"
                check(end, place, arguments)
                if kind != .changes, try Files.read("\(folder)/data.mdb") != files["data.mdb"] {
                    report(place, arguments, "changed the data file")
                }
                if try run(["log", "verify"], on: nil).end != .exited(0) {
                    report(place, arguments, "left a damaged log")
                }
            }
        }
    }

    // MARK: - Runs

    private mutating func isNext() -> Bool {
        turn += 1
        return turn % every == 0
    }

    private mutating func runAll(
        _ place: String, on files: [String: [UInt8]]
    ) throws(CampaignError) {
        for (kind, arguments) in Self.commands where isNext() {
            let (end, output) = try run(arguments, on: files)
            check(end, place, arguments)
            guard end == .exited(0) else { continue }
            if kind != .changes, try Files.contents(of: folder)["data.mdb"] != files["data.mdb"] {
                report(place, arguments, "changed the data file")
            }
            switch kind {
            case .reads:
                if output != expected[arguments] { report(place, arguments, "says something else") }
            case .tells: break
            case .recovers:
                if let words = try faultOfRecovered() { report(place, arguments, words) }
            case .changes:
                let log = try run(["export"], on: nil)
                if log.end == .exited(0), !Self.events(log.output).starts(with: expectedEvents) {
                    report(place, arguments, "left another log")
                }
            }
        }
    }

    /// What is wrong with the store that was recovered last; nil if nothing is.
    private mutating func faultOfRecovered() throws(CampaignError) -> String? {
        let log = try run(["export"], on: nil, store: recovered)
        guard log.end == .exited(0) else { return "made a store that cannot be exported" }
        // The new origin and the boot stand after what was kept.
        let kept = Self.events(log.output).dropLast(2)
        return expectedEvents.starts(with: kept) ? nil : "kept what never was"
    }

    /// The events of an export, without the lines before and after them.
    private static func events(_ export: [UInt8]) -> [ArraySlice<UInt8>] {
        Array(export.split(separator: UInt8(ascii: "\n")).dropFirst().dropLast())
    }

    private var expectedEvents: [ArraySlice<UInt8>] { Self.events(expected[["export"]] ?? []) }

    /// Where commands make their stores.
    private var recovered: String { "\(folder).out" }

    /// Runs a command, on these files or on those that are there.
    private mutating func run(
        _ arguments: [String], on files: [String: [UInt8]]?, store: String? = nil, closed: Int = 0
    ) throws(CampaignError) -> (end: Child.End, output: [UInt8]) {
        if let files {
            try Files.fill(folder, files)
            // Nobody remembers what another run did to the same log.
            try Files.removeTree("\(folder).state")
            setenv("XDG_STATE_HOME", "\(folder).state", 1)
            try Files.remove(recovered)
        }
        let arguments = arguments.map { $0 == "OUT" ? recovered : $0 }
        count += 1
        let output = "\(folder).output"
        try Files.write([], output)
        let files = ["/dev/null", output, "\(folder).messages"]
        let descriptors = files.enumerated().map { number, path -> Child.Descriptor in
            closed & 1 << number == 0 ? .file(path) : .closed
        }
        let child = try Child(program, arguments + ["--store", store ?? folder], descriptors)
        let end = child.end(withinSeconds: Self.limitSeconds)
        return (end, try Files.read(output))
    }

    private mutating func check(_ end: Child.End, _ place: String, _ arguments: [String]) {
        switch end {
        case .exited(let code) where Self.exitCodes.contains(code): break
        case .exited, .signalled, .hung: report(place, arguments, "\(end)")
        }
    }

    private mutating func report(_ place: String, _ arguments: [String], _ what: String) {
        findings += 1
        print("\(place): \(arguments.joined(separator: " ")): \(what)")
    }
}
