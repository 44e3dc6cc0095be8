internal import ArgumentParser
internal import Events
internal import Projections
internal import Recording
internal import Stores
internal import Synchronization
internal import Words

/// `pulselog profile`.
struct ProfileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile", abstract: "The walker: height, weight, daily goal, zones.",
        subcommands: [Show.self, Set.self], defaultSubcommand: Show.self)

    /// `pulselog profile show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "What is known of the walker.")
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let scene = try common.open(.reading).scene()
            let today = scene.state.own.localDate(at: scene.moment)
            common.write(ProfileText(scene.state, in: today?.components.year))
        }
    }

    /// `pulselog profile set`.
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change the profile.",
            discussion: """
                Settings: height=180cm|5ft11in weight=75kg|165lb daily-goal=8000 max-hr=185 \
                resting-hr=55 zones=100,140,180 | zones=60%,75%,90% | zones=reserve:50,70,85 | \
                zones=standard \
                steps-per-cadence=2 birth-year=1980 sex=female|male distances=km|miles \
                weights=kg|pounds alert-above=150 alert-below=100 auto-lap=1km auto-pause=on|off. \
                `none` clears a value: height=none.
                """)
        @Argument(help: ArgumentHelp("Settings, such as height=180cm.", valueName: "key=value"))
        var settings: [String]
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let before = Mutex<ProfileText?>(nil)
            try await common.perform(.creating) { [settings] state in
                before.withLock { $0 = ProfileText(state) }
                return try .setWalker(by: settings, state)
            } saying: {
                ProfileText($0).changes(since: before.withLock(\.self))
            }
        }
    }
}
