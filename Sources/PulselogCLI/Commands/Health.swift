internal import ArgumentParser
internal import Events
internal import JSON
internal import LookingBack
internal import Projections
internal import Stores
internal import Text
internal import Words
internal import Clocks
internal import Web

/// `pulselog health`.
struct Health: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Report the authoritative total of a day, or let another program do it.",
        discussion: "Example: pulselog health 8123 --day 2026-03-01",
        subcommands: [Report.self, Token.self], defaultSubcommand: Report.self)

    /// `pulselog health TOTAL`.
    struct Report: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "report",
            abstract: "Report the authoritative total of a day and reconcile.",
            discussion: "Example: pulselog health 8123 --day 2026-03-01 --until 10:15")

        @Argument(help: "Steps of the day, as the health store counts them.")
        var total: UInt64

        @OptionGroup var named: DayOption

        @Option(
            help: ArgumentHelp(
                "Until when the total counts: 10:15, 2026-03-01T10:15:00+01:00, or milliseconds.",
                valueName: "time"))
        var until: WrittenTime?

        @Option(help: "Why: observer, foreground or manual.")
        var trigger: TriggerName = .observer

        @Flag(help: "Accept a total no one walks in a day.")
        var anyway = false

        @OptionGroup var common: CommonOptions

        func run() async throws {
            let date = try named.date()
            let (total, until, trigger) = (total, until, trigger.trigger)
            let author = anyway ? CommonOptions.author : nil
            let now = Arrival.now().wallMilliseconds
            try await common.perform(.creating) { state in
                .healthTotal(
                    total, date: date,
                    validUntilMilliseconds: until?.milliseconds(on: date, state, now: now),
                    origin: Reporter(.commandLine), trigger: trigger, meantBy: author)
            } saying: { state in
                let steps = state.own.steps
                let day = (date ?? steps.current?.date).flatMap { steps[$0] }
                guard let day else { return "Noted." }
                let sentence = "\(day.date): \(grouped(day.displayed)) steps."
                return day.displayed > total
                    ? "\(sentence) \(DayText.wayDown(of: day.date))" : sentence
            }
        }
    }

    /// `pulselog health token`.
    struct Token: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "token",
            abstract: "Show the secret that lets a program send health totals.",
            discussion: """
                Send it in the header Authorization, after the word Bearer. It is created at first \
                use. A server that is running accepts the one before until it ends.
                """)

        @Flag(help: "Make a new one, in place of the one before.")
        var new = false

        @OptionGroup var common: CommonOptions

        func run() async throws {
            common.show(try common.open(.creating).token(for: .health, isNew: new))
        }
    }
}

extension CommonOptions {
    /// Shows a secret to whoever asked for it.
    func show(_ token: AccessToken) {
        write(token.text + "\n") { $0.field("token", token.text) }
    }
}

/// The triggers that a person can name.
enum TriggerName: String, ExpressibleByArgument, CaseIterable {
    case observer
    case foreground
    case manual

    /// The trigger.
    var trigger: Trigger { Trigger.allCases.first { $0.name == rawValue } ?? .manual }
}
