import Foundation
import Synchronization

/// A TCP server on 127.0.0.1 that does with each connection what it is told, on a thread for each.
///
/// It ends with its last reference, and so do its connections.
package final class LoopbackServer: Sendable {
    /// Where it listens.
    package let port: UInt16
    private let descriptor: Int32
    private let connections: Mutex<[LoopbackConnection]>

    /// Listens from now on.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any free one.
    ///   - serve: Given each connection, on a thread of its own; it is closed when this returns.
    /// - Throws: ``ProgramError`` if the port cannot be had.
    package init(
        port: UInt16 = 0, serve: @escaping @Sendable (LoopbackConnection) -> Void
    ) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        connections = Mutex([])
        var yes: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        // The family, the port and the address lie there as in sockaddr_in.
        var address = sockaddr()
        address.sa_family = sa_family_t(AF_INET)
        func half(_ shift: UInt16) -> CChar { CChar(bitPattern: UInt8(port >> shift & 0xFF)) }
        address.sa_data = (half(8), half(0), 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)
        var size = socklen_t(MemoryLayout<sockaddr>.size)
        guard bind(descriptor, &address, size) == 0, listen(descriptor, 16) == 0,
            getsockname(descriptor, &address, &size) == 0
        else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            self.port = 0
            throw ProgramError("No port: \(reason)")
        }
        func byte(_ value: CChar) -> UInt16 { UInt16(UInt8(bitPattern: value)) }
        self.port = byte(address.sa_data.0) << 8 | byte(address.sa_data.1)
        let descriptor = descriptor
        Thread.detachNewThread { [weak self] in
            while true {
                let number = accept(descriptor, nil, nil)
                guard number >= 0 else { break }
                let connection = LoopbackConnection(number)
                guard let server = self else { break }
                server.connections.withLock { $0.append(connection) }
                Thread.detachNewThread {
                    serve(connection)
                    connection.end()
                }
            }
            close(descriptor)
        }
    }

    deinit {
        // The thread closes it.
        shutdown(descriptor, Int32(SHUT_RDWR))
        for connection in connections.withLock({ $0 }) { connection.end() }
    }
}

/// A connection of a ``LoopbackServer``.
package final class LoopbackConnection: Sendable {
    private let descriptor: Int32

    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        close(descriptor)
    }

    /// Sends a text, cut as the system likes.
    ///
    /// - Returns: Whether the other side still takes it.
    @discardableResult
    package func send(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let bytes = Array(rest.prefix(64 * 1_024))
            let count = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Waits for bytes.
    ///
    /// - Returns: The text that came; nil at the end of the connection.
    package func receive() -> String? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }

    /// Waits until the other side has ended it.
    package func waitForEnd() {
        while receive() != nil {}
    }

    fileprivate func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
