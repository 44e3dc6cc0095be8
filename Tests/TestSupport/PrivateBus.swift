package import DBus
import Foundation

/// A message bus of one's own: a dbus-daemon on which everybody may own every name.
package final class PrivateBus: Sendable {
    /// Where the bus is, as other programs are given it: `unix:path=…`.
    package let socketAddress: String
    private let directory: TemporaryDirectory
    private let daemon: Process

    /// Where the bus is.
    package var address: Bus.Address { .address(socketAddress) }

    /// Starts the daemon and waits until it listens.
    ///
    /// - Parameters:
    ///   - endsWithThread: Whether the kernel kills the daemon when the thread that starts it ends,
    ///     however it ends (`PR_SET_PDEATHSIG`). For the main thread: others come and go.
    ///   - mostPendingReplies: How many calls of one client may wait for their answers; the default
    ///     is that of a system bus.
    ///   - ended: Called when the daemon ends by itself.
    /// - Throws: ``ProgramError`` if the daemon does not start, or an error of the file system.
    package init(
        endsWithThread: Bool = false, mostPendingReplies: Int = 128,
        ended: (@Sendable () -> Void)? = nil
    ) throws {
        directory = try TemporaryDirectory()
        let configuration = URL(filePath: directory.path + "/bus.conf")
        try PrivateBus.configuration(socket: directory.path + "/bus", mostPendingReplies)
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
        let complaints = URL(filePath: directory.path + "/complaints")
        try Data().write(to: complaints)
        daemon.standardError = try FileHandle(forWritingTo: complaints)
        if let ended { daemon.terminationHandler = { _ in ended() } }
        try daemon.run()
        // The daemon prints its address once it listens.
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        socketAddress = line.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !socketAddress.isEmpty else {
            let words = try String(contentsOf: complaints, encoding: .utf8)
            throw ProgramError(
                "No private bus; are the packages dbus-daemon and util-linux there? \(words)")
        }
    }

    deinit {
        kill()
    }

    /// Kills the daemon, as a crash would; later calls do nothing.
    package func kill() {
        daemon.terminationHandler = nil
        guard daemon.isRunning else { return }
        Foundation.kill(daemon.processIdentifier, SIGKILL)
        // Not `waitUntilExit`: it waits for every process that inherited its socket, too.
        var status: Int32 = 0
        waitpid(daemon.processIdentifier, &status, 0)
    }

    /// Ends the daemon and removes its directory.
    ///
    /// - Throws: An error of the file system if the directory cannot be removed.
    package func close() throws {
        kill()
        try directory.remove()
    }

    private static func configuration(socket: String, _ mostPendingReplies: Int) -> String {
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
          <limit name="max_replies_per_connection">\(mostPendingReplies)</limit>
        </busconfig>

        """
    }
}
