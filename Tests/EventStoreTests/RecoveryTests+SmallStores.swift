import EventStoreLMDB
import Foundation
import TestSelection
import TestSupport
import Testing

/// How a small store came to be.
enum SmallStore: CaseIterable {
    /// A few events in one block, which lies in a leaf page.
    case oneBlock
    /// A block that is short for each seal, in leaf pages.
    case sealedShort
    /// As many of them as need branch pages, as do their leaves and checkpoints.
    case sealedMany
    /// Blocks of a page each, all but the last one sealed.
    case sealedLong

    /// How often events are appended, how many each time, and whether they are sealed then.
    fileprivate var rounds: (count: Int, events: Int) {
        switch self {
        case .oneBlock: (1, 5)
        case .sealedShort: (4, 3)
        case .sealedMany: (16, 3)
        case .sealedLong: (2, 120)
        }
    }
}

extension RecoveryTests {
    private func make(_ shape: SmallStore) async throws -> Whole {
        let log = try LMDBEventLog.open(directory: directory.store, mode: .create(origin))
        let folder = CheckpointFolder(directory.path + "/kept/log")
        let (count, events) = shape.rounds
        for round in 0..<count {
            let first = 1 + round * events
            let author = String(repeating: "walker ", count: 12)
            let batch = try notes(first..<first + events, author: author)
            _ = try await log.append(batch, expecting: nil)
            guard shape != .oneBlock else { continue }
            _ = try await log.makeCheckpoint(in: folder) { count in
                (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 89) }
            }
        }
        if shape == .sealedLong { _ = try await log.append(notes(0..<3), expecting: nil) }
        let whole = (try log.blocks(), try log.contents())
        log.close()
        return Whole(
            file: try Data(contentsOf: URL(filePath: directory.dataFile)), blocks: whole.0,
            events: whole.1)
    }

    @Test(
        "saves every block of a small store that a flipped bit has not hit",
        arguments: SmallStore.allCases, sample([1, 2] as [UInt64], 1))
    func flippedBits(_ shape: SmallStore, seed: UInt64) async throws {
        let whole = try await make(shape)
        // Most of a small file was never written.
        let written = whole.file.indices.filter { whole.file[$0] != 0 }
        var generator = SeededGenerator(seed: seed)
        var cutCount = 0
        for round in 0..<(everythingIsTested ? 80 : 32) {
            var file = whole.file
            let offset = try #require(
                round % 8 == 0
                    ? file.indices.randomElement(using: &generator)
                    : written.randomElement(using: &generator))
            let bit = UInt8.random(in: 0..<8, using: &generator)
            file[offset] ^= 1 << bit
            let words = "\(shape), seed \(seed): bit \(bit) of byte \(offset)"
            let recovered = try recover(file, of: whole, words)
            if recovered?.report.keptEvents != UInt64(whole.events.count) { cutCount += 1 }
        }
        #expect(cutCount > 0, "\(shape), seed \(seed)")
    }
}
