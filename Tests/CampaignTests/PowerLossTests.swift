import Foundation
import TestSelection
import TestSupport
import Testing

/// The campaign of `Tools/Campaigns/PowerLoss`, in a sample.
@Suite("Power loss", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")))
struct PowerLossTests {
    @Test("loses nothing that was acknowledged, and leaves every store usable")
    func campaign() async throws {
        let sizes = everythingIsTested ? ["--count", "60"] : ["--count", "4", "--kind", "append"]
        let end = try await RunningProgram.campaign("PowerLoss", sizes + ["--seed", "7"])
        #expect(end.status == 0, "\(end.text)\(end.messages)")
        #expect(end.text.contains("power cuts: 0 findings"))
    }

    @Test(
        "is noticed where a flush does nothing", .slow,
        arguments: [
            ("append", "fdatasync"), ("append", "O_DSYNC"), ("map", "fdatasync"),
            ("creation", "fsync"), ("key", "fsync"), ("backup", "fsync"), ("recover", "fsync"),
        ])
    func brokenFlush(_ kind: String, _ call: String) async throws {
        let end = try await RunningProgram.campaign(
            "PowerLoss", ["--count", "60", "--kind", kind, "--broken", call])
        #expect(end.status == 1, "\(end.text)\(end.messages)")
        #expect(!end.text.contains("power cuts: 0 findings"))
    }
}
