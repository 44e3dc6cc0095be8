internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Glibc
internal import Projections
internal import Recording
internal import Words

/// The checks of `pulselog doctor` that concern the store and its disk.
struct StoreChecks {
    /// The store's folder; there may be none yet.
    let directory: String

    /// A log of so many events is folded within seconds; of a longer one less is told.
    private static let foldedEvents: UInt64 = 10_000_000

    /// The store's folder, harmless in a terminal.
    private var place: String { printable(directory, limit: 200) }

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
                    .store, "The store \(place) can be read but not written.",
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
                .store, "The store \(place) cannot be accessed: \(words(of: number)).",
                "Check the path, or choose another with --store.")
        }
        let parent = existingParent
        guard access(parent, W_OK) == 0 else {
            return .problem(
                .store, "There is no store yet, and none can be created in \(printable(parent)).",
                "Choose a folder of your own with --store.")
        }
        return .ok(.store, "There is no store yet; `pulselog record` creates \(place).")
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

    /// Looks at the room for the store, on the file system that it is or will be on.
    func disk() -> Diagnosis {
        var status = statvfs()
        guard statvfs(existingParent, &status) == 0 else {
            return .warning(
                .disk, "The disk's free space cannot be read: \(words(of: errno)).",
                "See `df` for the store's folder.")
        }
        return .disk(freeBytes: UInt64(status.f_bavail) * UInt64(status.f_frsize))
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
