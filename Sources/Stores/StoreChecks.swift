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
            return (.unusable(StoreFinding.Obstacle(error.code), words), nil)
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

extension StoreFinding.Obstacle {
    /// What keeps a log from being opened.
    fileprivate init(_ code: EventLogError.Code) {
        self =
            switch code {
            case .notFound: .noStore
            case .unrecognized: .alien
            case .damaged: .damaged
            case .permission: .permission
            case .unsupportedFileSystem: .fileSystem
            case .obstructed: .surroundings
            case .diskFull: .diskFull
            case .wrongExpectedPosition, .replaced, .busy, .storage, .cancelled, .closed: .other
            }
    }
}
