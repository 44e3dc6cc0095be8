import Events
import TamperEvidence
import TestSupport
import Testing

@Suite("A sealed block that is passed on")
struct OpenedBlockTests {
    private let salts = SectionSalts(secret: [UInt8](repeating: 9, count: 32))

    /// A block with events of four lanes.
    private func block() throws -> [UInt8] {
        let strap = DeviceID(address: 7, space: .random)
        var batch = EventBatch()
        let events: [Event] = [
            .originBegan(OriginBegan(cause: .created)), .linkUp(LinkUp(device: strap, attempt: 1)),
            .characteristicNotified(CharacteristicNotified(device: strap, value: [0, 72])),
            .pedometerRead(PedometerRead(device: strap, reading: .counter(4_000))),
            .characteristicNotified(CharacteristicNotified(device: strap, value: [0, 73])),
        ]
        for (second, event) in events.enumerated() {
            let stamp = Stamp(boot: UInt64(second) * 1_000, wall: 1_767_254_400_000)
            try batch.append(event, stamp: stamp, flags: [])
        }
        var builder = BlockBuilder()
        #expect(builder.append(batch, from: 0) == events.count)
        return builder.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }

    @Test("has the leaf of the block, whatever is withheld, and is the block if nothing is")
    func leaves() throws {
        let block = try block()
        let leaf = try LeafData(of: block.span, ordinal: 3, salts: salts).hash
        for withheld: [EventKind] in [[], [.characteristicNotified], [.linkUp, .pedometerRead]] {
            let opened = try OpenedBlock(block, ordinal: 3, salts: salts) { kind in
                !withheld.contains(kind)
            }
            #expect(opened.leaf == leaf)
            #expect(opened.block == (withheld.isEmpty ? block : nil))
            #expect(OpenedBlock(encoded: opened.encoded) == opened)
        }
    }

    @Test("holds no byte of a lane that is withheld")
    func withheld() throws {
        let block = try block()
        let heart = try BlockReader.sections(of: block.span)[BlockReader.section(of: .heart)]
        let secret = Array(block[heart])
        let opened = try OpenedBlock(block, ordinal: 0, salts: salts) { kind in
            kind != .characteristicNotified
        }
        let bytes = opened.encoded
        #expect(!bytes.indices.contains { bytes[$0...].starts(with: secret) })
        let all = try OpenedBlock(block, ordinal: 0, salts: salts) { _ in true }.encoded
        #expect(all.indices.contains { all[$0...].starts(with: secret) })
    }

    @Test("is refused if it is cut off or goes on, and has another leaf if a byte is changed")
    func damage() throws {
        let opened = try OpenedBlock(try block(), ordinal: 0, salts: salts) { $0 != .linkUp }
        let bytes = opened.encoded
        for count in 0..<bytes.count {
            #expect(OpenedBlock(encoded: Array(bytes[..<count])) == nil)
        }
        #expect(OpenedBlock(encoded: bytes + [0]) == nil)
        // The ordinal, which is no part of a leaf, is held against the place in the tree.
        for index in 8..<bytes.count {
            var changed = bytes
            changed[index] ^= 1
            #expect(OpenedBlock(encoded: changed)?.leaf != opened.leaf)
        }
    }
}
