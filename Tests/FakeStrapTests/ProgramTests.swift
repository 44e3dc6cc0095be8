import DBus
import Foundation
import Testing

@testable import FakeStrap

@Suite("The program", .timeLimit(.minutes(1)))
struct ProgramTests {
    /// The program beside the one that runs the tests.
    private static let program = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: "FakeStrap")

    @Test("plays on a bus of its own, writes what it sent, and ends with its input")
    func plays() async throws {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "fakestrap-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let scenario = directory.appending(path: "scenario.json")
        try """
        {"devices": [{"address": "C4:00:00:00:00:01", "services": ["hr", "battery"], "play": [
          {"wait": "subscribed"}, {"notify": "2A37", "hex": ["003c", "003c"]}]}]}
        """.write(to: scenario, atomically: false, encoding: .utf8)
        let sent = directory.appending(path: "sent.jsonl")
        let process = Process()
        process.executableURL = Self.program
        process.arguments = ["--scenario", scenario.path, "--sent", sent.path]
        let input = Pipe()
        let output = Pipe()
        // No process that another test starts shall hold this end open.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        process.standardInput = input
        process.standardOutput = output
        let lines = Transcript()
        output.fileHandleForReading.readabilityHandler = { handle in
            // The program writes a line at a time.
            let text = String(decoding: handle.availableData, as: UTF8.self)
            text.split(separator: "\n").forEach { lines.append(String($0)) }
        }
        let exited = Transcript()
        process.terminationHandler = { exited.append("\($0.terminationStatus)") }
        try process.run()

        let ready = await lines.hear { $0.hasPrefix(#"{"ready":true,"#) }.last ?? ""
        let address = try #require(ready.split(separator: "\"").first { $0.hasPrefix("unix:") })
        let client = try await Client(String(address))
        try await client.reach()
        try await client.subscribe()
        _ = await lines.hear { $0 == #"{"ended":true,"sent":2,"lost":0}"# }
        await client.hear("changed char000b Value=003c")

        try input.fileHandleForWriting.close()
        #expect(await exited.hear { _ in true } == ["0"])
        await #expect(throws: DBusError.self) { try await Bus(.address(String(address))) }
        let text = try String(contentsOf: sent, encoding: .utf8)
        let values = text.split(separator: "\n").map { $0.drop { $0 != "," } }
        let expected =
            #","device":"C4:00:00:00:00:01","characteristic":"2a37","value":"003c","#
            + #""delivered":true,"signals":1}"#
        #expect(values == [Substring(expected), Substring(expected)])
        try FileManager.default.removeItem(at: directory)
    }
}
