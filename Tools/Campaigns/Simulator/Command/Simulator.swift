internal import ArgumentParser
internal import CampaignRuns
internal import Dispatch
internal import Glibc
internal import SimulatorModel
internal import Synchronization

/// Runs the whole recorder in a time of its own, among everything that may go wrong.
@main
struct Simulator: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Simulator",
        abstract: "Record in virtual time, and look for a broken promise.",
        discussion: """
            Each seed gives one history of so many hours: walks with straps that come and go, a \
            daemon that crashes, a disk that fills, clocks that are set, kills and losses of \
            power. Exit code 1 with the shortest history that was found, if a promise is broken.
            """)

    @OptionGroup var options: CampaignOptions

    @Option(help: "How many hours each history has.")
    var hours: UInt64 = 100

    @Flag(help: "Walks are recorded by themselves: each time that the strap is worn.")
    var worn = false

    @Flag(help: "Do not look for the shortest history that breaks the promise.")
    var whole = false

    @Flag(help: "Print the history of the first seed, and everything that happens in it.")
    var show = false

    func validate() throws {
        guard hours > 0 else { throw ValidationError("give at least one hour") }
    }

    func run() throws {
        if show {
            let simulation = makeSimulation(options.seed)
            print(simulation)
            _ = simulation.play { print($0) }
        }
        let tally = Mutex(Tally())
        let seeds = try options.seeds(10_000, sample: 200)
        let next = Atomic(seeds.lowerBound)
        DispatchQueue.concurrentPerform(iterations: options.jobs) { _ in
            while case let seed = next.add(1, ordering: .relaxed).oldValue, seeds.contains(seed) {
                let result = makeSimulation(seed).play()
                let isBroken = tally.withLock { tally in
                    tally.add(result, seed, hours)
                    return tally.failed != nil || tally.isTooLarge
                }
                if isBroken { return }
            }
        }
        let result = tally.withLock { $0 }
        print(result)
        if result.isTooLarge {
            print("rest: the process takes more than \(Tally.memoryLimit / 1_024) MiB")
        }
        if let failed = result.failed { report(failed) }
        if result.failed != nil || result.isTooLarge { throw ExitCode(1) }
    }

    private func makeSimulation(_ seed: UInt64) -> Simulation {
        worn ? Simulation(wornSeed: seed, hours: hours) : Simulation(seed: seed, hours: hours)
    }

    private func report(_ seed: UInt64) {
        let simulation = makeSimulation(seed)
        guard let violation = simulation.play().violation else {
            return print("seed \(seed) does not break it again: it is not deterministic")
        }
        print("seed \(seed): \(violation)")
        fflush(nil)
        // What is left out of such a day changes what is right.
        guard !whole, !worn else { return }
        let shrunk = simulation.shrunk(breaking: violation)
        print(shrunk)
        if show { _ = shrunk.play { print($0) } }
        if let again = shrunk.play().violation { print("there: \(again)") }
        print("again: Tools/campaign Simulator --seed \(seed) --count 1 --hours \(hours) --show")
    }
}

/// What came of all histories so far.
private struct Tally: CustomStringConvertible {
    /// Histories between two lines of progress.
    private static let stretch: UInt64 = 100

    /// More memory than this, in KiB, is no longer bounded; a flood of values takes a tenth of it.
    static let memoryLimit = 1_024 * 1_024

    private var histories: UInt64 = 0
    private var hours: UInt64 = 0
    private var events: UInt64 = 0
    private var readings: UInt64 = 0
    /// Whether the process has taken too much memory.
    private(set) var isTooLarge = false
    /// The least seed that breaks a promise.
    private(set) var failed: UInt64?

    mutating func add(_ result: Simulation.Result, _ seed: UInt64, _ hours: UInt64) {
        histories += 1
        self.hours += hours
        events += result.events
        readings += result.readings
        if result.violation != nil { failed = min(failed ?? seed, seed) }
        isTooLarge = Self.memory > Self.memoryLimit
        guard histories.isMultiple(of: Self.stretch) else { return }
        print(self)
        // Progress is read while it lasts, also in a file.
        fflush(nil)
    }

    var description: String {
        "\(histories) histories, \(hours) h, \(events) events, \(readings) readings, "
            + "\(Self.memory / 1_024) MiB, \(failed == nil && !isTooLarge ? 0 : 1) findings"
    }

    /// The most memory that the process has taken, in KiB.
    private static var memory: Int {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
        return usage.ru_maxrss
    }
}
