import EventStore
import EventStoreLMDB
import Events
import Foundation
import TamperEvidence
import TestSupport
import Testing

/// The rows of the tree: its leaves, in the present form and in that of earlier versions, and its
/// frontier.
extension EvidenceTests {
    typealias Row = (key: [UInt8], value: [UInt8])

    private func leaves() throws -> [Row] {
        try rows(of: "meta").filter { name(of: $0.key) == "leaf" }
    }

    /// Makes a store that names its leaves by their numbers, as earlier versions did.
    func makeFormerStore() async throws -> [Row] {
        _ = try await makeStore()
        let leaves = try leaves()
        try remove(leaves.map(\.key) + [Array("frontier".utf8)])
        for (key, value) in leaves {
            try write(Array(key.suffix(8) + value[8...]), at: Array(key[..<5] + value[..<8]))
        }
        try write([1, 0, 0, 0], at: Array("format".utf8))
        return try rows(of: "meta")
    }

    @Test("a store of an earlier version is read, verified, proven and sealed as it was")
    func former() async throws {
        let former = try await makeFormerStore()
        var proofs: [[SectionProof?]] = []
        for format: UInt8 in [1, 1, 2, 2] {
            let log = try open()
            proofs.append(try [0, 91, 182, 270].map { try log.proof(of: .heart, at: $0) })
            var opened: [Range<Position>] = []
            try log.forEachSealedBlock(from: 1, opening: { _ in true }) {
                opened.append($1)
                return opened.count < 2
            }
            #expect(opened == [91..<181, 181..<271])
            #expect(try log.contents(from: 200).first?.header.position == 200)
            #expect(try log.verify(comparingWith: folder).damage == nil)
            log.close()
            #expect(try rows(of: "meta").contains { $0.value == [format, 0, 0, 0] })
            let next = try open()
            _ = try await next.append(heartbeats(400..<410), expecting: nil)
            #expect(try next.verify(comparingWith: folder).damage == nil)
            if proofs.count > 1 { try await seal(next) }
            next.close()
        }
        #expect(proofs[0] == proofs[1] && !proofs[0].contains(nil))
        let swapped = former.map { Array($0.key.suffix(8) + $0.value.dropFirst(8)) }
        #expect(try leaves().prefix(3).allSatisfy { swapped.contains($0.value) })
    }

    @Test("leaves in disorder, of enormous numbers and standing twice are damage where they stand")
    func disorder() async throws {
        _ = try await makeStore()
        let leaves = try leaves()
        let enormous = [UInt8](repeating: 0xFF, count: 7) + [0xFE]
        let beyond = Array(leaves[2].key.dropLast(8) + enormous)
        func number(_ number: [UInt8], _ row: Row) -> [UInt8] {
            row.value.prefix(8 - number.count) + number + row.value[8...]
        }
        let between = Array(leaves[1].key.dropLast()) + [120]
        let disorders: [(Position?, [Row])] = [
            (0, [(leaves[0].key, leaves[1].value), (leaves[1].key, leaves[0].value)]),
            (91, [(leaves[1].key, leaves[2].value), (leaves[2].key, leaves[1].value)]),
            (91, [(leaves[1].key, leaves[0].value)]),
            (91, [(leaves[1].key, number([0], leaves[1]))]),
            (181, [(leaves[2].key, number([3], leaves[2]))]), (181, [(between, leaves[1].value)]),
            (181, [(between, number([2], leaves[1]))]),
            (181, [(leaves[2].key, number(enormous, leaves[2]))]),
            (nil, [(beyond, leaves[2].value)]), (nil, [(beyond, number(enormous, leaves[2]))]),
        ]
        for (index, (position, changed)) in disorders.enumerated() {
            for row in changed { try write(row.value, at: row.key) }
            let damage = try #require(try verify().damage, "\(index)")
            #expect(damage.position == position, "\(index)")
            if index > 6 {
                let log = try open()
                await #expect(throws: (any Error).self) { try await seal(log) }
                log.close()
            }
            try remove(changed.map(\.key))
            for row in leaves { try write(row.value, at: row.key) }
        }
        #expect(try verify().damage == nil)
    }

    @Test("a frontier that is not the last checkpoint's is found, and trusted by nobody")
    func frontiers() async throws {
        let key = Array("frontier".utf8)
        var log = try open()
        try await seal(log, after: heartbeats(0..<90))
        log.close()
        let old = try #require(try rows(of: "meta").first { $0.key == key }?.value)
        let own = try #require(try await makeStore().first { $0.key == key }?.value)
        var larger = own
        larger[7] = 8  // As many subtrees have the same root.
        for value in [old, larger, own.dropLast(), [], own + own.suffix(32)] {
            try write(value, at: key)
            let found = try verify()
            #expect(found.damage?.detail.contains("frontier") == true && found.areEventsGood)
            log = try open()
            #expect(throws: EventLogError.self) { try log.checkEnd() }
            log.close()
        }
        log = try open()
        try await seal(log)
        try log.checkEnd()
        #expect(try log.verify(comparingWith: folder).damage == nil, "Made again of the leaves.")
    }
}
