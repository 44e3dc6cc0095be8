import DBus
import Foundation

/// A message bus of one test: a dbus-daemon in a temporary directory.
final class PrivateBus: Sendable {
    let address: Bus.Address
    private let directory: URL
    private let daemon: Process

    init() throws {
        directory = FileManager.default.temporaryDirectory
            .appending(path: "pulselog-bus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        daemon = Process()
        daemon.executableURL = URL(filePath: "/usr/bin/env")
        daemon.arguments = [
            "dbus-daemon", "--session", "--nofork", "--nosyslog", "--print-address=1",
            "--address=unix:path=\(directory.path)/bus",
        ]
        let output = Pipe()
        // It complains of a limit on file descriptors that it may not raise.
        daemon.standardError = FileHandle.nullDevice
        daemon.standardOutput = output
        try daemon.run()
        // The daemon prints its address once it listens.
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        address = .address(line.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    deinit {
        kill()
        do {
            try FileManager.default.removeItem(at: directory)
        } catch {
            print("left behind: \(directory.path): \(error)")
        }
    }

    /// Kills the daemon, as a crash would.
    func kill() {
        guard daemon.isRunning else { return }
        Foundation.kill(daemon.processIdentifier, SIGKILL)
        // Not `waitUntilExit`: it waits for every process that inherited its socket, too.
        var status: Int32 = 0
        waitpid(daemon.processIdentifier, &status, 0)
    }
}
