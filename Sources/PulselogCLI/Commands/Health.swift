internal import ArgumentParser
internal import Events
internal import Interchange
internal import Projections

/// `pulselog health`.
struct Health: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Report the authoritative total of a day and reconcile.",
        discussion: "Example: pulselog health 8123 --day 2026-03-01")

    @Argument(help: "Steps of the day, as the health store counts them.")
    var total: UInt64

    @OptionGroup var named: DayOption

    @Option(
        help: ArgumentHelp(
            "Until when the total counts: milliseconds of UTC since 1970.", valueName: "time"))
    var until: Int64?

    @Option(help: "Why: observer, foreground or manual.")
    var trigger: TriggerName = .observer

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let date = try named.date()
        let command = Command.healthTotal(
            total, date: date, validUntilMilliseconds: until, origin: "command line",
            trigger: trigger.trigger)
        let (events, state) = try await Store.perform(common, .creating) { _ in command }
        let reports = state.dayReports()
        let report = reports.last { $0.date == date ?? $0.date }
        let sentence =
            report.map { "\($0.date): \(grouped($0.displayed)) steps." } ?? "Noted."
        PulselogCLI.report(events, common, sentence)
    }
}

/// The triggers that a person can name.
enum TriggerName: String, ExpressibleByArgument, CaseIterable {
    case observer
    case foreground
    case manual

    /// The trigger.
    var trigger: Trigger {
        switch self {
        case .observer: .observer
        case .foreground: .foreground
        case .manual: .manual
        }
    }
}
