import Foundation

/// What came back.
struct Reply: Sendable {
    let text: String

    var status: Int { Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0 }
    var body: String {
        text.range(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? ""
    }

    func has(_ line: String) -> Bool { text.contains("\(line)\r\n") }
}

/// The other end: blocking sockets, each on a thread of its own, so that the server never lacks
/// one.
enum Peer {
    struct Failure: Error {
        let call: String
        let number: Int32
    }

    /// Sends bytes and reads until the server ends the connection.
    static func send(
        _ bytes: [UInt8], to port: UInt16, thenCloses: Bool = false
    ) async throws -> Reply {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try exchange(bytes, port, thenCloses: thenCloses) })
            }
        }
    }

    private static func exchange(
        _ bytes: [UInt8], _ port: UInt16, thenCloses: Bool
    ) throws -> Reply {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", number: errno) }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard connected == 0 else { throw Failure(call: "connect", number: errno) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(64 * 1_024))
            let count = Glibc.send(descriptor, part, part.count, Int32(MSG_NOSIGNAL))
            // A server that has heard enough may have hung up.
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        if thenCloses { shutdown(descriptor, Int32(SHUT_WR)) }
        var reply: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            reply += buffer[..<count]
        }
        return Reply(text: String(decoding: reply, as: UTF8.self))
    }
}
