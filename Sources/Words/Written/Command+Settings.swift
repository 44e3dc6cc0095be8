package import Projections

extension Command {
    /// Changes what is known of the walker by settings such as `height=180cm`: by all of them.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - state: What is known until now.
    /// - Returns: The command.
    /// - Throws: ``CommandFailure`` with what would be right, if one of them makes no sense.
    package static func setWalker(
        by settings: [String], _ state: LogState
    ) throws(CommandFailure) -> Command {
        let known = state.own.recorder
        var (profile, walker, preferences) = (known.profile, known.walker, known.preferences)
        for setting in settings {
            if try walker.set(setting) { continue }
            if try !preferences.set(setting) { try profile.set(setting) }
        }
        try profile.refuseZonesWithoutBounds()
        try preferences.refuseAlertsWithoutRoom()
        return .setWalker(profile, walker, preferences)
    }
}
