internal import ArgumentParser
internal import Clocks
internal import Events
internal import Interchange
internal import JSON
internal import Projections
internal import Terminal
internal import Text
internal import Web
internal import Words

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
        var until: TimeOption?

        @Option(help: "Why: observer, foreground or manual.")
        var trigger: TriggerName = .observer

        @Flag(help: "Take a total that nobody walks in a day.")
        var anyway = false

        @OptionGroup var common: CommonOptions

        func run() async throws {
            let date = try named.date()
            let (total, until, trigger) = (total, until, trigger.trigger)
            let author = anyway ? CommonOptions.author : nil
            let now = Arrival.now().wallMilliseconds
            let (events, state) = try await Store.perform(common, .creating) { state in
                .healthTotal(
                    total, date: date,
                    validUntilMilliseconds: until?.milliseconds(on: date, state, now: now),
                    origin: "command line", trigger: trigger, meantBy: author)
            }
            let steps = state.live.steps
            let day = (date ?? steps.current?.date).flatMap { steps[$0] }
            guard let day else { return PulselogCLI.report(events, common, "Noted.") }
            var sentence = "\(day.date): \(grouped(day.displayed)) steps."
            if day.displayed > total { sentence += " " + DayText.wayDown(of: day.date) }
            PulselogCLI.report(events, common, sentence)
        }
    }

    /// `pulselog health token`.
    struct Token: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "token",
            abstract: "Show the secret that lets a program send health totals.",
            discussion: """
                Send it in the header Authorization, after the word Bearer. It is created at first \
                use; to replace it, delete the file health-token in the store.
                """)

        @OptionGroup var common: CommonOptions

        func run() async throws {
            common.show(try Store.open(common, for: .creating).token(for: .health))
        }
    }
}

extension CommonOptions {
    /// Shows a secret to who asked for it.
    func show(_ token: AccessToken) {
        if json {
            Output.standard.write(JSONWriter.line { $0.field("token", token.text) })
        } else {
            Output.standard.write(token.text + "\n")
        }
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
