internal import Clocks
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Glibc
internal import Interchange
internal import Projections
internal import Recording
internal import Words

/// The checks of `pulselog doctor` that concern the store, its disk, the clock and the terminal.
struct MachineChecks {
    /// The store's folder; there may be none yet.
    let directory: String

    /// Less than this is soon used up: a year of walks takes some 50 MB.
    private static let lowSpaceBytes: UInt64 = 100_000_000
    /// Less than this is no room for a store to begin in.
    private static let leastSpaceBytes: UInt64 = 4_000_000

    /// A log of so many events is folded within seconds; of a longer one less is told.
    private static let foldedEvents: UInt64 = 10_000_000

    /// The store's folder, harmless in a terminal.
    private var place: String { printable(directory, limit: 200) }

    // MARK: - Store

    /// Opens the store for reading, which checks its last block.
    ///
    /// - Returns: What was found, and the folded state: a blank one where there is no store yet,
    ///   nil if it is not known, or not to be had in time.
    func store() -> (diagnosis: Diagnosis, state: LogState?) {
        var status = stat()
        guard stat(directory, &status) == 0 else {
            let number = errno
            return (missingStore(number), number == ENOENT ? LogState() : nil)
        }
        do throws(EventLogError) {
            let log = try LMDBEventLog.open(directory: directory, mode: .readOnly)
            defer { log.close() }
            let statistics = try log.statistics()
            var state: LogState?
            if statistics.events <= Self.foldedEvents {
                var folded = LogState()
                try log.fold(into: &folded)
                state = folded
            }
            guard access(directory, W_OK) == 0, access(directory + "/data.mdb", W_OK) == 0 else {
                let problem = Diagnosis.problem(
                    .store, "The store \(place) may be read, but not written.",
                    "Change its owner or its permissions, or choose another with --store.")
                return (problem, state)
            }
            let text =
                "The store \(place) holds \(grouped(statistics.events)) events in "
                + "\(grouped(UInt64(statistics.fileBytes) / 1_000)) kB; its end is sound."
            return (.ok(.store, text), state)
        } catch {
            return (Diagnosis(error, in: place), nil)
        }
    }

    private func missingStore(_ number: Int32) -> Diagnosis {
        guard number == ENOENT else {
            return .problem(
                .store, "The store \(place) cannot be looked at: \(words(of: number)).",
                "Check the path, or choose another with --store.")
        }
        let parent = existingParent
        guard access(parent, W_OK) == 0 else {
            return .problem(
                .store, "There is no store yet, and none can be made in \(printable(parent)).",
                "Choose a folder of your own with --store.")
        }
        return .ok(.store, "There is no store yet; `pulselog record` makes \(place).")
    }

