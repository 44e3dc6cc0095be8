internal import Glibc

/// The service manager that started this process and wants to know how it is: sd_notify(3).
public struct ServiceManager: Sendable {
    /// What it is told.
    public enum Message: String, Sendable {
        /// What was asked for can be used.
        case ready = "READY=1"
        /// The process still does its work.
        case alive = "WATCHDOG=1"
        /// The process ends.
        case stopping = "STOPPING=1"
    }

    /// How often it is to be told that the process is alive, half of the time that it waits; nil
    /// if it does not watch.
    public let interval: Duration?
    private let name: [UInt8]

    /// Finds it; nil if there isn't one.
    ///
    /// - Parameter variable: Gives a variable of the environment.
    public init?(_ variable: (String) -> String?) {
        guard let path = variable("NOTIFY_SOCKET"), path.hasPrefix("/") || path.hasPrefix("@"),
            path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        else { return nil }
        // A name in no file system begins with zero.
        name = path.hasPrefix("@") ? [0] + path.utf8.dropFirst() : Array(path.utf8)
        let isWatched = variable("WATCHDOG_PID").map { $0 == "\(getpid())" } ?? true
        let waits = isWatched ? variable("WATCHDOG_USEC").flatMap(UInt64.init) : nil
        interval = waits.flatMap { $0 > 1 ? .microseconds(Int64($0 / 2)) : nil }
    }

    /// Sends it a message; a manager that does not listen isn't waited for.
    public func tell(_ message: Message) {
        let descriptor = socket(
            AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let size = MemoryLayout.offset(of: \sockaddr_un.sun_path).map { $0 + name.count } ?? 0
        let text = Array(message.rawValue.utf8)
        _ = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe sendto(descriptor, text, text.count, 0, $0, socklen_t(size))
            }
        }
    }
}
