internal import Glibc
internal import Text

/// A port on which nobody is answered yet: of 127.0.0.1, where no other machine reaches it, or of
/// one address that this machine has on a network.
///
/// Whoever listens to the port already is not disturbed.
public struct Listener: Sendable {
    /// The port, also if any free one was asked for.
    public let port: UInt16
    /// Where connections to it come in.
    let entrance: Entrance
    let descriptor: CInt

    /// Takes a port of 127.0.0.1.
    ///
    /// - Parameter port: The port; 0 for any free one.
    /// - Throws: ``ListenError`` if another program has it, or it is not for everybody.
    public init(port: UInt16) throws(ListenError) {
        try self.init("127.0.0.1", .loopback, port: port)
    }

    /// Takes a port of an address of this machine.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - port: The port; 0 for any free one.
    /// - Throws: ``ListenError``.
    init(at address: OwnAddress, port: UInt16) throws(ListenError) {
        try self.init(address.text, .network(host: address.host), port: port)
    }

    private init(_ address: String, _ entrance: Entrance, port: UInt16) throws(ListenError) {
        func failure() -> ListenError { ListenError(address, port: port, number: errno) }
        guard let list = OwnAddress.resolved(address, port: port) else { throw failure() }
        defer { freeaddrinfo(list) }
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let descriptor = socket(list.pointee.ai_family, CInt(kind), 0)
        guard descriptor >= 0 else { throw failure() }
        // A port that a server of a minute ago used is free; one in use is not.
        var reuses: CInt = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &reuses, socklen_t(MemoryLayout<CInt>.size))
        var bound = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &bound) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, list.pointee.ai_addr, list.pointee.ai_addrlen) == 0
                    && Glibc.listen(descriptor, SOMAXCONN) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isListening else {
            let error = failure()
            Glibc.close(descriptor)
            throw error
        }
        // The port stands at the same place in an address of IPv6, of which the rest is cut off.
        self.init(
            descriptor: descriptor, port: UInt16(bigEndian: bound.sin_port), entrance: entrance)
    }

    init(descriptor: CInt, port: UInt16, entrance: Entrance = .loopback) {
        self.descriptor = descriptor
        self.port = port
        self.entrance = entrance
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
        /// It cannot be the address of one machine on a network.
        case noAddress
        /// This machine does not have the address, or not yet.
        case notOurs
        /// Anything else.
        case other
    }

    /// Why not.
    public let code: Code
    /// The port that was asked for.
    public let port: UInt16
    /// The address that was asked for.
    public let address: String
    /// The system's own words; for an address that is not ours, which ones are.
    public let reason: String

    init(passedPort: UInt16) {
        self.init(.notLoopback, "127.0.0.1", passedPort, "")
    }

    /// An address that nobody can be reached at here.
    ///
    /// - Parameters:
    ///   - code: Whether it can be one at all.
    ///   - address: What somebody has typed.
    ///   - own: The addresses of this machine, with the names of their networks.
    init(_ code: Code, _ address: String, own: [String]) {
        self.init(
            code, address, 0,
            own.isEmpty
                ? "`ip address` shows them, and none is known just now"
                : "it takes \(own.joined(separator: " or "))")
    }

    init(_ address: String, port: UInt16, number: Int32) {
        let code: Code? =
            switch number {
            case EADDRINUSE: .inUse
            case EACCES, EPERM: .denied
            case EADDRNOTAVAIL: nil
            default: .other
            }
        guard let code else {
            self.init(.notOurs, address, own: OwnAddress.names)
            return
        }
        self.init(code, address, port, String(cString: strerror(number)))
    }

    private init(_ code: Code, _ address: String, _ port: UInt16, _ reason: String) {
        (self.code, self.address, self.port) = (code, address, port)
        self.reason = reason
    }

    /// What happened and what to do.
    public var description: String {
        switch code {
        case .inUse:
            "Another program is listening on port \(port) of \(address); choose another, or 0 for "
                + "any."
        case .denied: "Port \(port) is reserved for root; choose one from 1024 up, or 0 for any."
        case .notLoopback:
            "The service manager passes on something else than one port of 127.0.0.1; name one in "
                + "the socket's unit, such as `ListenStream=127.0.0.1:8367`."
        case .noAddress, .notOurs:
            "\(printable(address)) is not one address of this machine on a network. Name one with "
                + "--listen: \(reason)."
        case .other: "Cannot listen on port \(port) of \(address): \(reason)."
        }
    }
}
