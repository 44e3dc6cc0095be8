internal import ArgumentParser
internal import CampaignRuns
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

    @OptionGroup var options: CampaignOptions

    @Flag(help: "Print the history of the first seed as well.")
    var show = false

    /// Histories between two lines of progress.
    private static let stretch: UInt64 = 20_000

    func run() async throws {
        if show { print(History(seed: options.seed)) }
        var tally = Tally()
        var next = options.seed
        let end = try options.seeds(1_000_000, sample: 20_000).upperBound
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
            let jobs = options.jobs
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
        print("again: Tools/campaign Histories --seed \(seed) --count 1 --show")
    }
}
