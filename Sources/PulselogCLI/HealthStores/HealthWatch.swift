internal import Dispatch
internal import Glibc
internal import Synchronization

/// Watches a health store's file beside a recording, and reads it when it has changed.
///
/// It asks the file for its time once a second instead of being told by inotify(7). A watch on the
/// folder would not see a file behind a symbolic link, one on a share or a phone's mount, nor a
/// folder that is made later or replaced; all of these are usual where a phone's export arrives,
/// and the store itself is late by half a minute or more. One stat(2) a second costs nothing.
///
/// A file is read once it has not changed for a second. All of it happens on a thread of its own:
/// an export takes seconds, a share that is gone may never answer, and the recording goes on.
final class HealthWatch: Sendable {
    /// What a file was when it was looked at.
    private enum Sight: Equatable {
        case file(device: UInt64, number: UInt64, size: Int64, modified: [Int64])
        /// There is nothing to read, for this reason.
        case nothing(String)
    }

    private struct State {
        /// What was seen last.
        var seen: Sight?
        /// What was read or told last.
        var settled: Sight?
        var isLooking = false
    }

    private let file: HealthStoreFile
    private let queue = DispatchQueue(label: "health store")
    private let state = Mutex(State())

    /// Names a file; it need not exist yet.
    init(path: String) {
        file = HealthStoreFile(path: path, onlyRegular: true)
    }

    /// Looks at the file; call it about once a second.
    ///
    /// - Parameter wakes: Gets what the file says, or why it cannot be read: once for each change.
    func look(_ wakes: Wakes) {
        let isFree = state.withLock { state in
            defer { state.isLooking = true }
            return !state.isLooking
        }
        guard isFree else { return }
        queue.async { [self] in
            defer { state.withLock { $0.isLooking = false } }
            guard let sight = newSight() else { return }
            if case .nothing(let sentence) = sight {
                return wakes.note { $0.sentences.append(sentence) }
            }
            read(into: wakes)
        }
    }

    /// Looks at the file; nil if it is as it was, or still changing.
    private func newSight() -> Sight? {
        let sight = sight()
        return state.withLock { state in
            defer { state.seen = sight }
            guard state.seen == sight, state.settled != sight else { return nil }
            state.settled = sight
            return sight
        }
    }

    private func read(into wakes: Wakes) {
        do throws(CommandFailure) {
            guard let format = try file.format() else {
                throw CommandFailure(
                    .badData,
                    "\(file.path) is neither a total, nor an export of Apple Health, nor a "
                        + "database of Gadgetbridge.")
            }
            let reading = try file.read(as: format)
            wakes.note { pending in
                if let damage = reading.damage {
                    pending.sentences.append("\(self.name), in part: \(damage)")
                }
                pending.healthReading = reading
            }
        } catch {
            wakes.note { $0.sentences.append(error.message) }
        }
    }

    /// The file in a sentence.
    private var name: String { printable(file.path, limit: 200) }

    private func sight() -> Sight {
        var status = stat()
        guard stat(file.path, &status) == 0 else {
            let reason = String(cString: strerror(errno))
            return .nothing("\(name) cannot be read yet: \(reason). It is looked for.")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            return .nothing("\(name) is no regular file; it is looked for.")
        }
        return .file(
            device: UInt64(status.st_dev), number: UInt64(status.st_ino),
            size: Int64(status.st_size),
            modified: [
                Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
                Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec),
            ])
    }
}
