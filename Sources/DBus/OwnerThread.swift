import Glibc

/// A thread of the operating system that runs one closure.
@safe
struct OwnerThread: Sendable {
    private let handle: pthread_t

    /// Starts the thread.
    ///
    /// It must be joined or abandoned exactly once.
    init?(_ body: @escaping @Sendable () -> Void) {
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
            return nil
        }
        self.handle = handle
    }

    /// Waits for the end of the thread.
    func join() {
        _ = pthread_join(handle, nil)
    }

    /// Lets the thread end by itself.
    func abandon() {
        _ = pthread_detach(handle)
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
