internal import Glibc

/// The journal that takes what a service says: systemd's, by its native protocol, so that a message
/// has a priority and fields by which it is found.
public struct ServiceJournal: Sendable {
    /// How much a message matters (syslog(3)).
    public enum Priority: Int, Sendable {
        /// The command ends.
        case error = 3
        /// Something is in the way of a recording.
        case warning = 4
        /// What a command says besides its answer.
        case notice = 5
        /// What happens.
        case information = 6
    }

    private let socket: DatagramSocket

    /// Finds it; nil unless that is where a stream goes, as the service manager says in
    /// `JOURNAL_STREAM` (systemd.exec(5)).
    ///
    /// - Parameters:
    ///   - descriptor: The stream.
    ///   - name: The journal's socket.
    ///   - variable: Gives a variable of the environment.
    public init?(
        of descriptor: Int32, at name: String = "/run/systemd/journal/socket",
        _ variable: (String) -> String?
    ) {
        var status = stat()
        guard let stream = variable("JOURNAL_STREAM"), unsafe fstat(descriptor, &status) == 0,
            stream == "\(status.st_dev):\(status.st_ino)", let socket = DatagramSocket(name)
        else { return nil }
        self.socket = socket
    }

    /// Puts a message in; nobody waits for the journal.
    ///
    /// - Parameters:
    ///   - message: One line or more.
    ///   - priority: How much it matters.
    ///   - fields: What it is about, by names in capital letters.
    /// - Returns: Whether it was taken.
    public func put(
        _ message: String, _ priority: Priority, _ fields: [String: String] = [:]
    ) -> Bool {
        var all = fields
        all["MESSAGE"] = message
        all["PRIORITY"] = "\(priority.rawValue)"
        all["SYSLOG_IDENTIFIER"] = "pulselog"
        // In this form any text is one value: its length comes before it, in eight bytes.
        return socket.send(
            all.flatMap { name, value in
                let length = UInt64(value.utf8.count)
                let lengthBytes = stride(from: 0, to: 64, by: 8).map {
                    UInt8(truncatingIfNeeded: length >> $0)
                }
                return Array("\(name)\n".utf8) + lengthBytes + Array("\(value)\n".utf8)
            })
    }
}
