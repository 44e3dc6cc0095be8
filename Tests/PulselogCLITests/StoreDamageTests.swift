import TestSupport
import Testing

/// The campaign of `Tools/Campaigns/Damage`, in a sample.
@Suite("Store damage")
struct StoreDamageTests {
    @Test(
        "ends no process by a signal, and never gives another log without an error",
        arguments: [[], ["--snapshots"]])
    func campaign(_ options: [String]) async throws {
        let bench = try Workbench(snapshotEvents: nil)
        let end = try await RunningProgram(
            RunningProgram.builtPrograms + "/StoreDamage",
            [
                "--count", "100",
                "--commands", "2", "--every-command", "40", "--seed", "7",
            ] + options,
            environment: bench.environment()
        ).end
        #expect(end.status == 0, "\(end.text)\(end.messages)")
    }
}
