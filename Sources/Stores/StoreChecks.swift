internal import Deciding
internal import EventStore
internal import EventStoreLMDB
internal import Files
internal import Glibc
package import Projections
package import Words

/// The checks of `pulselog doctor` that concern the store and its disk.
package struct StoreChecks {
    /// The store's folder; there may be none yet.
    package let directory: String

    /// Looks at a folder.
    package init(directory: String) {
        self.directory = directory
    }

    /// A log of so many events is folded within seconds; of a longer one less is told.
    private static let foldedEvents: UInt64 = 10_000_000

    /// Opens the store for reading, which checks its last block.
    ///
    /// - Returns: What was found, and the folded state: a blank one where there is no store yet,
    ///   nil if it is not known, or not to be had in time.
    package func store() -> (finding: StoreFinding, state: LogState?) {
        var status = stat()
        guard stat(directory, &status) == 0 else {
            let number = errno
            guard number == ENOENT else { return (.inaccessible(words(of: number)), nil) }
            let parent = existingParent
            let canBeMade = access(parent, W_OK) == 0
            return (canBeMade ? .missing : .cannotBeMade(parent: parent), LogState())
        }
        if status.st_mode & S_IFMT == S_IFDIR, access(directory, R_OK) == 0,
            StagingDirectory.isFree(directory)
        {
            let canBeMade = access(directory, W_OK | X_OK) == 0
            return (canBeMade ? .missing : .cannotBeMade(parent: directory), LogState())
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
                return (.readOnly, state)
            }
            let bytes = UInt64(statistics.fileBytes)
            return (.sound(events: statistics.events, bytes: bytes), state)
        } catch {
            let words = error.detail.isEmpty ? error.description : error.detail
            return (.unusable(words, advice: error.code.adviceOnOpening), nil)
        }
    }

    /// Looks whether the log can be signed on this machine.
    package func signature() -> SignatureFinding {
        do throws(EventLogError) {
            let log = try LMDBEventLog.open(directory: directory, mode: .readOnly)
            defer { log.close() }
            guard let folder = CheckpointFolder.usual(for: log) else { return .noPlace }
            do throws(CheckpointError) {
                if let obstacle = folder.obstacle { return .unwritable(obstacle) }
                let signed = try log.signedEvents(in: folder)
                let check = log.lastSelfCheck(in: folder)
                if let position = check?.damagePosition { return .damaged(from: position) }
                return .possible(
                    signedEvents: signed, folder: folder.path,
                    verified: check.map { ($0.verifiedBlocks, $0.sealedBlocks) })
            } catch {
                return .impossible(error.description)
            }
        } catch {
            // What is wrong with the store is told of the store.
            return .nothing
        }
    }

    /// The nearest folder around the store that exists.
    private var existingParent: String { FilePath.existing(directory) }

    /// Whether a recorder runs on the store.
    package var isRecorderAlive: Bool { RecorderLock.isHeld(in: directory) }

    /// Looks at the room for the store, on the file system that it is or will be on.
    package func disk() -> Diagnosis {
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

extension EventLogError.Code {
    /// What to do about what keeps a log from being opened.
    fileprivate var adviceOnOpening: String {
        switch self {
        case .notFound: "Remove what is in the folder, or choose another with --store."
        case .unrecognized:
            "Choose another folder with --store; nothing in this one is changed."
        case .damaged: "Copy the folder, then see what `pulselog log verify` says."
        case .permission: "Change its owner or its permissions, or choose another with --store."
        case .unsupportedFileSystem: "Choose a folder on a disk of this machine with --store."
        case .obstructed: "Do what is said there, or choose another with --store."
        case .diskFull: "Make room on its disk."
        case .wrongExpectedPosition, .replaced, .busy, .storage, .cancelled, .closed:
            "Stop other programs that use it, and try again."
        }
    }
}
