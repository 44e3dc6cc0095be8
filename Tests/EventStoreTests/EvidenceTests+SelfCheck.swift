import EventStore
import EventStoreLMDB
import Foundation
import LMDB
import TamperEvidence
import TestSupport
import Testing

/// What a log finds of itself when it is sealed.
extension EvidenceTests {
    @Test("compares a share at a time, all of it after some, and then begins anew")
    func shares() async throws {
        let log = try open()
        for round in 0..<4 {
            let numbers = round * 9_500..<(round + 1) * 9_500
            let author = String(repeating: "x", count: 120)
            _ = try await log.append(notes(numbers, author: author), expecting: nil)
        }
        try log.checkShare(in: folder, atMilliseconds: 1)
        #expect(log.lastSelfCheck(in: folder) == nil, "Nothing is sealed yet.")
        let size = try await seal(log).size
        var verified: [UInt64] = []
        for time in 1...4 {
            try log.checkShare(in: folder, atMilliseconds: Int64(time))
            let check = try #require(log.lastSelfCheck(in: folder))
            #expect(check.atMilliseconds == Int64(time) && check.sealedBlocks == size)
            #expect(check.damagePosition == nil)
            verified.append(check.verifiedBlocks)
            // 2 MB are less than half of it.
            #expect(check.next == 0 || check.verifiedBlocks < size)
        }
        let end = try #require(verified.firstIndex(of: size))
        #expect(end > 0 && verified[...end] == verified[...end].sorted()[...])
        #expect(end == 3 || verified[end + 1] == verified[0])
    }

    @Test("is told with the last checkpoint and with what it does not vouch for, also of bad logs")
    func figures() async throws {
        let log = try open()
        _ = try await log.append(heartbeats(0..<200), expecting: nil)
        let end = try log.next
        #expect(log.figures(in: folder).signedEvents == 0)
        _ = try await seal(log)
        try log.checkShare(in: folder, atMilliseconds: 1)
        _ = try await log.append(heartbeats(200..<240), expecting: nil)
        let figures = log.figures(in: folder)
        #expect(figures.signedEvents == end)
        let kept = Double(figures.checkpointAtMilliseconds ?? 0) / 1_000
        let age = Date.now.timeIntervalSince1970 - kept
        #expect((-1..<600).contains(age))
        #expect(figures.selfCheck?.atMilliseconds == 1)
        log.close()
        let (key, block) = try #require(try blocks().last)
        try write(altered(block), at: key, in: "log")
        let bad = try open()
        let known = bad.figures(in: folder)
        #expect(known.selfCheck?.atMilliseconds == 1 && known.checkpointAtMilliseconds != nil)
    }

    @Test("damage that is met is kept until it is gone, and a copy's is its own")
    func knownDamage() async throws {
        _ = try await makeStore()
        let (key, block) = try blocks()[1]
        try write(withGoodChecksum(altered(block)), at: key, in: "log")
        let position = try #require(RecordKey(key.span)?.number)
        var log = try open()
        for time: Int64 in 1...2 {
            let error = #expect(throws: CheckpointError.self) {
                try log.checkShare(in: folder, atMilliseconds: time)
            }
            guard case .log(let damage) = error?.code else {
                throw ProgramError("\(String(describing: error))")
            }
            #expect(damage.code == .damaged && damage.position == position)
            #expect(log.lastSelfCheck(in: folder)?.damagePosition == position)
        }
        log.close()
        try write(block, at: key, in: "log")
        log = try open()
        try log.checkShare(in: folder, atMilliseconds: 3)
        #expect(log.lastSelfCheck(in: folder)?.damagePosition == nil)
        let damage = EventLogError(.damaged, position: 7)
        folder.remember(damage, in: directory.path, atMilliseconds: 4)
        #expect(log.lastSelfCheck(in: folder)?.damagePosition == nil)
        folder.remember(damage, in: directory.store, atMilliseconds: 5)
        #expect(log.lastSelfCheck(in: folder)?.damagePosition == 7)
        folder.remember(try log.verify(), in: directory.store, atMilliseconds: 6)
        let check = try #require(log.lastSelfCheck(in: folder))
        #expect(check.damagePosition == nil && check.verifiedBlocks == check.sealedBlocks)
    }
}
