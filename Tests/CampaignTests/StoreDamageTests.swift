import TestSelection
import TestSupport
import Testing

/// The campaign of `Tools/Campaigns/Damage`, in a sample.
@Suite("Store damage")
struct StoreDamageTests {
    @Test(
        "ends no process by a signal, and never gives another log without an error",
        arguments: everythingIsTested ? [[], ["--snapshots"]] : [[]])
    func campaign(_ options: [String]) async throws {
        let sizes =
            everythingIsTested
            ? ["--count", "100", "--commands", "2", "--every-command", "40"]
            : ["--count", "6", "--commands", "1", "--every-command", "1000"]
        let end = try await RunningProgram.campaign(
            "StoreDamage", sizes + ["--seed", "7"] + options)
        #expect(end.status == 0, "\(end.text)\(end.messages)")
    }
}