    /// The nearest folder around the store that exists.
    private var existingParent: String {
        var path = directory
        while access(path, F_OK) != 0 {
            guard let slash = path.lastIndex(of: "/") else { return "." }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
        return path
    }

    /// Whether a recorder runs on the store.
    var isRecorderAlive: Bool { Store.isRecorderAlive(in: directory) }

    /// Tells whether a recorder runs, and whether one was cut off.
    ///
    /// - Parameter state: The store's state; nil if it is not known.
    /// - Returns: What was found; nil if the state would have to tell.
    func recorder(_ state: LogState?) -> Diagnosis? {
        if isRecorderAlive { return .ok(.recorder, "A recorder runs on this store.") }
        guard let state else { return nil }
        guard state.live.sessions.open != nil else {
            return .ok(.recorder, "No recorder runs, and no session is open.")
        }
        return .warning(
            .recorder, "A session is open, and no recorder runs.",
            "`pulselog record` goes on with it, `pulselog stop` ends it.")
    }

    /// Looks at the room for the store, on the file system that it is or will be on.
    func disk() -> Diagnosis {
        var status = statvfs()
        guard statvfs(existingParent, &status) == 0 else {
            return .warning(
                .disk, "The disk does not tell its free space: \(words(of: errno)).",
                "See `df` for the store's folder.")
        }
        let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
        let text = "\(grouped(free / 1_000_000)) MB are free for the store."
        if free < Self.leastSpaceBytes {
            return .problem(.disk, text, "Make room: a recording ends when the disk is full.")
        }
        if free < Self.lowSpaceBytes {
            return .warning(.disk, text, "Make room soon: a year of walks takes some 50 MB.")
        }
        return .ok(.disk, text)
    }

    // MARK: - Clock, zone, terminal

    /// Judges a reading of the clocks.
    static func clock(_ now: Arrival) -> Diagnosis {
        let time = TimeText.utc(now.wallMilliseconds)
        guard now.wallMilliseconds >= Arrival.earliestTrustedMilliseconds else {
            return .problem(
                .clock, "The clock says \(time): it was never set. Steps need a date.",
                "Set it: timedatectl set-ntp true, or date --set.")
        }
        guard now.isWallTrusted else {
            return .warning(
                .clock, "The clock says \(time), and the kernel does not hold it for synchronized.",
                "Run a time service (timedatectl set-ntp true); until then days may be off.")
        }
        return .ok(.clock, "The clock is synchronized: \(time).")
    }

    /// Tells the zone that days are counted in.
    ///
    /// - Parameters:
    ///   - zone: The zone as it is now.
    ///   - variable: The environment's TZ, or nil.
    ///   - hasZoneFile: Whether the machine has a zone, `/etc/localtime`.
    /// - Returns: A warning if nobody has set a zone.
    static func zone(
        _ zone: (offsetMinutes: Int64, name: String), variable: String?, hasZoneFile: Bool
    ) -> Diagnosis {
        let minutes = zone.offsetMinutes.magnitude
        let sign = zone.offsetMinutes < 0 ? "-" : "+"
        let name = printable(zone.name, limit: 32)
        let pair = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let text = "Days end at midnight of \(name), UTC\(sign)\(pair.joined(separator: ":"))."
        guard variable != nil || hasZoneFile else {
            return .warning(
                .zone, text + " No time zone is set.",
                "Set yours: timedatectl set-timezone Europe/Berlin, or TZ.")
        }
        return .ok(.zone, text)
    }

    /// Judges the terminal that `record` would draw in.
    ///
    /// - Parameters:
    ///   - columns: Its width, or nil without one.
    ///   - isUTF8: Whether its characters are those of Unicode.
    /// - Returns: A warning if a view would look wrong.
    static func terminal(columns: Int?, isUTF8: Bool) -> Diagnosis {
        guard let columns else {
            return .ok(.terminal, "Standard output is no terminal: `record` writes plain lines.")
        }
        guard columns >= 60 else {
            return .warning(
                .terminal, "The terminal has \(columns) columns; lines are cut.",
                "Make it 80 columns wide.")
        }
        guard isUTF8 else {
            return .warning(
                .terminal, "The locale does not say UTF-8: bars and hearts may look wrong.",
                "Set LANG=C.UTF-8, or your own locale.")
        }
        return .ok(.terminal, "The terminal has \(columns) columns.")
    }
}

/// The system's words for an error number.
private func words(of number: Int32) -> String {
    String(cString: strerror(number))
}

extension Diagnosis {
    /// The problem that keeps a store from being opened.
    fileprivate init(_ error: EventLogError, in place: String) {
        let advice =
            switch error.code {
            case .notFound: "Remove what is in the folder, or choose another with --store."
            case .alien: "Choose another folder with --store; nothing in this one is changed."
            case .damaged: "Copy the folder, then see what `pulselog log verify` says."
            case .permission: "Change its owner or its permissions, or choose another with --store."
            case .unsupportedFileSystem: "Choose a folder on a disk of this machine with --store."
            case .diskFull: "Make room on its disk."
            case .wrongExpectedPosition, .replaced, .storage, .cancelled, .closed:
                "Stop other programs that use it, and look again."
            }
        let words = printable(error.detail.isEmpty ? error.description : error.detail, limit: 200)
        self = .problem(.store, "The store \(place) cannot be opened: \(words).", advice)
    }
}
