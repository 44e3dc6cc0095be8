internal import ArgumentParser
internal import CampaignRuns
internal import Dispatch
internal import Glibc
internal import HistoryModel
internal import Synchronization

/// Plays random histories and holds the day's count against the certifier and what was walked.
@main
struct StepHistories: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "StepHistories",
        abstract: "Play random histories of steps and look for a broken promise.",
        discussion: """
            Each seed gives one history of 20 to 200 happenings: a walker, pedometers, a health \
            store, midnights, clocks that are set, recorders that are killed. Exit code 1 with \
            the history, if a promise is broken.
            """)

    @OptionGroup var options: CampaignOptions

    @Flag(help: "Print the history of the first seed as well.")
    var show = false

    /// Histories between two lines of progress.
    private static let stretch = 20_000

    func run() throws {
        if show { print(History(seed: options.seed)) }
        let seeds = try options.seeds(1_000_000, sample: 20_000)
        let next = Atomic(seeds.lowerBound)
        let seen = Mutex((histories: 0, failed: UInt64?.none))
        DispatchQueue.concurrentPerform(iterations: options.jobs) { _ in
            while case let seed = next.add(1, ordering: .relaxed).oldValue, seeds.contains(seed) {
                let isBroken = !History(seed: seed).violations().isEmpty
                let isOver = seen.withLock { seen in
                    seen.histories += 1
                    if isBroken { seen.failed = min(seen.failed ?? seed, seed) }
                    if seen.histories.isMultiple(of: Self.stretch) { report(seen.histories) }
                    return seen.failed != nil
                }
                if isOver { return }
            }
        }
        let (histories, failed) = seen.withLock { $0 }
        report(histories)
        guard let failed else { return }
        let history = History(seed: failed)
        print(history)
        for violation in history.violations() { print(violation) }
        print("again: Tools/campaign Histories --seed \(failed) --count 1")
        throw ExitCode(1)
    }

    private func report(_ histories: Int) {
        print("\(histories) histories")
        // Progress is read while it lasts, also in a file.
        fflush(nil)
    }
}
