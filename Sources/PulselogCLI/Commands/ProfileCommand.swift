internal import ArgumentParser
internal import Events
internal import Projections
internal import Recording
internal import Stores
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
            let today = scene.state.live.localDate(at: scene.moment)
            common.write(
                ProfileText(
                    scene.state.live.recorder.profile, scene.state.live.recorder.walker,
                    in: today?.components.year))
        }
    }

    /// `pulselog profile set`.
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change the profile.",
            discussion: """
                Settings: height=180cm weight=75kg daily-goal=8000 max-hr=185 resting-hr=55 \
                zones=100,140,180 | zones=60%,75%,90% | zones=reserve:50,70,85 | zones=standard \
                steps-per-cadence=2 born=1980 sex=female|male. `none` clears a value: height=none.
                """)
        @Argument(help: ArgumentHelp("Settings, such as height=180cm.", valueName: "key=value"))
        var settings: [String]
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let settings = settings
            try await common.perform(.creating) { state in
                var (profile, walker) = (state.live.recorder.profile, state.live.recorder.walker)
                for setting in settings where try !walker.set(setting) { try profile.set(setting) }
                try profile.refuseZonesWithoutBounds()
                return .setWalker(profile, walker)
            } saying: {
                let recorder = $0.live.recorder
                return String(ProfileText(recorder.profile, recorder.walker).text.dropLast())
            }
        }
    }
}
