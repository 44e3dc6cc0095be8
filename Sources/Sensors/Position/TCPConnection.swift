internal import Glibc

/// A TCP connection to a host, for one reader; anybody may hang up.
///
/// It is closed when the last one lets go of it, so nobody uses the descriptor of another file.
final class TCPConnection: Sendable {
    /// Why there is no connection.
    struct Failure: Error {
        /// The system's own words.
        let reason: String
    }

    /// What came of waiting.
    enum Received {
        /// Bytes, at least one.
        case bytes([UInt8])
        /// Nothing yet.
        case nothing
        /// The other side, the system or ``TCPConnection/hangUp()`` ended it.
        case end
    }

    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Connects; the system is asked for the host's addresses, and each is tried in turn.
    ///
    /// - Parameters:
    ///   - host: A name, or an address of IPv4 or IPv6.
    ///   - port: The port.
    ///   - limit: The most milliseconds that one address is tried for.
    /// - Returns: The connection.
    /// - Throws: ``Failure`` of the last address.
    static func open(
        to host: String, port: UInt16, within limit: Int32
    ) throws(Failure) -> TCPConnection {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list = hints.ai_next
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else { throw Failure(reason: String(cString: gai_strerror(code))) }
        defer { freeaddrinfo(list) }
        var failure = Failure(reason: "no address")
        var next = list
        while let address = next?.pointee {
            do throws(Failure) {
                return try connected(to: address, within: limit)
            } catch {
                failure = error
            }
            next = address.ai_next
        }
        throw failure
    }

    private static func connected(
        to address: addrinfo, within limit: Int32
    ) throws(Failure) -> TCPConnection {
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.ai_family, address.ai_socktype | flags, 0)
        guard descriptor >= 0 else { throw Failure(errno) }
        // From here on it is closed with the connection.
        let connection = TCPConnection(descriptor)
        if connect(descriptor, address.ai_addr, address.ai_addrlen) != 0 {
            guard errno == EINPROGRESS || errno == EINTR else { throw Failure(errno) }
            guard connection.wait(for: POLLOUT, within: limit) else { throw Failure(ETIMEDOUT) }
            var failure: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size) == 0,
                failure == 0
            else { throw Failure(failure) }
        }
        connection.keepAlive()
        return connection
    }

    /// Sends a short text; the first one of a connection always finds room.
    ///
    /// - Returns: Whether it was taken.
    func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            == bytes.count
    }

    /// Waits for bytes.
    ///
    /// - Parameter limit: The most milliseconds to wait.
    /// - Returns: What came.
    func next(within limit: Int32) -> Received {
        guard wait(for: POLLIN, within: limit) else { return .nothing }
        var bytes = [UInt8](repeating: 0, count: 16 * 1_024)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else {
            return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
        }
        bytes.removeLast(bytes.count - count)
        return .bytes(bytes)
    }

    /// Ends it, from any thread; whoever waits for bytes hears of it at once.
    func hangUp() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Whether something happens in time: what is waited for, or an end.
    private func wait(for events: Int32, within limit: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return poll(&waiting, 1, limit) > 0
    }

    /// Lets the system notice within half a minute that the other machine is gone.
    private func keepAlive() {
        func set(_ level: Int, _ option: Int32, _ value: Int32) {
            var value = value
            // Without it a machine that is gone is noticed later: no reason to refuse.
            setsockopt(
                descriptor, Int32(level), option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
        set(Int(SOL_SOCKET), SO_KEEPALIVE, 1)
        set(Int(IPPROTO_TCP), TCP_KEEPIDLE, 15)
        set(Int(IPPROTO_TCP), TCP_KEEPINTVL, 5)
        set(Int(IPPROTO_TCP), TCP_KEEPCNT, 3)
    }
}

extension TCPConnection.Failure {
    fileprivate init(_ number: Int32) {
        self.init(reason: String(cString: strerror(number)))
    }
}
