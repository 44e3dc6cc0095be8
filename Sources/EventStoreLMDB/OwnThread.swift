internal import EventStore
internal import Glibc

/// A thread of the operating system that runs one closure: LMDB's writes block, and so does the
/// watch for those of others; neither may hold a thread of the shared pool.
struct OwnThread: Sendable {
    private let handle: pthread_t

    /// Starts the thread; it is joined or left alone, exactly once.
    ///
    /// - Throws: ``EventLogError`` `storage` if the system has no thread left.
    init(_ body: @escaping @Sendable () -> Void) throws(EventLogError) {
        let box = Unmanaged.passRetained(Body(run: body))
        var handle = pthread_t()
        let status = pthread_create(
            &handle, nil,
            { context in
                guard let context else { return nil }
                // Balances passRetained: this closure runs exactly once.
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        guard status == 0 else {
            box.release()
            throw EventLogError(systemCall: "pthread_create", number: status)
        }
        self.handle = handle
    }

    /// Waits for the end of the thread.
    func join() {
        pthread_join(handle, nil)
    }

    /// Lets the thread end by itself, whenever that is.
    func detach() {
        pthread_detach(handle)
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
