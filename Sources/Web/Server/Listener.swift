internal import Glibc
internal import NIOCore
internal import Text
package import Words

/// A port on which nobody is answered yet: of 127.0.0.1, where no other machine reaches it, or of
/// one address that this machine has on a network.
///
/// Whoever listens to the port already is not disturbed.
package struct Listener: Sendable {
    /// The port, also if any free one was asked for.
    package let port: UInt16
    /// Where connections to it come in.
    let entrance: Entrance
    let descriptor: CInt

    /// Takes a port of 127.0.0.1.
    ///
    /// - Parameter port: The port; 0 for any free one.
    /// - Throws: `CommandFailure` if another program has it, or it is not for everybody.
    package init(port: UInt16) throws(CommandFailure) {
        try self.init("127.0.0.1", .loopback, port: port)
    }

    /// Takes a port of an address of this machine.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - port: The port; 0 for any free one.
    /// - Throws: `CommandFailure`.
    init(at address: OwnAddress, port: UInt16) throws(CommandFailure) {
        try self.init(address.text, .network(host: address.host), port: port)
    }

    private init(
        _ address: String, _ entrance: Entrance, port: UInt16
    ) throws(CommandFailure) {
        func failure() -> CommandFailure {
            CommandFailure(ofListeningAt: address, port: port, number: errno)
        }
        guard let place = OwnAddress.numeric(address, port: port) else { throw failure() }
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let descriptor = socket(CInt(place.protocol.rawValue), CInt(kind), 0)
        guard descriptor >= 0 else { throw failure() }
        // A port that a server of a minute ago used is free; one in use is not.
        var reuses: CInt = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &reuses, socklen_t(MemoryLayout<CInt>.size))
        guard place.withSockAddr({ bind(descriptor, $0, socklen_t($1)) }) == 0,
            Glibc.listen(descriptor, SOMAXCONN) == 0, let bound = Self.name(of: descriptor)
        else {
            let error = failure()
            Glibc.close(descriptor)
            throw error
        }
        self.init(
            descriptor: descriptor, port: UInt16(bigEndian: bound.sin_port), entrance: entrance)
    }

    /// What a socket is bound to: getsockname(2).
    ///
    /// The port stands at the same place in an address of IPv6, of which the rest is cut off.
    static func name(of descriptor: CInt) -> sockaddr_in? {
        var name = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size) == 0
            }
        }
        return isKnown ? name : nil
    }

    init(descriptor: CInt, port: UInt16, entrance: Entrance = .loopback) {
        (self.descriptor, self.port, self.entrance) = (descriptor, port, entrance)
    }

    /// Where phones reach it; nil if none does.
    package var phoneAddress: String? {
        if case .network(let host) = entrance { "http://\(host):\(port)" } else { nil }
    }

    /// Lets as many connections wait to be accepted as the system allows.
    ///
    /// swift-nio lets 128 wait at a socket that it did not make, however it is told otherwise; of
    /// more that come at once, each would try again after a second.
    func lengthenQueue() {
        Glibc.listen(descriptor, SOMAXCONN)
    }

    /// Gives the port back.
    package func close() {
        Glibc.close(descriptor)
    }
}

extension CommandFailure {
    /// An address that nobody can be reached at here.
    ///
    /// - Parameters:
    ///   - code: Whether it can be one at all.
    ///   - address: What somebody has typed.
    init(_ code: Code, ofListeningAt address: String) {
        let own = OwnAddress.names
        let advice =
            own.isEmpty
            ? "`ip address` shows them, and none is known just now"
            : "it takes \(own.joined(separator: " or "))"
        self.init(
            code,
            "\(printable(address)) is not one address of this machine on a network. Name one with "
                + "--listen: \(advice).")
    }

    /// A port that cannot be listened to.
    fileprivate init(ofListeningAt address: String, port: UInt16, number: Int32) {
        let place = "port \(port) of \(address)"
        switch number {
        case EADDRINUSE:
            self.init(
                .unavailable,
                "Another program is listening on \(place); choose another, or 0 for any.")
        case EACCES, EPERM:
            self.init(
                .permission,
                "Port \(port) is reserved for root; choose one from 1024 up, or 0 for any.")
        case EADDRNOTAVAIL: self.init(.unavailable, ofListeningAt: address)
        default:
            self.init(
                .unavailable, "Cannot listen on \(place): \(String(cString: strerror(number))).")
        }
    }
}
