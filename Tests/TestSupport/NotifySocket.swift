import Foundation

/// A socket at which a service manager listens: sd_notify(3).
package final class NotifySocket: Sendable {
    private let descriptor: Int32

    /// Listens.
    ///
    /// - Parameter name: A path, or a name after an `@` that is in no file system.
    /// - Throws: ``Peer/Failure`` if it cannot be had.
    package init(_ name: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Peer.Failure(call: "socket", number: errno) }
        self.descriptor = descriptor
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = name.hasPrefix("@") ? [0] + name.utf8.dropFirst() : Array(name.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
        }
        guard isBound else { throw Peer.Failure(call: "bind", number: errno) }
    }

    deinit { close(descriptor) }

    /// Waits for a message to the journal: names, each with the length of its value and the value.
    ///
    /// - Returns: Values by name.
    /// - Throws: `JournalMessageError` if it is no such message.
    package func receiveFields() async throws -> [String: String] {
        var rest = await received(from: descriptor, limit: 4_096)[...]
        var fields: [String: String] = [:]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let name = String(decoding: rest[..<end], as: UTF8.self)
            let head = rest[(end + 1)...].prefix(8)
            let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
            let value = rest.dropFirst(name.utf8.count + 9).prefix(length)
            rest = rest.dropFirst(name.utf8.count + 9 + length)
            guard head.count == 8, value.count == length, rest.popFirst() == UInt8(ascii: "\n"),
                fields.updateValue(String(decoding: value, as: UTF8.self), forKey: name) == nil
            else { throw JournalMessageError() }
        }
        guard rest.isEmpty else { throw JournalMessageError() }
        return fields
    }

    /// Waits for a message.
    package func receive() async -> String {
        String(decoding: await received(from: descriptor, limit: 4_096), as: UTF8.self)
    }
}

/// What came is no message of the journal's native protocol.
package struct JournalMessageError: Error {}
