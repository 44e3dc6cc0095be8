internal import Glibc

/// A port of 127.0.0.1 on which nobody is answered yet.
///
/// No other machine reaches it. Whoever listens to the port already is not disturbed.
public struct LoopbackListener: Sendable {
    /// The port, also if any free one was asked for.
    public let port: UInt16
    let descriptor: CInt

    /// Takes a port.
    ///
    /// - Parameter port: The port; 0 for any free one.
    /// - Throws: ``ListenError`` if another program has it, or it is not for everybody.
    public init(port: UInt16) throws(ListenError) {
        let descriptor = socket(
            AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw ListenError(port: port, number: errno) }
        do throws(ListenError) {
            self.port = try Self.listen(descriptor, port: port)
            self.descriptor = descriptor
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    init(descriptor: CInt, port: UInt16) {
        self.descriptor = descriptor
        self.port = port
    }

    /// Gives a socket its address, and gives the port that it has then.
    private static func listen(_ descriptor: CInt, port: UInt16) throws(ListenError) -> UInt16 {
        // A port that a server of a minute ago used is free; one in use is not.
        var reuses: CInt = 1
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &reuses, socklen_t(MemoryLayout<CInt>.size))
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && Glibc.listen(descriptor, SOMAXCONN) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isListening else { throw ListenError(port: port, number: errno) }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Lets as many connections wait to be accepted as the system allows.
    ///
    /// swift-nio lets 128 wait at a socket that it did not make, however it is told otherwise; of
    /// more that come at once, each would try again after a second.
    func lengthenQueue() {
        Glibc.listen(descriptor, SOMAXCONN)
    }

    /// Gives the port back.
    public func close() {
        Glibc.close(descriptor)
    }
}

/// A port that cannot be listened to.
public struct ListenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why not.
    public enum Code: String, Sendable {
        /// Another program listens to it.
        case inUse
        /// Ports below 1024 are not for everybody.
        case denied
        /// What the service manager passes on is not a port of 127.0.0.1 alone.
        case notLoopback
        /// Anything else.
        case other
    }

    /// Why not.
    public let code: Code
    /// The port that was asked for.
    public let port: UInt16
    /// The system's own words.
    public let reason: String

    init(passedPort: UInt16) {
        (code, port, reason) = (.notLoopback, passedPort, "")
    }

    init(port: UInt16, number: Int32) {
        self.port = port
        reason = String(cString: strerror(number))
        code =
            switch number {
            case EADDRINUSE: .inUse
            case EACCES, EPERM: .denied
            default: .other
            }
    }

    /// What happened and what to do.
    public var description: String {
        switch code {
        case .inUse:
            "Another program is listening on port \(port) of 127.0.0.1; choose another, or 0 for "
                + "any."
        case .denied: "Port \(port) is reserved for root; choose one from 1024 up, or 0 for any."
        case .notLoopback:
            "The service manager passes on something else than one port of 127.0.0.1; name one in "
                + "the socket's unit, such as `ListenStream=127.0.0.1:8367`."
        case .other: "Cannot listen on port \(port) of 127.0.0.1: \(reason)."
        }
    }
}
