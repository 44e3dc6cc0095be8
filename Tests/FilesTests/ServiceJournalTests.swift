import Foundation
import TestSupport
import Testing

@testable import Files

@Suite("The journal of a service", .timeLimit(.minutes(1)))
struct ServiceJournalTests {
    private let folder: TemporaryDirectory
    private let name: String

    init() throws {
        folder = try TemporaryDirectory()
        name = folder.path + "/journal"
    }

    /// What the service manager says of a stream that goes to its journal.
    private func stream(of descriptor: Int32) -> String {
        var status = stat()
        fstat(descriptor, &status)
        return "\(status.st_dev):\(status.st_ino)"
    }

    @Test("takes a message with its priority and its fields")
    func message() async throws {
        let socket = try NotifySocket(name)
        let file = try OpenFile("/dev/null", O_WRONLY)
        let stream = stream(of: file.descriptor)
        let journal = try #require(
            ServiceJournal(of: file.descriptor, at: name) { ["JOURNAL_STREAM": stream][$0] })
        #expect(journal.put("The disk is full.", .warning, ["PULSELOG_SESSION": "7"]))
        #expect(
            try await socket.receiveFields() == [
                "MESSAGE": "The disk is full.", "PRIORITY": "4", "SYSLOG_IDENTIFIER": "pulselog",
                "PULSELOG_SESSION": "7",
            ])
        // A stranger's text adds no field.
        let text = "Strap\nPRIORITY=0\r\nMESSAGE=\u{0}x\n"
        #expect(journal.put(text, .error))
        #expect(
            try await socket.receiveFields() == [
                "MESSAGE": text, "PRIORITY": "3", "SYSLOG_IDENTIFIER": "pulselog",
            ])
    }

    @Test("that does not listen has taken nothing, and holds nobody up")
    func silence() throws {
        let stream = stream(of: 1)
        let journal = try #require(
            ServiceJournal(of: 1, at: name) { ["JOURNAL_STREAM": stream][$0] })
        #expect(!journal.put("The disk is full.", .warning))
    }

    @Test(
        "is not where a stream goes that is another one",
        arguments: [nil, "", "1:1", "0:0", ":", "x"])
    func another(_ stream: String?) {
        #expect(ServiceJournal(of: 1, at: name) { ["JOURNAL_STREAM": stream][$0] ?? nil } == nil)
    }
}
