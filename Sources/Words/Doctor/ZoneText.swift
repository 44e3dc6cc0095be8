internal import Text

/// What is said of a time zone that is set and not known.
package enum ZoneText {
    /// That there is no data of it, and what that means.
    package static func unknown(_ name: String) -> String {
        "There is no data for the time zone \(printable(name, limit: 64)) on this machine, so days "
            + "end at midnight of UTC, and times are shown in UTC."
    }

    /// What to do.
    package static let advice = "Install the package tzdata, or correct TZ."
}
