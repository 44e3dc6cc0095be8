import Foundation

/// A dbus-daemon of our own, on which everybody may own every name; it ends with us.
final class PrivateBus: Sendable {
    /// Where it is, as in `unix:path=…`.
    let address: String
    private let directory: URL
    private let daemon: Process

    /// Starts the daemon and waits until it listens.
    ///
    /// - Parameters:
    ///   - endsWithThread: Whether the kernel is to kill the daemon when the thread that starts it
    ///     ends, however it ends (`PR_SET_PDEATHSIG`). For the main thread: others come and go.
    ///   - ended: Called when the daemon ends by itself.
    /// - Throws: ``ScenarioError`` if it does not start, or an error of the file system.
    init(endsWithThread: Bool, ended: @escaping @Sendable () -> Void = {}) throws {
        directory = FileManager.default.temporaryDirectory
            .appending(path: "fakestrap-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let configuration = directory.appending(path: "bus.conf")
        try PrivateBus.configuration(socket: directory.appending(path: "bus").path)
            .write(to: configuration, atomically: false, encoding: .utf8)
        daemon = Process()
        daemon.executableURL = URL(filePath: "/usr/bin/env")
        let bond = endsWithThread ? ["setpriv", "--pdeathsig", "KILL"] : []
        daemon.arguments =
            bond + [
                "dbus-daemon", "--nofork", "--nosyslog",
                "--print-address=1", "--config-file=\(configuration.path)",
            ]
        let output = Pipe()
        daemon.standardOutput = output
        // What it says is of interest only if it does not start.
        let complaints = directory.appending(path: "complaints")
        try Data().write(to: complaints)
        daemon.standardError = try FileHandle(forWritingTo: complaints)
        daemon.terminationHandler = { _ in ended() }
        try daemon.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        address = line.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !address.isEmpty else {
            let words = try String(contentsOf: complaints, encoding: .utf8)
            throw ScenarioError(
                "No private bus; are the packages dbus-daemon and util-linux there? \(words)")
        }
    }

    deinit {
        if daemon.isRunning { kill(daemon.processIdentifier, SIGKILL) }
    }

    /// Ends the daemon and removes its directory.
    ///
    /// - Throws: An error of the file system if the directory cannot be removed.
    func close() throws {
        // Not `waitUntilExit`, which may wait for other processes; SIGKILL leaves nothing to do.
        daemon.terminationHandler = nil
        if daemon.isRunning { kill(daemon.processIdentifier, SIGKILL) }
        try FileManager.default.removeItem(at: directory)
    }

    private static func configuration(socket: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <listen>unix:path=\(socket)</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow user="*"/>
            <allow own="*"/>
            <allow send_destination="*" eavesdrop="true"/>
            <allow receive_sender="*" eavesdrop="true"/>
          </policy>
        </busconfig>

        """
    }
}
