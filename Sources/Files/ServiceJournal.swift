internal import Glibc

/// The journal that takes what a service says: systemd's, by its native protocol, so that a message
/// has a priority and fields by which it is found.
public struct ServiceJournal: Sendable {
    /// How much a message matters (syslog(3)).
    public enum Priority: Int, Sendable {
        /// The command ends.
        case error = 3
        /// Something is in the way.
        case warning = 4
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
    ///   - message: A line.
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
        // A line that is not one would be taken for two fields.
        let lines = all.map { "\($0)=\($1.split(separator: "\n").joined(separator: " "))\n" }
        return socket.send(Array(lines.joined().utf8))
    }
}
