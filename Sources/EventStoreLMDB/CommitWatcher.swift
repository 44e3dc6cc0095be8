internal import EventStore
internal import Glibc
internal import Synchronization

/// Notices commits of other processes: a thread that waits for writes to the data file.
///
/// The kernel tells of a write (inotify(7)) without the file being opened, which would drop LMDB's
/// lock. LMDB publishes a commit just after its last write, so a second look follows a little
/// later.
final class CommitWatcher: Sendable {
    /// The time after a write within which its commit is published.
    private static let settlingMilliseconds: Int32 = 10
    /// How often to look where the kernel has no watch left to give.
    private static let fallbackMilliseconds: Int32 = 50

    private let bell: Doorbell
    private let inotify: Int32
    private let look: @Sendable () -> Void
    private let isStopping = Atomic(false)
    private let thread = Mutex<OwnThread?>(nil)

    /// Starts to watch; ``stop()`` ends it.
    ///
    /// - Parameters:
    ///   - directory: The store.
    ///   - look: Called on the thread whenever somebody may have committed, at least once.
    /// - Throws: ``EventLogError`` `storage` if the system has no thread left.
    init(directory: String, look: @escaping @Sendable () -> Void) throws(EventLogError) {
        bell = try Doorbell()
        var watch = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        if watch >= 0, inotify_add_watch(watch, directory + "/data.mdb", UInt32(IN_MODIFY)) < 0 {
            close(watch)
            watch = -1
        }
        inotify = watch
        self.look = look
        let started = try OwnThread { [self] in run() }
        thread.withLock { $0 = started }
    }

    deinit {
        if inotify >= 0 { close(inotify) }
    }

    /// Ends the thread and waits for that.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        bell.ring()
        thread.withLock { $0.take() }?.join()
    }

    private func run() {
        let idleMilliseconds = inotify >= 0 ? -1 : Self.fallbackMilliseconds
        var wasWritten = true
        while !isStopping.load(ordering: .acquiring) {
            look()
            wasWritten = bell.wait(
                orFor: inotify,
                milliseconds: wasWritten ? Self.settlingMilliseconds : idleMilliseconds)
            if wasWritten { Doorbell.drain(inotify) }
        }
    }
}
