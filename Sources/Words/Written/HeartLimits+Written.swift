internal import Events

extension HeartLimits {
    /// Reads limits as `above=150,below=100`, one of which is enough; nil for anything else.
    package init?(_ argument: String) {
        var preferences = Preferences()
        do throws(CommandFailure) {
            for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
                guard try preferences.set("alert-\(part)") else { return nil }
            }
            try preferences.refuseAlertsWithoutRoom()
        } catch {
            return nil
        }
        guard preferences != Preferences() else { return nil }
        self.init(preferences)
    }
}
