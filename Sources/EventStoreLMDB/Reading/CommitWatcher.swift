internal import EventStore
internal import Files
internal import Glibc
internal import Synchronization
internal import Threads

/// Notices commits of other processes, and files that are taken away: a thread that waits for
/// changes in the store's directory.
///
/// The kernel reports them (inotify(7)) without a file being opened: closing the lock file would
/// drop LMDB's lock.
/// It reports a write, and LMDB publishes the commit after its last write, in memory: soon, but a
/// writer that has to wait for a processor takes any time. So looks follow each write, at intervals
/// that grow to a second and stay there: no commit is slept through, whatever the kernel reports.
final class CommitWatcher: Sendable {
    /// The pause after the first look that follows a write, and the longest pause; each is twice
    /// the one before.
    static let usualMilliseconds: ClosedRange<Int32> = 10...1_000
    /// The longest wait where the kernel has no watch left to give.
    private static let fallbackMilliseconds: Int32 = 50
    /// What happens to the directory and the names in it.
    private static let changes =
        IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF

    private let bell: Doorbell
    private let inotify: Int32
    private let milliseconds: ClosedRange<Int32>
    private let look: @Sendable () -> Void
    private let isStopping = Atomic(false)
    private let thread = Mutex<OwnThread?>(nil)

    /// Starts to watch; ``stop()`` ends it.
    ///
    /// - Parameters:
    ///   - directory: The store.
    ///   - milliseconds: The first wait after a write, and the longest; each is twice the last.
    ///   - look: Called on the thread whenever somebody may have committed, at least once.
    /// - Throws: ``EventLogError`` `storage` if the system has no thread left.
    init(
        directory: String, milliseconds: ClosedRange<Int32> = usualMilliseconds,
        look: @escaping @Sendable () -> Void
    ) throws(EventLogError) {
        guard let bell = Doorbell() else { throw EventLogError(SystemCallError("socketpair")) }
        self.bell = bell
        var watch = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        // The file as well: behind a link it lies in another directory.
        if watch >= 0,
            inotify_add_watch(watch, directory + "/data.mdb", UInt32(IN_MODIFY)) < 0
                || inotify_add_watch(watch, directory, UInt32(Self.changes)) < 0
        {
            close(watch)
            watch = -1
        }
        inotify = watch
        (self.milliseconds, self.look) = (milliseconds, look)
        try thread.withLock { (thread) throws(EventLogError) in
            thread = try mapErrors(in: directory) { try OwnThread { [self] in run() } }
        }
    }

    deinit {
        if inotify >= 0 { close(inotify) }
    }

    /// Ends the thread and waits for that.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        bell.ring()
        if let thread = thread.withLock({ $0.take() }) { thread.join() }
    }

    private func run() {
        let longest = inotify >= 0 ? milliseconds.upperBound : Self.fallbackMilliseconds
        var interval = milliseconds.lowerBound
        while !isStopping.load(ordering: .acquiring) {
            look()
            if hasChanged(within: interval) {
                interval = milliseconds.lowerBound
            } else {
                interval = min(interval * 2, longest)
            }
        }
    }

    /// Waits until something changes, ``stop()`` is called or the time is over, and takes what the
    /// kernel reports.
    private func hasChanged(within milliseconds: Int32) -> Bool {
        var entries = [bell.descriptor, inotify].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let count = poll(&entries, nfds_t(entries.count), milliseconds)
        guard count > 0, entries[1].revents != 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while read(inotify, &bytes, bytes.count) > 0 {}
        return true
    }
}
