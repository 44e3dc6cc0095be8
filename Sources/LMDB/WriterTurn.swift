internal import Glibc
internal import Synchronization

/// The turn to write to an environment: one process has it at a time, and the kernel knows which.
///
/// It is a record lock (fcntl(2)) on a byte far past the data, taken before LMDB's own lock. That
/// one alone keeps the data safe, but it does not say who holds it, and a process that is stopped
/// while it waits there can keep the next one from being woken. A program that knows of no turns
/// takes LMDB's lock all the same; so does a writer to whom the system refuses this one.
final class WriterTurn: Sendable {
    /// Where the byte is; no data file comes near.
    private static let offset = 1 << 62

    private let descriptor: Int32
    /// The threads of this process that write: a record lock is the process's.
    private let writerCount = Mutex(0)

    /// Makes a turn that is not taken.
    ///
    /// - Parameter descriptor: The data file, open for as long as this is used.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Takes the turn; waits for as long as another process has it.
    func take() {
        writerCount.withLock { count in
            count += 1
            guard count == 1 else { return }
            var lock = Self.record(F_WRLCK)
            while unsafe fcntl(descriptor, F_SETLKW, &lock) != 0, errno == EINTR {}
        }
    }

    /// Gives the turn back.
    func end() {
        writerCount.withLock { count in
            count -= 1
            guard count == 0 else { return }
            var lock = Self.record(F_UNLCK)
            while unsafe fcntl(descriptor, F_SETLK, &lock) != 0, errno == EINTR {}
        }
    }

    /// The other process that has the turn; nil if none has, or one that this process cannot name
    /// because it lives in another container.
    var otherHolder: Int32? {
        var lock = Self.record(F_WRLCK)
        guard unsafe fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK),
            lock.l_pid > 0
        else { return nil }
        return lock.l_pid
    }

    private static func record(_ type: Int32) -> flock {
        var lock = flock()
        lock.l_type = Int16(type)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = offset
        lock.l_len = 1
        return lock
    }
}
