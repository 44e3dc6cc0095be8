import Foundation
import TestSupport
import Testing

/// The campaign of `Tools/Campaigns/PowerLoss`, in a sample.
@Suite("Power loss", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")))
struct PowerLossTests {
    @Test("loses nothing that was acknowledged, and leaves every store usable")
    func campaign() async throws {
        let end = try await run(["--count", "60", "--seed", "7"])
        #expect(end.status == 0, "\(end.text)\(end.messages)")
        #expect(end.text.contains("power cuts: 0 findings"))
    }

    @Test(
        "is noticed where a flush does nothing",
        arguments: [
            ("append", "fdatasync"), ("append", "O_DSYNC"), ("map", "fdatasync"),
            ("creation", "fsync"), ("key", "fsync"), ("backup", "fsync"), ("recover", "fsync"),
        ])
    func brokenFlush(_ kind: String, _ call: String) async throws {
        let end = try await run(["--count", "60", "--kind", kind, "--broken", call])
        #expect(end.status == 1, "\(end.text)\(end.messages)")
        #expect(!end.text.contains("power cuts: 0 findings"))
    }

    private func run(_ arguments: [String]) async throws -> RunningProgram.End {
        let bench = try Workbench(snapshotEvents: nil)
        return try await RunningProgram(
            RunningProgram.builtPrograms + "/PowerLoss", arguments,
            environment: bench.environment()
        ).end
    }
}
