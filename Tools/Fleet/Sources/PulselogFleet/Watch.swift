internal import ArgumentParser
internal import Fleet
internal import FleetClient
internal import Glibc
internal import JSON
internal import Terminal
internal import Text

/// All walkers, second by second.
struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows how everybody stands, as workers tell of it.",
        discussion: """
            At a terminal the list of `status` is drawn anew each second. Elsewhere each change of \
            a walker's figures is a line of JSON.
            """)

    @OptionGroup var options: ClusterOptions

    func run() async throws {
        let cluster = try options.cluster(as: StudyConfiguration.keeper)
        let glances = Glances()
        try cluster.listen(glances.take)
        glances.replace(with: try await Study.logs(in: cluster))
        var (drawn, shown, complaint) = (DrawnLines(), Set<Glance>(), String?.none)
        while true {
            for _ in 0..<60 {
                let all = glances.all
                if Output.standard.isTerminal {
                    let lines = TextTable(of: all).lines + all.compactMap(\.setAsideSentence)
                    let width = Output.standard.size.columns
                    Output.standard.write(
                        drawn.drawing((lines + [complaint ?? ""]).map { cut($0, to: width) }))
                } else {
                    let news = all.filter { !shown.contains($0) }
                    Output.standard.write(Array(news.map(\.jsonLine).joined()))
                    shown = Set(all)
                }
                await pause(.seconds(1))
            }
            // Glances may get lost, and people leave: the whole is looked at each minute.
            do throws(ClusterError) {
                glances.replace(with: try await Study.logs(in: cluster))
                complaint = nil
            } catch {
                guard error.code == .lost else { throw error }
                if !Output.standard.isTerminal { say(error.description) }
                complaint = error.description
            }
        }
    }
}

extension TextTable {
    /// How everybody stands, a line for each log.
    init(of glances: [Glance]) {
        self.init(
            .words("Who"), .words("Now"), .numbers("Steps"), .numbers("BPM"),
            .words("Last heard (UTC)"), .numbers("Battery"), .numbers("Events"))
        for glance in glances {
            add(
                glance.log.person, glance.words, glance.steps.map(grouped) ?? "",
                glance.heartRateBPM.map { "\($0)" } ?? "",
                TimeText.utc(glance.lastHeardMilliseconds),
                glance.batteryPercent.map { "\($0)%" } ?? "", grouped(glance.events))
        }
    }
}

extension Glance {
    /// What is going on, for people.
    fileprivate var words: String {
        if isSilent(at: Int64(time(nil)) * 1_000) { return "not heard" }
        return switch activity {
        case .atRest: "at rest"
        case .walking: "walking"
        case .paused: "paused"
        }
    }

    /// That messages were set aside, if some were.
    fileprivate var setAsideSentence: String? {
        guard setAside > 0 else { return nil }
        let messages = counted(UInt64(setAside), "message")
        return "\(messages) of \(log.person) set aside: see `pulselog-fleet verify`."
    }
}
