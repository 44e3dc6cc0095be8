internal import CampaignRuns

/// Processes that try damages, and what became of each.
struct WorkerPool {
    /// What the trials came to.
    struct Report: CustomStringConvertible {
        var whole = 0
        var refused = 0
        var findings = 0

        var description: String {
            "\(whole + refused + findings) damages: \(refused) refused, \(whole) without effect, "
                + "\(findings) findings"
        }
    }

    /// A worker, and the damages that it was given.
    private struct Work {
        let damages: ArraySlice<Damage>
        let place: String
        var child: Child
    }

    /// How many damages a worker gets.
    private static let stretch = 200
    private static let limitSeconds = 120

    private let program: String
    private let reference: String
    private let folder: String
    private var waiting: [ArraySlice<Damage>] = []
    private var report = Report()

    /// Makes a pool.
    ///
    /// - Parameters:
    ///   - program: This program.
    ///   - reference: The whole store.
    ///   - folder: Where the damaged ones are put, with a number after it.
    init(program: String, reference: String, folder: String) {
        (self.program, self.reference, self.folder) = (program, reference, folder)
    }

    /// Tries all damages.
    ///
    /// - Parameters:
    ///   - damages: The damages.
    ///   - jobs: How many workers there are at a time.
    /// - Returns: What the trials came to; what was found is printed.
    /// - Throws: ``CampaignError`` if a file or a process cannot be had.
    mutating func run(_ damages: [Damage], jobs: Int) throws(CampaignError) -> Report {
        waiting = stride(from: 0, to: damages.count, by: Self.stretch).reversed().map { first in
            damages[first..<min(first + Self.stretch, damages.count)]
        }
        try Child.keepAtWork(jobs: jobs, limitSeconds: Self.limitSeconds) {
            (job) throws(CampaignError) in
            try start(waiting.popLast(), in: "\(folder)-\(job)")
        } child: {
            $0.child
        } take: { (end, work) throws(CampaignError) in
            try take(end, of: work)
        }
        return report
    }

    private func start(
        _ damages: ArraySlice<Damage>?, in place: String
    ) throws(CampaignError) -> Work? {
        guard let damages else { return nil }
        try Files.write(
            Array(damages.map { "\($0)\n" }.joined().utf8), "\(place).questions")
        let child = try Child(
            program, ["worker", reference, place],
            [
                .file("\(place).questions"), .file("\(place).answers"), .file("\(place).messages"),
            ])
        return Work(damages: damages, place: place, child: child)
    }

    /// Counts a worker's answers, and leaves to the next one what this one did not come to.
    private mutating func take(_ end: Child.End, of work: Work) throws(CampaignError) {
        let answers = String(decoding: try Files.read("\(work.place).answers"), as: UTF8.self)
            .split(separator: "\n")
        for (damage, answer) in zip(work.damages, answers) {
            switch answer {
            case "whole": report.whole += 1
            case "refused": report.refused += 1
            default: find(damage, String(answer))
            }
        }
        let rest = work.damages.dropFirst(answers.count)
        guard let last = rest.first else { return }
        let messages = try Files.read("\(work.place).messages").prefix(300)
        find(last, "\(end) \(String(decoding: messages, as: UTF8.self))")
        if rest.count > 1 { waiting.append(rest.dropFirst()) }
    }

    private mutating func find(_ damage: Damage, _ what: String) {
        report.findings += 1
        print("\(damage): \(what)")
    }
}
