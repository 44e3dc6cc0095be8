import Events
import Interchange
import Projections
import TestSelection
import TestSupport
import Testing

@Suite("A FIT file that is made to harm")
struct FITHostileTests {
    /// The messages that are read, and the fields that mean something in any of them.
    private static let messages: [UInt8] = [18, 19, 20, 20, 20, 20, 21, 34, 78, 132, 162]
    private static let fields: [UInt8] = [
        0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 19, 24, 25, 31, 73, 78, 253, 253, 253,
    ]
    private static let types: [(code: UInt8, size: Int)] = [
        (0x00, 1), (0x01, 1), (0x02, 1), (0x83, 2), (0x84, 2), (0x85, 4), (0x86, 4), (0x8E, 8),
        (0x8F, 8), (0x0D, 3), (0x0D, 1),
    ]

    private static func value(_ size: Int, _ field: UInt8, _ random: inout SeededGenerator)
        -> [UInt8]
    {
        var number: UInt64
        switch random.below(6) {
        case 0: number = 0
        case 1: number = .max - random.below(3)
        case 2: number = 1 << random.below(64)
        case 3: number = random.below(.max)
        default:
            number = UInt64(FITCodecTests.second) + random.below(field == 253 ? 1_000 : 100_000)
            if random.chance(10) { number += random.below(100_000_000) }
        }
        return (0..<size).map { _ in
            defer { number >>= 8 }
            return UInt8(truncatingIfNeeded: number)
        }
    }

    @Test("never stops the reader, whatever its numbers are", arguments: sample(0..<400, 60))
    func numbers(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        for _ in 0..<300 {
            let number = Self.messages[Int(random.below(UInt64(Self.messages.count)))]
            var places: [(field: UInt8, type: UInt8, bytes: [UInt8])] = []
            for _ in 0...random.below(7) {
                let field = Self.fields[Int(random.below(UInt64(Self.fields.count)))]
                let (code, size) =
                    field == 253 || random.chance(40)
                    ? (0x86, 4) : Self.types[Int(random.below(UInt64(Self.types.count)))]
                places.append((field, code, Self.value(size, field, &random)))
            }
            bytes += [0x40, 0, 0, number, 0, UInt8(places.count)]
            for place in places { bytes += [place.field, UInt8(place.bytes.count), place.type] }
            bytes.append(0)
            for place in places { bytes += place.bytes }
        }
        let file = FITCodecTests.file(bytes)
        for times in [StatedTimes(), StatedTimes(beganAtMilliseconds: nineOClock)] {
            let (facts, _) = readWalks(.fit, file + file, times)
            #expect(facts.walks().allSatisfy { $0.report.state == .ended })
        }
    }

    @Test("counts up and down to the end of all numbers")
    func counts() {
        let bytes = FITMaker { file in
            for second in 0..<5_000 {
                file.record(
                    Int64(second), [(5, .word(second % 2 == 0 ? 0xFFFF_FFFE : 1)), (3, .byte(99))])
            }
            file.sum(0, elapsed: 5_000, metres: 42_000_000)
        }.bytes
        let (facts, damage) = readWalks(.fit, bytes)
        #expect(damage == nil && facts.walks().count == 1)
    }
}
