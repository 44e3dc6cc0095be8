import Foundation
import TestSelection
import TestSupport
import Testing

@Suite("Store on a medium that cannot be written")
struct ReadOnlyStoreTests {
    /// The first one also tells the time.
    static let readingCommands = [
        ["status"], ["sessions"], ["sessions", "show", "last"], ["steps"],
        ["steps", "--days", "3"],
        ["export"], ["log", "cat"], ["log", "tail"], ["log", "stats"], ["log", "verify"],
        ["log", "rebuild"], ["audit", "steps", "--day", "2026-03-01"], ["audit", "check"],
        ["audit", "explain", "--day", "2026-03-01"], ["replay", "store"], ["devices", "list"],
        ["profile", "show"],
    ]

    @Test(
        "is read and verified by every command that changes nothing",
        .enabled(if: SmallDisk.isPossible), arguments: sample([1, nil]))
    func readOnlyMedium(_ snapshotEvents: Int?) async throws {
        let bench = Workbench(snapshotEvents: snapshotEvents)
        try await bench.load("late-health-total")
        // It keeps a snapshot, also of so few events; what follows begins with it.
        _ = try await bench.output("log", "rebuild")
        var expected: [RunningProgram.End] = []
        for command in Self.readingCommands.dropFirst() {
            expected.append(try await bench.start(command).end)
        }
        let data = try Data(contentsOf: URL(filePath: bench.store + "/data.mdb"))
        // The same folder again, seen through a mount that does not let through a write.
        #expect(mount(bench.store, bench.store, "", UInt(MS_BIND), nil) == 0)
        defer { #expect(umount2(bench.store, Int32(MNT_DETACH)) == 0) }
        let flags = UInt(MS_BIND | MS_REMOUNT | MS_RDONLY)
        #expect(mount("", bench.store, "", flags, nil) == 0)
        for (command, before) in zip(Self.readingCommands.dropFirst(), expected) {
            let end = try await bench.start(command).end
            #expect(end.status == before.status, "\(command): \(end.messages)")
            #expect(end.output == before.output, "\(command)")
        }
        try await bench.expect("status")
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.store)
        #expect(!names.contains("snapshot.new"))
        try await bench.expect("mark", "here", status: 77)
        #expect(try Data(contentsOf: URL(filePath: bench.store + "/data.mdb")) == data)
    }
}
