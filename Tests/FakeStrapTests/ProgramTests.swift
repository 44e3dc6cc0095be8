import DBus
import Foundation
import Testing

@testable import FakeStrap

@Suite("The program", .timeLimit(.minutes(5)))
struct ProgramTests {
    private static let device = "dev_C4_00_00_00_00_01"

    /// The program at work, on a bus of its own.
    private final class Program {
        /// The program beside the one that runs the tests.
        private static let file = URL(filePath: CommandLine.arguments[0])
            .deletingLastPathComponent().appending(path: "FakeStrap")

        let directory: URL
        let lines = Transcript()
        private let process = Process()
        private let input = Pipe()
        private let exited = Transcript()

        init(play: String, _ arguments: String...) throws {
            directory = FileManager.default.temporaryDirectory
                .appending(path: "fakestrap-test-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true)
            let scenario = directory.appending(path: "scenario.json")
            try """
            {"devices": [{"address": "C4:00:00:00:00:01", "services": ["hr", "battery"], "play": [
              \(play)]}]}
            """.write(to: scenario, atomically: false, encoding: .utf8)
            process.executableURL = Self.file
            process.arguments = ["--scenario", scenario.path] + arguments
            process.currentDirectoryURL = directory
            let output = Pipe()
            // No process that another test starts shall hold this end open.
            _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
            process.standardInput = input
            process.standardOutput = output
            output.fileHandleForReading.readabilityHandler = { [lines] handle in
                // The program writes a line at a time.
                let text = String(decoding: handle.availableData, as: UTF8.self)
                text.split(separator: "\n").forEach { lines.append(String($0)) }
            }
            process.terminationHandler = { [exited] in exited.append("\($0.terminationStatus)") }
            try process.run()
        }

        /// Where its bus is, once it plays.
        func address() async throws -> String {
            let ready = await lines.hear { $0.hasPrefix(#"{"ready":true,"#) }.last ?? ""
            return String(
                try #require(ready.split(separator: "\"").first { $0.hasPrefix("unix:") }))
        }

        func closeInput() throws {
            try input.fileHandleForWriting.close()
        }

        /// Waits for its end, and removes its files.
        func status() async throws -> String? {
            let status = await exited.hear { _ in true }.last
            try FileManager.default.removeItem(at: directory)
            return status
        }
    }

    @Test("plays on a bus of its own, writes what it sent, and ends with its input")
    func plays() async throws {
        let program = try Program(
            play: #"{"wait": "subscribed"}, {"notify": "2A37", "hex": ["003c", "003c"]}"#,
            "--sent", "sent.jsonl")
        let address = try await program.address()
        let client = try await Client(address)
        try await client.reach()
        try await client.subscribe()
        _ = await program.lines.hear { $0 == #"{"ended":true,"sent":2,"lost":0}"# }
        await client.hear("changed char000b Value=003c")

        try program.closeInput()
        let sent = program.directory.appending(path: "sent.jsonl")
        let text = try String(contentsOf: sent, encoding: .utf8)
        #expect(try await program.status() == "0")
        await #expect(throws: DBusError.self) { try await Bus(.address(address)) }
        let values = text.split(separator: "\n").map { $0.drop { $0 != "," } }
        let expected =
            #","device":"C4:00:00:00:00:01","characteristic":"2a37","value":"003c","#
            + #""delivered":true,"signals":1}"#
        #expect(values == [Substring(expected), Substring(expected)])
    }

    @Test("breaks the links after the play, if it is told to")
    func drops() async throws {
        let program = try Program(
            play: #"{"wait": "subscribed"}, {"hr": 60}"#, "--after", "drop")
        let client = try await Client(try await program.address())
        try await client.reach()
        try await client.subscribe()
        await client.hear("changed char000b Value=003c")
        await client.hear("changed \(Self.device) ServicesResolved=false Connected=false")
        try program.closeInput()
        #expect(try await program.status() == "0")
    }

    @Test("ends after the play, if it is told to", arguments: ["--after=exit", "--until-end"])
    func exits(_ option: String) async throws {
        let program = try Program(play: #"{"wait": "subscribed"}, {"hr": 60}"#, option)
        let client = try await Client(try await program.address())
        try await client.reach()
        try await client.subscribe()
        // The last value is there before the bus is gone.
        await client.hear("changed char000b Value=003c")
        #expect(try await program.status() == "0")
    }

    @Test("takes its time, if it is told to")
    func realistic() async throws {
        let program = try Program(play: #"{"wait": "subscribed"}, {"hr": 60}"#, "--realistic")
        let client = try await Client(try await program.address())
        try await client.call(Name.adapter, Name.adapter1, "StartDiscovery")
        await client.hear("added \(Self.device) Device1")
        try await client.call(Name.adapter, Name.adapter1, "StopDiscovery")
        let begin = Arrival.now().bootMilliseconds
        try await client.call(Name.strap, Name.device1, "Connect")
        let link = Arrival.now().bootMilliseconds
        await client.hear("changed \(Self.device) ServicesResolved=true")
        let resolved = Arrival.now().bootMilliseconds
        #expect(link - begin >= 499)
        #expect(resolved - begin >= 1_199)
        try program.closeInput()
        #expect(try await program.status() == "0")
    }
}
