internal import EventStore
internal import Files
internal import Glibc

/// Wakes a thread that waits in `poll` for a descriptor as well, from any other thread.
///
/// Two connected sockets: rung any number of times, it is answered once.
final class Doorbell: Sendable {
    private let readEnd: Int32
    private let writeEnd: Int32

    /// Makes a bell that has not been rung.
    ///
    /// - Throws: ``EventLogError`` `storage` if the process has no descriptors left.
    init() throws(EventLogError) {
        var ends: [Int32] = [-1, -1]
        let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        guard socketpair(AF_UNIX, Int32(type), 0, &ends) == 0 else {
            throw EventLogError(SystemCallError("socketpair"))
        }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Wakes the waiting thread, now or when it waits next.
    func ring() {
        var byte: UInt8 = 1
        // It can only fail because the socket is full, and then the bell rings already.
        _ = write(writeEnd, &byte, 1)
    }

    /// Waits until the bell rings, another descriptor can be read, or the time is over.
    ///
    /// - Parameters:
    ///   - other: A descriptor to wait for as well; negative for none.
    ///   - milliseconds: How long to wait; negative forever.
    /// - Returns: Whether `other` can be read.
    func wait(orFor other: Int32 = -1, milliseconds: Int32) -> Bool {
        var entries = [
            pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return false }
        if entries[0].revents != 0 { Doorbell.drain(readEnd) }
        return entries[1].revents != 0
    }

    /// Reads and drops what a descriptor that does not block holds.
    static func drain(_ descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }
}
