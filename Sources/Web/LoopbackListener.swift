internal import FlyingSocks
internal import Glibc

/// A port of 127.0.0.1 on which nobody is answered yet.
///
/// No other machine reaches it. Whoever listens to the port already is not disturbed.
public struct LoopbackListener: Sendable {
    /// The port, also if any free one was asked for.
    public let port: UInt16
    let socket: Socket

    /// Takes a port.
    ///
    /// - Parameter port: The port; 0 for any free one.
    /// - Throws: ``ListenError`` if another program has it, or it is not for everybody.
    public init(port: UInt16) throws(ListenError) {
        do {
            let socket = try Socket(domain: AF_INET)
            do {
                _ = fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC)
                // A port that a server of a minute ago used is free; one in use is not.
                try socket.setValue(true, for: .localAddressReuse)
                try socket.bind(to: .inet(ip4: "127.0.0.1", port: port))
                try socket.listen()
                guard case .ip4(_, let actual) = try socket.sockname() else {
                    throw SocketError.unsupportedAddress
                }
                self.port = actual
                self.socket = socket
            } catch {
                Glibc.close(socket.file.rawValue)
                throw error
            }
        } catch SocketError.failed(_, let number, let message) {
            throw ListenError(port: port, number: number, reason: message)
        } catch {
            throw ListenError(port: port, number: 0, reason: "\(error)")
        }
    }

    /// Gives the port back.
    public func close() {
        Glibc.close(socket.file.rawValue)
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
        /// Anything else.
        case other
    }

    /// Why not.
    public let code: Code
    /// The port that was asked for.
    public let port: UInt16
    /// The system's own words.
    public let reason: String

    init(port: UInt16, number: Int32, reason: String) {
        self.port = port
        self.reason = reason
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
        case .other: "Cannot listen on port \(port) of 127.0.0.1: \(reason)."
        }
    }
}
