internal import Events
package import Projections
internal import Text

extension Diagnosis {
    /// Less than this is soon used up: a year of walks takes some 50 MB.
    private static let lowSpaceBytes: UInt64 = 100_000_000
    /// Less than this is no room for a store to begin in.
    private static let leastSpaceBytes: UInt64 = 4_000_000

    /// Judges the room for the store.
    ///
    /// - Parameter bytes: What is free on its disk.
    /// - Returns: A problem if a store could not begin there, a warning if it is soon used up.
    package static func disk(freeBytes bytes: UInt64) -> Diagnosis {
        let text = "\(grouped(bytes / 1_000_000)) MB are free for the store."
        if bytes < leastSpaceBytes {
            return problem(.disk, text, "Make room: a recording ends when the disk is full.")
        }
        if bytes < lowSpaceBytes {
            return warning(.disk, text, "Make room soon: a year of walks takes some 50 MB.")
        }
        return ok(.disk, text)
    }

    /// Tells whether a recorder runs, and whether one was cut off.
    ///
    /// - Parameters:
    ///   - isAlive: Whether one runs.
    ///   - isSessionOpen: Whether a session is open; nil if that is not known.
    /// - Returns: What was found; nil if the session would have to tell.
    package static func recorder(isAlive: Bool, isSessionOpen: Bool?) -> Diagnosis? {
        if isAlive { return ok(.recorder, "A recorder is running on this store.") }
        guard let isSessionOpen else { return nil }
        return isSessionOpen
            ? warning(
                .recorder, "A session is open, but no recorder is running.",
                "`pulselog record` continues it, `pulselog finish` ends it.")
            : ok(.recorder, "No recorder is running, and no session is open.")
    }

    /// Tells of the phone that sent positions last, and whether it can.
    ///
    /// - Parameters:
    ///   - state: The state of the log.
    ///   - address: Where phones reach what is served; nil if they do not.
    ///   - advice: How they can.
    /// - Returns: What was found; nil where no phone ever sent a position.
    package static func positions(
        of state: LogState, at address: String?, _ advice: String
    ) -> Diagnosis? {
        let sources = state.own.recorder.positions.all
        guard let phone = sources.last(where: \.isPhone) else { return nil }
        let last = phone.heardAt.map { ", last \(TimeText.utc($0.wallMilliseconds))" } ?? ""
        let text = "\(phone.title) sends positions by \(phone.told.appName)\(last)."
        guard let address else {
            return warning(.positions, text + " It cannot reach this machine.", advice)
        }
        return ok(.positions, text + " This machine listens for it at \(address).")
    }

    /// Judges the wall clock.
    ///
    /// - Parameters:
    ///   - wallMilliseconds: What it shows, in milliseconds of UTC since 1970.
    ///   - isSet: Whether it can be true.
    ///   - isTrusted: Whether the kernel holds it for synchronized.
    /// - Returns: A problem if it was never set, a warning if it is not synchronized.
    package static func clock(wallMilliseconds: Int64, isSet: Bool, isTrusted: Bool) -> Diagnosis {
        let time = TimeText.utc(wallMilliseconds)
        guard isSet else {
            return problem(
                .clock, "The clock says \(time): it was never set. Steps need a date.",
                "Set it: timedatectl set-ntp true, or date --set.")
        }
        guard isTrusted else {
            return warning(
                .clock, "The clock says \(time), but the kernel says it is not synchronized.",
                "Run a time service (timedatectl set-ntp true); until then days may be off.")
        }
        return ok(.clock, "The clock is synchronized: \(time).")
    }

    /// Compares the day of the log with the clock's.
    ///
    /// - Parameters:
    ///   - state: The state of the log.
    ///   - moment: Now.
    /// - Returns: A warning if the log's is later; nil if all is well.
    package static func day(of state: LogState, at moment: Moment) -> Diagnosis? {
        state.own.dayAhead(at: moment).map { warning(.clock, DayText.ahead($0), DayText.wayBack) }
    }

    /// Tells the zone that days are counted in.
    ///
    /// - Parameters:
    ///   - zone: The zone as it is now.
    ///   - variable: The environment's TZ, or nil.
    ///   - hasZoneFile: Whether the machine has a zone, `/etc/localtime`.
    ///   - unknownName: The zone that is set and of which there is no data.
    /// - Returns: A warning if nobody has set a zone, or it is not known.
    package static func zone(
        _ zone: (offsetMinutes: Int64, name: String), variable: String?, hasZoneFile: Bool,
        unknownName: String? = nil
    ) -> Diagnosis {
        if let unknownName {
            return warning(.zone, ZoneText.unknown(unknownName), ZoneText.advice)
        }
        let name = printable(zone.name, limit: 32)
        let text = "Days end at midnight of \(name), UTC\(TimeText.offset(zone.offsetMinutes))."
        guard variable != nil || hasZoneFile else {
            return warning(
                .zone, text + " No time zone is set.",
                "Set yours: timedatectl set-timezone Europe/Berlin, or TZ.")
        }
        return ok(.zone, text)
    }

    /// Judges the terminal that `record` would draw in.
    ///
    /// - Parameters:
    ///   - columns: Its width, or nil without one.
    ///   - isUTF8: Whether its characters are those of Unicode.
    /// - Returns: A warning if a view would look wrong.
    package static func terminal(columns: Int?, isUTF8: Bool) -> Diagnosis {
        guard let columns else {
            return ok(.terminal, "Standard output is not a terminal: `record` writes plain lines.")
        }
        guard columns >= 60 else {
            return warning(
                .terminal, "The terminal has \(columns) columns; lines are cut.",
                "Make it 80 columns wide.")
        }
        guard isUTF8 else {
            return warning(
                .terminal, "The locale does not say UTF-8: bars and hearts may look wrong.",
                "Set LANG=C.UTF-8, or your own locale.")
        }
        return ok(.terminal, "The terminal has \(columns) columns.")
    }

    /// Judges what the page in a browser needs of the system.
    ///
    /// - Parameters:
    ///   - hasMap: Whether the library that draws the map is there.
    ///   - complaint: Why a map of the configuration file cannot be used; nil if all can.
    /// - Returns: What was found; a problem where nothing would be served.
    package static func page(hasMap: Bool, _ complaint: String? = nil) -> Diagnosis {
        if let complaint {
            return problem(
                .page, complaint,
                "Correct `tiles` in the configuration file, or nothing is served; see "
                    + "`pulselog map`.")
        }
        if hasMap { return ok(.page, "The page in a browser has its map.") }
        return warning(
            .page, "The page in a browser has no map without libjs-leaflet.",
            "Run `apt-get install libjs-leaflet`.")
    }
}
