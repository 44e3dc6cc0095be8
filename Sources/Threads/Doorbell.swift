import Glibc

/// Wakes a thread that waits in poll(2) for descriptors, from any other thread: rung any number of
/// times, it is answered once.
public final class Doorbell: Sendable {
    /// Readable after a ring, until ``silence()``.
    public let descriptor: Int32
    private let writeEnd: Int32

    /// Makes a bell that has not been rung; nil, with `errno`, if the process has no descriptors
    /// left.
    public init?() {
        var ends: [Int32] = [-1, -1]
        let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        // Once both are set, leaving would close them first, which changes `errno`.
        guard unsafe socketpair(AF_UNIX, Int32(type), 0, &ends) == 0 else { return nil }
        (descriptor, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writeEnd)
    }

    /// Wakes the waiting thread, now or when it waits next.
    public func ring() {
        var byte: UInt8 = 1
        // The write can only fail when the socket is full, and then the bell rings already.
        _ = unsafe write(writeEnd, &byte, 1)
    }

    /// Answers what was rung so far; of very many rings some are left, and wake once more.
    public func silence() {
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = unsafe read(descriptor, &bytes, bytes.count)
    }
}
