package import Events
package import Projections

extension Command {
    /// Sets the walker's profile, for tests in which nothing else is known of them.
    package static func setProfile(_ profile: Profile) -> Command {
        .setWalker(profile, Walker(), Preferences())
    }
}
