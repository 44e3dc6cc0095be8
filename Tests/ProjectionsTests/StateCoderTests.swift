import Events
import Testing

@testable import Projections

@Suite("Parts of a state")
struct StateCoderTests {
    @Test("are read in the order of their keys, not in another", arguments: [false, true])
    func order(isInChunks: Bool) throws {
        let cases: [(days: [Int64], isInOrder: Bool)] = [
            ([1, 2], true), ([2, 1], false), ([1, 1], false),
        ]
        for (numbers, isInOrder) in cases {
            let days = try numbers.map { Day(try #require(CivilDate(daysSinceEpoch: $0)), at: 0) }
            let bytes =
                isInChunks
                ? StateCoder.bytes(of: [days.map { PartChunk([$0]) }], inChunks: true)
                : StateCoder.bytes(of: [days])
            var reader = StateCoder(bytes, inChunks: isInChunks)
            var parts = OrderedParts<Day>()
            if isInOrder {
                try reader(&parts)
                #expect(parts.all == days)
            } else {
                #expect(throws: DamagedState.self) { try reader(&parts) }
            }
        }
    }
}
