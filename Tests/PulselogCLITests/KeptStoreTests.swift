import Foundation
import TestSupport
import Testing

/// Stores that earlier versions have left, as the program uses them.
@Suite("Stores of earlier versions, used by this one")
struct KeptStoreTests {
    private static let names = ["before-checkpoints", "with-checkpoints"]

    private let bench = Workbench()

    @Test("fold to the walk that they hold, and to the digest of their events", arguments: names)
    func folding(name: String) async throws {
        let kept = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "EventStoreTests/Stores/\(name)")
        try FileManager.default.copyItem(at: kept, to: URL(filePath: bench.store))
        let replayed = try await bench.object("replay", "store")
        let session = try #require(try replayed.objects("sessions").first)
        #expect(try session.object("heartRate").integer("samples") == 60)
        #expect(try session.text("state") == "ended")
        let lines = try bench.file("events.jsonl", try await bench.output("export"))
        let again = try await bench.object("replay", lines)
        #expect(try again.text("digest") == replayed.text("digest"))
        // It goes on.
        try await bench.expect("record", "--simulate", "--for", "1s")
        try await bench.expect("log", "verify")
    }
}
