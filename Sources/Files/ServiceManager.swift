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
    private let socket: DatagramSocket

    /// Finds it; nil if there isn't one.
    ///
    /// - Parameter variable: Gives a variable of the environment.
    public init?(_ variable: (String) -> String?) {
        guard let socket = variable("NOTIFY_SOCKET").flatMap(DatagramSocket.init) else {
            return nil
        }
        self.socket = socket
        let isWatched = variable("WATCHDOG_PID").map { $0 == "\(getpid())" } ?? true
        let waits = isWatched ? variable("WATCHDOG_USEC").flatMap(UInt64.init) : nil
        interval = waits.flatMap { $0 > 1 ? .microseconds(Int64($0 / 2)) : nil }
    }

    /// Sends it a message; a manager that does not listen isn't waited for.
    public func tell(_ message: Message) {
        _ = socket.send(Array(message.rawValue.utf8))
    }
}
