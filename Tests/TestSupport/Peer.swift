import Foundation

/// What an HTTP server answered.
package struct Reply: Sendable {
    /// All of the answer.
    package let text: String

    /// The status code; 0 if nothing was answered.
    package var status: Int { Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0 }
    /// What follows the head.
    package var body: String {
        text.range(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? ""
    }

    /// Whether the head has this line.
    package func has(_ line: String) -> Bool { text.contains("\(line)\r\n") }
}

/// An HTTP client: blocking sockets, each on a thread of its own, so that the server, which may
/// share this process, never lacks one.
package enum Peer {
    /// A call of the system that failed.
    package struct Failure: Error {
        /// The call's name.
        package let call: String
        /// Its `errno`.
        package let number: Int32
    }

    /// Sends bytes to a port of this machine and reads one answer, or until the server ends the
    /// connection.
    ///
    /// - Parameters:
    ///   - bytes: The request.
    ///   - port: The port.
    ///   - thenCloses: Whether the client says afterwards that it sends no more.
    /// - Returns: What was answered, be it nothing.
    /// - Throws: ``Failure`` if there is no connection.
    package static func send(
        _ bytes: [UInt8], to port: UInt16, thenCloses: Bool = false
    ) async throws -> Reply {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try exchange(bytes, port, thenCloses: thenCloses) })
            }
        }
    }

    /// A connection that stays open as long as this is held.
    package final class Connection: Sendable {
        fileprivate let descriptor: Int32

        /// Connects.
        ///
        /// - Parameter port: The port of this machine.
        /// - Throws: ``Failure`` if there is no connection.
        package init(to port: UInt16) throws {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { throw Failure(call: "socket", number: errno) }
            self.descriptor = descriptor
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let connected = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, size)
                }
            }
            guard connected == 0 else { throw Failure(call: "connect", number: errno) }
        }

        deinit { close(descriptor) }

        /// Waits for bytes, on a thread of its own.
        ///
        /// - Returns: What came; nothing at the end of the connection.
        package func receive() async -> [UInt8] {
            await received(from: descriptor, limit: 64 * 1_024)
        }

        /// Waits for an answer, on a thread of its own.
        ///
        /// - Returns: All of it, or what came before the end of the connection.
        package func reply() async -> Reply {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: self.readReply()) }
            }
        }

        fileprivate func readReply() -> Reply {
            var reply: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while !Peer.isWhole(reply) {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                reply += buffer[..<count]
            }
            return Reply(text: String(decoding: reply, as: UTF8.self))
        }

        /// Says that nothing more is sent.
        package func endInput() { shutdown(descriptor, Int32(SHUT_WR)) }

        /// Sends bytes.
        ///
        /// - Parameter bytes: The bytes; a server that has heard enough may miss the last of them.
        package func send(_ bytes: some Collection<UInt8>) {
            var rest = Array(bytes)[...]
            while !rest.isEmpty {
                let part = Array(rest.prefix(64 * 1_024))
                let count = Glibc.send(descriptor, part, part.count, Int32(MSG_NOSIGNAL))
                guard count > 0 else { break }
                rest = rest.dropFirst(count)
            }
        }
    }

    private static func exchange(
        _ bytes: [UInt8], _ port: UInt16, thenCloses: Bool
    ) throws -> Reply {
        let connection = try Connection(to: port)
        connection.send(bytes)
        if thenCloses { connection.endInput() }
        return connection.readReply()
    }

    /// Whether all has come of an answer after which the connection stays open.
    private static func isWhole(_ reply: [UInt8]) -> Bool {
        let blank = Array("\r\n\r\n".utf8)
        guard let end = reply.firstRange(of: blank)?.upperBound else { return false }
        let head = Reply(text: String(decoding: reply[..<end], as: UTF8.self))
        let length = head.text.firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.1) } ?? 0
        return !head.has("Connection: close") && head.status > 100 && reply.count - end >= length
    }
}

/// What comes next at a socket, waited for on a thread of its own; nothing at its end.
func received(from descriptor: Int32, limit: Int) async -> [UInt8] {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: limit)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            continuation.resume(returning: Array(buffer.prefix(max(0, count))))
        }
    }
}
