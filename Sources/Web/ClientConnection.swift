internal import FlyingSocks
internal import Glibc

/// One connection of the server: bytes in, bytes out.
struct ClientConnection: Sendable {
    private let socket: AsyncSocket
    private let pool: any AsyncSocketPool

    /// Takes an accepted socket over.
    init(_ socket: AsyncSocket, pool: any AsyncSocketPool) {
        _ = fcntl(socket.socket.file.rawValue, F_SETFD, FD_CLOEXEC)
        self.socket = socket
        self.pool = pool
    }

    /// Waits for bytes, at most 4,096 of them.
    ///
    /// - Throws: `SocketError` at the end of what the peer sends, or if the connection broke.
    func read() async throws -> [UInt8] {
        try await socket.read(atMost: 4_096)
    }

    /// Writes all of the bytes.
    ///
    /// - Throws: `SocketError` if the peer is gone; that is no signal to the process.
    func write(_ bytes: [UInt8]) async throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = send(
                socket.socket.file.rawValue, rest, rest.count, Int32(MSG_NOSIGNAL))
            if count >= 0 {
                rest.removeFirst(count)
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                try await pool.suspendSocket(socket.socket, untilReadyFor: .write)
            } else if errno != EINTR {
                throw SocketError.makeFailed("Send")
            }
        }
    }

    /// Tells the peer that nothing more comes, and passes over what it still sends.
    ///
    /// To close a connection on which unread bytes wait resets it, and the peer might lose the
    /// answer (RFC 9112, 9.6).
    ///
    /// - Throws: `SocketError` if the connection broke.
    func finish(afterBytes limitBytes: Int) async throws {
        shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
        var passed = 0
        do {
            while passed < limitBytes { passed += try await read().count }
        } catch SocketError.disconnected {
            return  // The peer has sent all and closed its end: so an exchange ends.
        }
    }

    /// Ends the connection.
    func close() {
        Glibc.close(socket.socket.file.rawValue)
    }
}
