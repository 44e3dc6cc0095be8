internal import Glibc

/// A thread of the operating system that runs one closure: what blocks must not hold a thread of
/// the pool that all tasks share.
@safe
public struct OwnThread: ~Copyable, Sendable {
    private let handle: pthread_t

    /// Starts the thread; if it is dropped without being joined, it is detached.
    ///
    /// - Parameter body: What it runs.
    /// - Throws: ``NoThread`` if the system has none left.
    public init(_ body: @escaping @Sendable () -> Void) throws(NoThread) {
        let box = unsafe Unmanaged.passRetained(Body(body))
        var handle = pthread_t()
        let status = unsafe pthread_create(
            &handle, nil,
            { context in
                guard let context = unsafe context else { return nil }
                // Balances passRetained: this closure runs exactly once.
                unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        guard status == 0 else {
            unsafe box.release()
            throw NoThread(errorNumber: status)
        }
        self.handle = handle
    }

    deinit {
        _ = pthread_detach(handle)
    }

    /// Waits for the end of the thread.
    public consuming func join() {
        _ = pthread_join(handle, nil)
        discard self
    }

    /// Lets the thread end by itself, whenever that is.
    public consuming func detach() {
        _ = consume self
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}

/// The system has no thread left.
public struct NoThread: Error, Hashable, Sendable {
    /// The error of pthread_create(3), as EAGAIN.
    public let errorNumber: Int32
}
