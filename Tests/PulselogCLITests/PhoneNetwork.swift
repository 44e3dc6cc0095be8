import Foundation
import TestSupport

/// A phone's network: a namespace of its own, at the other end of a cable to this machine.
final class PhoneNetwork: Sendable {
    /// Whether one can be made here.
    static let isPossible: Bool = {
        guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")
        else { return false }
        do {
            _ = try PhoneNetwork()
            return true
        } catch {
            return false
        }
    }()

    /// This machine's address there.
    let address: String
    private let name: String

    init() throws {
        let (high, low) = (Int.random(in: 0...255), 4 * Int.random(in: 0...63))
        name = "pl\(UInt32.random(in: 0 ... .max) % 10_000_000)"
        address = "10.231.\(high).\(low + 1)"
        let (near, far) = ("\(name)a", "\(name)b")
        let commands = [
            "netns add \(name)", "link add \(near) type veth peer name \(far) netns \(name)",
            "addr add \(address)/30 dev \(near)", "link set \(near) up",
            "-n \(name) addr add 10.231.\(high).\(low + 2)/30 dev \(far)",
            "-n \(name) link set \(far) up",
        ]
        for command in commands
        where !Self.run(["ip"] + command.arguments) {
            throw ProgramError("`ip \(command)` failed")
        }
    }

    deinit {
        // The cable goes with the namespace.
        _ = Self.run(["ip", "netns", "delete", name])
    }

    private static func run(_ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            return false
        }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Starts curl on the phone.
    func start(_ arguments: [String]) throws -> RunningProgram {
        try RunningProgram(
            "/usr/bin/env",
            ["ip", "netns", "exec", name, "curl", "--silent", "--max-time", "60"] + arguments,
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
    }

    /// Asks for something, and gives the status and what was answered.
    func ask(_ arguments: String...) async throws -> (status: Int, text: String) {
        let end = try await start(["--include"] + arguments).end
        let words = end.text.split(separator: " ", maxSplits: 2)
        return (words.count > 1 ? Int(words[1]) ?? 0 : 0, end.text)
    }
}
