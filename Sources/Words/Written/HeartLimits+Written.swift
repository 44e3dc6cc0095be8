internal import Events

extension HeartLimits {
    /// Reads limits as `above=150,below=100`, one of which is enough; nil if they are none.
    package init?(_ argument: String) {
        var preferences = Preferences()
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            do throws(CommandFailure) {
                guard try preferences.set("alert-\(part)") else { return nil }
            } catch {
                return nil
            }
        }
        guard preferences != Preferences() else { return nil }
        self.init(preferences)
    }
}
