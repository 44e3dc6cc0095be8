import Foundation
import TestSelection
import TestSupport
import Testing

/// Descriptors 0, 1 and 2 are anybody's guess: a service manager or a script may have closed them.
@Suite("Closed descriptors")
struct ClosedDescriptorTests {
    let bench = Workbench()

    /// Every way to close some of the three, as a shell writes it.
    static let closings = (0..<8).map { bits in
        ["<&-", ">&-", "2>&-"].enumerated().filter { bits >> $0.offset & 1 == 1 }
            .map(\.element).joined(separator: " ")
    }

    static let readers = [
        ["status"], ["log", "verify"], ["log", "cat"], ["log", "stats"], ["log", "rebuild"],
        ["export"], ["audit", "check"], ["audit", "steps"], ["sessions"], ["steps"], ["--help"],
    ]

    private func run(_ arguments: [String], closing: String) async throws -> RunningProgram.End {
        try await bench.shell("exec \"$0\" \"$@\" \(closing)", arguments).end
    }

    @Test(
        "never receive what was meant for a closed stream",
        arguments: sample(closings.reversed()))
    func reading(_ closing: String) async throws {
        _ = try await bench.output("profile", "set", "height=180cm")
        _ = try await bench.output("health", "8123")
        let file = URL(filePath: bench.store + "/data.mdb")
        let before = try Data(contentsOf: file)
        for command in Self.readers {
            let end = try await run(command, closing: closing)
            #expect(end.status == Self.status(closing), "\(command) \(closing): \(end.messages)")
            #expect(try Data(contentsOf: file) == before, "\(command) \(closing)")
        }
    }

    /// What is to be said at a standard output that is closed is lost, which is an error.
    private static func status(_ closing: String) -> Int32 {
        closing.split(separator: " ").contains(">&-") ? 74 : 0
    }

    @Test("hinder no recording", arguments: sample(closings.reversed()))
    func recording(_ closing: String) async throws {
        let record = ["record", "--simulate", "--for", "1s"]
        let end = try await run(record, closing: closing)
        #expect(end.status == Self.status(closing), "\(closing): \(end.messages)")
        _ = try await bench.output("log", "verify")
        try await bench.expect("export", says: #""kind":"sessionEnded""#)
    }
}
