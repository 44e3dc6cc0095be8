internal import Glibc

/// Where another process takes messages: a datagram socket of the system, by its name (unix(7)).
struct DatagramSocket: Hashable, Sendable {
    private let name: [UInt8]

    /// Names one; nil if nothing can have the name.
    ///
    /// - Parameter name: A path, or `@` and a name that is in no file system.
    init?(_ name: String) {
        guard name.hasPrefix("/") || name.hasPrefix("@"),
            name.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        else { return nil }
        // A name in no file system begins with zero.
        self.name = name.hasPrefix("@") ? [0] + name.utf8.dropFirst() : Array(name.utf8)
    }

    /// Sends a message; whoever does not take it at once isn't waited for.
    ///
    /// - Returns: Whether it was taken.
    func send(_ message: [UInt8]) -> Bool {
        let descriptor = socket(
            AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let size = MemoryLayout.offset(of: \sockaddr_un.sun_path).map { $0 + name.count } ?? 0
        let sent = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe sendto(descriptor, message, message.count, 0, $0, socklen_t(size))
            }
        }
        return sent == message.count
    }
}
