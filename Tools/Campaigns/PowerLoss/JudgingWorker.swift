internal import ArgumentParser
internal import CampaignRuns
internal import Glibc

/// Judges some power cuts of one run, and answers each with a line.
///
/// A process of its own: LMDB could end it.
struct JudgingWorker: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "judge", shouldDisplay: false)

    @Argument var folder: String
    @Argument var scenario: String
    @Argument var place: String
    @Option var cases: Int
    @Option var seed: UInt64
    @Option var first: Int
    @Option var end: Int
    @Option var broken: [String] = []

    /// The arguments that make a worker judge some power cuts of a plan.
    static func arguments(
        _ run: StagedRun, in folder: String, at place: String, _ plan: PlanOptions,
        _ range: Range<Int>
    ) -> [String] {
        let broken = plan.broken.flatMap { ["--broken", $0] }
        return [
            "judge", folder, run.scenario.name, place, "--cases", "\(plan.cases)",
            "--seed", "\(plan.seed)", "--first", "\(range.lowerBound)",
            "--end", "\(range.upperBound)",
        ] + broken
    }

    func run() async throws {
        guard let scenario = Scenario.all.first(where: { $0.name == scenario }) else {
            throw ValidationError("no kind of commit: \(scenario)")
        }
        let run = StagedRun(scenario, in: folder)
        let (before, traced) = try run.follow(broken: Set(broken))
        let judge = try run.judge(of: before, at: place)
        let cuts = PowerCut.plan(traced.moments.map(\.disk.doubts), count: cases, seed: seed)
        for cut in cuts[first..<end] {
            let moment = traced.moments[cut.moment]
            let remains = moment.disk.remains(cut.fates, cut.hole)
            let words =
                switch try await judge.verdict(on: remains, at: moment) {
                case .whole: "whole"
                case .lost(let words): "lost \(words)"
                case .invented(let words): "invented \(words)"
                case .unopened(let words): "unopened \(words)"
                case .unsound(let words): "unsound \(words)"
                }
            let line = words.split(whereSeparator: \.isNewline).joined(separator: " ")
            print(remains.fingerprint, line, "(\(moment.words))")
            fflush(nil)
        }
    }
}

extension FileTree {
    /// A number that differs where the content does, as good as always: FNV-1a.
    fileprivate var fingerprint: UInt64 {
        var number: UInt64 = 0xCBF2_9CE4_8422_2325
        add(to: &number)
        return number
    }

    private func add(to number: inout UInt64) {
        func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { number = (number ^ UInt64(byte)) &* 0x100_0000_01B3 }
            number = (number ^ 0x100) &* 0x100_0000_01B3
        }
        switch self {
        case .file(let content): add(content)
        case .folder(let entries):
            for name in entries.keys.sorted() {
                add(name.utf8)
                entries[name]?.add(to: &number)
            }
            add([])
        }
    }
}
