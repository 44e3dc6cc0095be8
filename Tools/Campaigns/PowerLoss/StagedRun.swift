internal import CampaignRuns
internal import Glibc

/// A scenario that has been run under strace, in a folder of its own.
struct StagedRun {
    static let storeName = "store"
    static let stateName = "state"
    static let copyName = "copy"
    private static let limitSeconds = 120

    let scenario: Scenario
    let folder: String

    /// What was there before the run.
    private var before: String { "\(folder)/before" }
    /// Where it ran, and what it has left.
    private var root: String { "\(folder)/root" }
    private var trace: String { "\(folder)/trace" }

    init(_ scenario: Scenario, in folder: String) {
        self.scenario = scenario
        self.folder = "\(folder)/\(scenario.name)"
    }

    // MARK: - The run

    /// Runs the scenario.
    ///
    /// - Parameters:
    ///   - base: What is there when it begins.
    ///   - pulselog: The program.
    ///   - own: This program.
    /// - Throws: ``CampaignError`` if a file or a program cannot be had.
    func run(from base: FileTree, pulselog: String, own: String) throws(CampaignError) {
        try Files.put(.folder([:]), folder)
        try Files.put(base, before)
        try Files.put(base, root)
        let program: String
        var arguments: [String]
        switch scenario.run {
        case .pulselog(let words):
            (program, arguments) = (pulselog, words)
            if !words.contains("--store") { arguments += ["--store", "STORE"] }
        case .writer(let words):
            (program, arguments) = (own, ["writer", "STORE", "STATE"] + words)
        }
        let strace = [
            "-f", "-v", "-xx", "-qq", "-s", "100000000", "-e", "signal=none", "-e",
            "trace=\(TracedRun.callNames)", "-o", trace, program,
        ]
        try Self.run("/usr/bin/strace", strace + arguments, in: root, messages: "\(folder)/said")
    }

    /// Runs a program in a folder with a store, to its end.
    static func run(
        _ program: String, _ arguments: [String], in root: String, messages: String
    ) throws(CampaignError) {
        let words = arguments.map { word in
            switch word {
            case "STORE": "\(root)/\(storeName)"
            case "STATE": "\(root)/\(stateName)"
            case "COPY": "\(root)/\(copyName)"
            default: word
            }
        }
        setenv("XDG_STATE_HOME", "\(root)/\(stateName)", 1)
        let child = try Child(
            program, words, [.file("/dev/null"), .file("\(messages).out"), .file(messages)])
        let end = child.end(withinSeconds: limitSeconds)
        guard end == .exited(0) else {
            let text = String(decoding: try Files.read(messages), as: UTF8.self)
            throw CampaignError(description: "\(program) \(words): \(end) \(text)")
        }
    }

    // MARK: - What it left

    /// The moments at which the power may have failed.
    ///
    /// - Parameter broken: Calls that do not do what they promise.
    /// - Returns: What was there before, and the run.
    /// - Throws: ``CampaignError`` if the program did what is not followed.
    func follow(broken: Set<String>) throws(CampaignError) -> (FileTree, TracedRun) {
        guard let tree = try Files.tree(of: before) else {
            throw CampaignError(description: "\(before) is not there")
        }
        return (tree, try TracedRun(Files.read(trace), below: root, from: tree, broken: broken))
    }

    /// Makes ready to judge what power cuts leave of this run.
    ///
    /// - Parameters:
    ///   - tree: What was there before.
    ///   - place: Where it is put.
    /// - Returns: The judge.
    /// - Throws: ``CampaignError`` if the run did not do what it is there for, or `EventLogError`.
    func judge(of tree: FileTree, at place: String) throws -> Judge {
        try Files.removeTree(place)
        try Files.put(tree, place)
        var reading: StoreReading?
        if scenario.base != .none {
            reading = try StoreReading(
                "\(place)/\(Self.storeName)", state: "\(place)/\(Self.stateName)")
        }
        let made = scenario.subject == .copy ? Self.copyName : Self.storeName
        let after = try StoreReading("\(root)/\(made)", state: "\(root)/\(Self.stateName)")
        guard scenario.shows(reading, after) else {
            throw CampaignError(
                description: "\(scenario.name): the run did not do what it is there for")
        }
        return Judge(
            scenario: scenario, before: tree, eventsBefore: UInt64(reading?.events.count ?? 0),
            after: after, place: place)
    }
}
