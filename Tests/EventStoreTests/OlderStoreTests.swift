import EventStore
import EventStoreLMDB
import Events
import Foundation
import TamperEvidence
import TestSupport
import Testing

/// A store as each version of the format has left it, in `Stores/`.
///
/// What is there never changes.
@Suite("Stores of earlier versions")
struct OlderStoreTests {
    /// A folder of `Stores/`, with how many events it holds and how many blocks are sealed.
    struct Kept: Sendable, CustomTestStringConvertible {
        let name: String
        let events: Position
        let sealedBlocks: UInt64
        var testDescription: String { name }

        func copy(to path: String) throws {
            let folder = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "Stores").appending(path: name)
            try FileManager.default.copyItem(at: folder, to: URL(filePath: path))
        }
    }

    static let kept = [
        Kept(name: "before-checkpoints", events: 141, sealedBlocks: 0),
        Kept(name: "with-checkpoints", events: 143, sealedBlocks: 1),
    ]

    @Test("are read whole, verified, and hold what they held", arguments: kept)
    func reading(_ kept: Kept) throws {
        let directory = try TemporaryDirectory()
        try kept.copy(to: directory.store)
        let log = try LMDBEventLog.open(directory: directory.store, mode: .readOnly)
        let found = try log.verify()
        #expect(found.damage == nil && found.next == kept.events)
        #expect(found.evidence.sealedBlocks == kept.sealedBlocks)
        #expect(try log.events(in: 0..<1).first?.header.kind == .originBegan)
        // The walk itself is the same in all of them.
        let beats = try log.events(in: 0..<141).count { $0.header.kind == .characteristicNotified }
        #expect(beats == 60)
    }

    @Test("are appended to; what was not sealed can be", arguments: kept)
    func appending(_ kept: Kept) async throws {
        let directory = try TemporaryDirectory()
        try kept.copy(to: directory.store)
        let log = try LMDBEventLog.open(directory: directory.store, mode: .existing)
        let before = try log.contents()
        let blocks = try log.blocks()
        let positions = try await log.append(notes(0..<3), expecting: kept.events)
        #expect(positions == kept.events..<kept.events + 3)
        #expect(try Array(log.contents().prefix(before.count)) == before)
        if kept.sealedBlocks > 0 { #expect(try log.blocks().first == blocks.first) }
        let folder = CheckpointFolder(directory.path + "/kept")
        if kept.sealedBlocks == 0 {
            let checkpoint = try await log.makeCheckpoint(in: folder) { count in
                [UInt8](repeating: 5, count: count)
            }
            #expect(checkpoint.size == 1)
        } else {
            // Its key is elsewhere.
            await #expect(throws: CheckpointError.self) {
                try await log.makeCheckpoint(in: folder) { [UInt8](repeating: 5, count: $0) }
            }
        }
        #expect(try log.verify(comparingWith: folder).damage == nil)
    }
}
