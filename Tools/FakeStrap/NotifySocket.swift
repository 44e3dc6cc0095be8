import Glibc

/// A file descriptor that is closed when nobody holds it any more.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }
}

/// The daemon's end of a pair of sockets, whose other end a client has got by `AcquireNotify`.
///
/// Each value is one packet, also an empty one. When nobody holds this end any more, the client's
/// hangs up.
struct NotifySocket {
    private let descriptor: Descriptor

    /// What became of a value.
    enum Outcome {
        case sent
        /// The client does not read, and the buffer is full.
        case full
        /// The client has closed its end.
        case hungUp
    }

    /// Makes a pair; nil if the process has too many descriptors.
    ///
    /// - Returns: The daemon's end and the client's.
    static func pair() -> (NotifySocket, Descriptor)? {
        let kind = SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        var numbers: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(kind), 0, &numbers) == 0 else { return nil }
        return (NotifySocket(descriptor: Descriptor(numbers[0])), Descriptor(numbers[1]))
    }

    /// Whether the client has closed its end.
    var isHungUp: Bool {
        var entry = pollfd(fd: descriptor.number, events: 0, revents: 0)
        return poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLHUP) != 0
    }

    /// Sends a value, or drops it: bluetoothd does not wait either.
    func send(_ value: [UInt8]) -> Outcome {
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        guard Glibc.send(descriptor.number, value, value.count, flags) < 0 else { return .sent }
        return errno == EPIPE || errno == ECONNRESET ? .hungUp : .full
    }
}
