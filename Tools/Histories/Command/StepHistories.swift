internal import ArgumentParser
internal import Glibc
internal import HistoryModel

/// Plays random histories and holds the day's count against the naive model and its promises.
@main
struct StepHistories: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "StepHistories",
        abstract: "Play random histories of steps and look for a broken promise.",
        discussion: """
            Each seed gives one history of 20 to 200 happenings: a walker, pedometers, a health \
            store, midnights, clocks that are set, recorders that are killed. Exit code 1 with \
            the shortest history that was found, if a promise is broken.
            """)

    @Option(help: "The first seed.")
    var seed: UInt64 = 0

    @Option(help: "How many histories.")
    var count: UInt64 = 1_000_000

    @Option(help: "How many to play at the same time.")
    var jobs: Int = 2

    @Flag(help: "Print the history of the first seed as well.")
    var show = false

    /// Histories between two lines of progress.
    private static let stretch: UInt64 = 20_000

    func validate() throws {
        guard jobs > 0, count > 0, seed <= .max - count else {
            throw ValidationError("give at least one job and one history")
        }
    }

    func run() async throws {
        if show { print(History(seed: seed)) }
        var tally = Tally()
        var next = seed
        let end = seed + count
        while next < end {
            let stop = min(end, next + Self.stretch)
            let results = await play(next..<stop)
            for result in results { tally.add(result.tally) }
            if let failed = results.compactMap(\.failed).min() {
                report(failed)
                throw ExitCode(1)
            }
            next = stop
            print(
                "\(tally.histories) histories, \(tally.events) events, \(tally.honest) honest; "
                    + "T2 as written dropped steps at \(tally.looksBelowProof) looks, "
                    + "\(tally.droppedSteps) in all")
            // Progress is read while it lasts, also in a file.
            fflush(nil)
        }
    }

    private func play(_ seeds: Range<UInt64>) async -> [(tally: Tally, failed: UInt64?)] {
        await withTaskGroup(of: (tally: Tally, failed: UInt64?).self) { group in
            for job in 0..<UInt64(jobs) {
                group.addTask { @concurrent in
                    var campaign = Campaign()
                    for seed in stride(from: seeds.lowerBound + job, to: seeds.upperBound, by: jobs)
                    {
                        if !campaign.violations(of: History(seed: seed)).isEmpty {
                            return (campaign.tally, seed)
                        }
                    }
                    return (campaign.tally, nil)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func report(_ seed: UInt64) {
        var campaign = Campaign()
        for violation in campaign.violations(of: History(seed: seed)) {
            let shrunk = Campaign().shrink(History(seed: seed), breaking: violation.promise)
            print("\(violation)\n\(shrunk)")
            for again in campaign.violations(of: shrunk) { print("  there: \(again)") }
        }
        print("again: StepHistories --seed \(seed) --count 1 --show")
    }
}
