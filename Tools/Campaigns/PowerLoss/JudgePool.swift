internal import CampaignRuns

/// Which power cuts are tried.
struct PlanOptions {
    /// How many for each run, at most.
    let cases: Int
    let seed: UInt64
    let broken: [String]
}

/// What came of the power cuts of one run.
struct RunReport {
    var moments = 0
    var cases = 0
    var states: Set<UInt64> = []
    var counts: [Substring: Int] = [:]

    static let faults: [Substring] = ["lost", "invented", "unopened", "unsound"]

    var findings: Int { Self.faults.reduce(0) { $0 + (counts[$1] ?? 0) } }
}

/// Processes that judge power cuts.
struct JudgePool {
    private struct Work {
        let run: Int
        let range: Range<Int>
        let place: String
        let child: Child
    }

    /// How many power cuts a worker gets.
    private static let stretch = 100
    private static let limitSeconds = 300
    /// How many findings of one run are told.
    private static let toldCount = 5

    private let own: String
    private let folder: String
    private let runs: [StagedRun]
    private let plan: PlanOptions
    private(set) var reports: [RunReport]
    private var waiting: [(run: Int, range: Range<Int>)] = []

    /// Makes a pool.
    ///
    /// - Parameters:
    ///   - own: This program.
    ///   - folder: Where the runs are.
    ///   - runs: The runs.
    ///   - plan: Which power cuts are tried.
    /// - Throws: ``CampaignError`` if a run cannot be followed.
    init(
        own: String, folder: String, runs: [StagedRun], plan: PlanOptions
    ) throws(CampaignError) {
        (self.own, self.folder, self.runs, self.plan) = (own, folder, runs, plan)
        reports = []
        for (index, run) in runs.enumerated() {
            let moments = try run.follow(broken: Set(plan.broken)).1.moments
            let cuts = PowerCut.plan(
                moments.map(\.disk.doubts), count: plan.cases, seed: plan.seed)
            reports.append(RunReport(moments: moments.count))
            for first in stride(from: 0, to: cuts.count, by: Self.stretch) {
                waiting.append((index, first..<min(first + Self.stretch, cuts.count)))
            }
        }
        waiting.reverse()
    }

    /// Judges everything; what is found is told.
    ///
    /// - Parameter jobs: How many processes at a time.
    /// - Throws: ``CampaignError`` if a file or a program cannot be had.
    mutating func judge(jobs: Int) throws(CampaignError) {
        try Child.keepAtWork(jobs: jobs, limitSeconds: Self.limitSeconds) {
            (job) throws(CampaignError) in
            try start(waiting.popLast(), at: "\(folder)/trial-\(job)")
        } child: {
            $0.child
        } take: { (end, work) throws(CampaignError) in
            try take(end, of: work)
        }
    }

    private func start(
        _ next: (run: Int, range: Range<Int>)?, at place: String
    ) throws(CampaignError) -> Work? {
        guard let (run, range) = next else { return nil }
        let child = try Child(
            own, JudgingWorker.arguments(runs[run], in: folder, at: place, plan, range),
            [.file("/dev/null"), .file("\(place).answers"), .file("\(place).messages")])
        return Work(run: run, range: range, place: place, child: child)
    }

    /// Counts a worker's answers, and leaves to the next one what this one did not come to.
    private mutating func take(_ end: Child.End, of work: Work) throws(CampaignError) {
        let answers = String(decoding: try Files.read("\(work.place).answers"), as: UTF8.self)
            .split(separator: "\n")
        for (number, answer) in zip(work.range, answers) {
            let words = answer.split(separator: " ", maxSplits: 1)
            guard words.count == 2, let state = UInt64(words[0]) else { continue }
            reports[work.run].states.insert(state)
            note(words[1], of: work.run, number)
        }
        let done = work.range.lowerBound + answers.count
        guard done < work.range.upperBound else { return }
        let messages = String(
            decoding: try Files.read("\(work.place).messages").prefix(300), as: UTF8.self)
        // Without a single answer it is not the store that is to blame.
        guard end != .exited(1), end != .exited(64) else {
            throw CampaignError(description: messages)
        }
        note("unopened \(end) \(messages)", of: work.run, done)
        if done + 1 < work.range.upperBound {
            waiting.append((work.run, done + 1..<work.range.upperBound))
        }
    }

    private mutating func note(_ answer: Substring, of run: Int, _ number: Int) {
        reports[run].cases += 1
        let verdict = answer.prefix { $0 != " " }
        reports[run].counts[verdict, default: 0] += 1
        let findings = reports[run].findings
        guard RunReport.faults.contains(verdict), findings <= Self.toldCount else { return }
        print("\(runs[run].scenario.name), power cut \(number): \(answer)")
    }
}
