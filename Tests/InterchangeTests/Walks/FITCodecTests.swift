import Events
import Interchange
import Projections
import TestSupport
import Testing

@Suite("A FIT file")
struct FITCodecTests {
    /// Puts a header before messages and checksums around them.
    static func file(_ messages: [UInt8], headerBytes: Int = 14) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(headerBytes), 0x20, 0, 8]
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: messages.count >> (8 * $0)) }
        bytes += ".FIT".utf8
        if headerBytes == 14 { bytes += checksum(bytes) }
        bytes += messages
        return bytes + checksum(bytes)
    }

    /// The table of the FIT protocol, four bits at a time: another way than the reader's.
    static func checksum(_ bytes: [UInt8]) -> [UInt8] {
        let table: [UInt16] = [
            0x0000, 0xCC01, 0xD801, 0x1400, 0xF001, 0x3C00, 0x2800, 0xE401, 0xA001, 0x6C00, 0x7800,
            0xB401, 0x5000, 0x9C01, 0x8801, 0x4400,
        ]
        var sum: UInt16 = 0
        for byte in bytes {
            for half in [byte & 15, byte >> 4] {
                sum = sum >> 4 ^ table[Int(sum & 15)] ^ table[Int(half)]
            }
        }
        return [UInt8(sum & 0xFF), UInt8(sum >> 8)]
    }

    /// 2026-03-01 09:00:00 UTC in FIT's seconds, and in milliseconds.
    static let second: UInt32 = 1_141_290_000
    static let wall: Int64 = 1_772_355_600_000

    static func little(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// Records with time, heart rate, position and heights, in both byte orders.
    static let definition: [UInt8] = [
        0x40, 0, 0, 20, 0, 5, 253, 4, 0x86, 3, 1, 2, 0, 4, 0x85, 1, 4, 0x85, 2, 2, 0x84,
    ]

    /// A record of them with a time and a heart rate, and no place.
    static func record(_ second: UInt32, _ bpm: UInt8) -> [UInt8] {
        [0] + little(second) + [bpm] + [255, 255, 255, 127, 255, 255, 255, 127, 255, 255]
    }

    @Test("gives the same values in either byte order, and values that mean none give none")
    func byteOrders() {
        let position: UInt32 = 0x2000_0000  // 45 degrees
        let little =
            Self.definition + [0] + Self.little(Self.second) + [81] + Self.little(position)
            + Self.little(0 &- position) + [0xD4, 0x0D]
        let big: [UInt8] =
            [0x41, 0, 1, 0, 20, 5, 253, 4, 0x86, 3, 1, 2, 0, 4, 0x85, 1, 4, 0x85, 2, 2, 0x84, 1]
            + Self.little(Self.second).reversed() + [81] + Self.little(position).reversed()
            + Self.little(0 &- position).reversed() + [0x0D, 0xD4]
        let fix = PositionFixed(north: 450_000_000, east: -450_000_000, height: 208_000)
        for messages in [little, big] {
            for header in [12, 14] {
                let (facts, damage) = readWalks(.fit, Self.file(messages, headerBytes: header))
                #expect(damage == nil)
                #expect(facts.facts.map(\.at) == [Self.wall, Self.wall])
                #expect(
                    Set(facts.facts.map(\.fact)) == [
                        .position(fix), .heartRate(81, rrTicks: []),
                    ])
            }
        }
        let none = Self.file(Self.definition + Self.record(Self.second, 255))
        #expect(readWalks(.fit, none).facts.facts.isEmpty)
    }

    @Test("gives what others write of records, each field in its own unit")
    func foreignRecords() {
        // Height in 1/5 m above -500 m, speed in mm/s, accuracy in m; distance in cm, and cycles.
        let positions: [UInt8] = [
            0x40, 0, 0, 20, 0, 6, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85, 78, 4, 0x86, 73, 4, 0x86,
            31, 1, 2, 0,
        ]
        let counts: [UInt8] = [0x40, 0, 0, 20, 0, 3, 253, 4, 0x86, 5, 4, 0x86, 19, 4, 0x86, 0]
        let time = Self.little(Self.second)
        let numbers = [0x2000_0000, 0xE000_0000, 3_541, 1_389].flatMap(Self.little)
        let fix = PositionFixed(
            north: 450_000_000, east: -450_000_000, height: 208_200, within: 4_000, speed: 1_389)
        let position = readWalks(.fit, Self.file(positions + time + numbers + [4])).facts
        #expect(position.facts.map(\.fact) == [.position(fix)])
        let walk = counts + time + [12_345, 60].flatMap(Self.little)
        // No session says that these cycles are no strides.
        let walked = readWalks(.fit, Self.file(walk)).facts
        #expect(walked.facts.map(\.fact) == [.walked(steps: 120, distanceMillimetres: 123_450)])
    }

    @Test("may count its time in five bits from the last")
    func compressedTime() {
        let messages =
            Self.definition + Self.record(Self.second | 30, 80)
            // The same second, two later, and two after that.
            + [0x41, 0, 0, 20, 0, 1, 3, 1, 2, 0xA0 | 30, 81, 0xA0, 82, 0xA2, 83]
        let (facts, damage) = readWalks(.fit, Self.file(messages))
        #expect(damage == nil)
        let first = Int64(Self.second | 30) * 1_000 + 631_065_600_000
        #expect(facts.facts.map { $0.at - first } == [0, 0, 2_000, 4_000])
    }

    @Test("gives intervals to the record before them, in 1/1024 s")
    func intervals() {
        let messages =
            Self.definition + Self.record(Self.second, 80)
            + [0x41, 0, 0, 78, 0, 1, 0, 6, 0x84, 1, 0xE8, 3, 0xF4, 1, 255, 255]
            + [1, 0, 0, 255, 255, 255, 255] + Self.record(Self.second + 1, 81)
        let (facts, _) = readWalks(.fit, Self.file(messages))
        #expect(
            facts.facts.map(\.fact) == [
                .heartRate(80, rrTicks: [1_024, 512, 0]), .heartRate(81, rrTicks: []),
            ])
    }

    @Test("counts messages and developer fields that it does not know")
    func unknown() {
        let messages: [UInt8] =
            [0x40, 0, 0, 0xDC, 5, 1, 0, 1, 0, 0, 7, 0, 8]
            + [0x61, 0, 0, 20, 0, 1, 253, 4, 0x86, 1, 9, 2, 3, 1] + Self.little(Self.second)
            + [1, 2]
        let (facts, damage) = readWalks(.fit, Self.file(messages))
        #expect(damage == nil)
        #expect(facts.leftOut.map(\.count) == [2, 1])
    }

    @Test("of monitoring gives the steps of each local day, on foot")
    func monitoring() {
        let local = Self.second + 3_600
        var messages: [UInt8] =
            [0x40, 0, 0, 0, 0, 1, 0, 1, 0, 0, 32]
            + [0x41, 0, 0, 103, 0, 2, 253, 4, 0x86, 0, 4, 0x86, 1] + Self.little(Self.second)
            + Self.little(local) + [0x42, 0, 0, 55, 0, 3, 26, 2, 0x84, 5, 1, 0, 3, 4, 0x86]
        func count(_ second: UInt32, _ activity: UInt8, _ cycles: UInt32) {
            messages += [2, UInt8(second & 0xFF), UInt8(second >> 8 & 0xFF), activity]
            messages += Self.little(cycles)
        }
        count(Self.second + 60, 6, 1_000)
        count(Self.second + 120, 1, 200)
        count(Self.second + 180, 2, 9_000)
        // 14 hours later the local day ends.
        count(Self.second + 14 * 3_600, 6, 1_500)
        count(Self.second + 14 * 3_600 + 60, 6, 40)
        let (facts, damage) = readWalks(.fit, Self.file(messages))
        #expect(damage == nil && facts.facts.isEmpty)
        #expect(facts.days.map(\.date.description) == ["2026-03-01", "2026-03-02"])
        #expect(facts.days.map(\.steps) == [1_700, 40])
        #expect(facts.days.first?.validUntilMilliseconds == Self.wall + 14 * 3_600_000)
    }

    @Test("of a bicycle has no steps, and of a run two for each stride", arguments: [2, 1, 11, 17])
    func strides(_ sport: UInt8) throws {
        let session: [UInt8] = [
            0x41, 0, 0, 18, 0, 5, 253, 4, 0x86, 2, 4, 0x86, 7, 4, 0x86, 5, 1, 0, 10, 4, 0x86, 1,
        ]
        let messages =
            Self.definition + Self.record(Self.second + 5, 80) + session
            + Self.little(Self.second + 60) + Self.little(Self.second) + Self.little(60_500)
            + [sport] + Self.little(50)
        let (facts, damage) = readWalks(.fit, Self.file(messages))
        #expect(damage == nil)
        let walk = try #require(facts.walks().first)
        #expect(walk.report.startedAtMilliseconds == Self.wall)
        #expect(walk.report.elapsedMilliseconds == 60_500)
        #expect(walk.report.steps == (sport == 2 ? 0 : 100))
    }

    @Test("that was never finished is read to its end", arguments: [12, 14])
    func unfinished(headerBytes: Int) {
        let messages = Self.definition + (0..<10).flatMap { Self.record(Self.second + $0, 81) }
        var file = Self.file(messages, headerBytes: headerBytes).dropLast(2)
        file.replaceSubrange(4..<8, with: [0, 0, 0, 0])
        if headerBytes == 14 { file.replaceSubrange(12..<14, with: [0, 0]) }
        let (facts, damage) = readWalks(.fit, Array(file))
        #expect(facts.heartRates == 10 && damage?.contains("never finished") == true)
    }

    @Test("that is a course or a workout is no walk")
    func course() {
        let messages =
            [0x41, 0, 0, 0, 0, 1, 0, 1, 0, 1, 6] + Self.definition
            + Self.record(Self.second, 80)
        let (facts, damage) = readWalks(.fit, Self.file(messages))
        #expect(damage == nil && facts.facts.isEmpty && facts.leftOut.map(\.count) == [1])
    }

    @Test("is recognized by its header, and what is none is damage in one sentence")
    func recognized() {
        let file = Self.file([])
        #expect(FITReader.recognizes(Array(file.prefix(12))))
        #expect(!FITReader.recognizes(Array(file.prefix(11))))
        #expect(!FITReader.recognizes(Array("<?xml version='1.0'?>".utf8)))
        #expect(readWalks(.fit, file).damage == nil)
        #expect(readWalks(.fit, file + file).damage == nil)
        let damaged: [[UInt8]] = [
            [], Array("hello".utf8), file.dropLast(), file + [0], file + Array("hello, walk!".utf8),
            Self.file([0x40, 0, 2, 0, 0, 0]), Self.file([3, 0]), Self.file([0x40, 0, 0, 20]),
            Array(file.dropLast(2)) + [1, 2],
        ].map(Array.init)
        for bytes in damaged {
            let damage = readWalks(.fit, bytes).damage
            #expect(damage?.hasSuffix(".") == true, "\(bytes)")
        }
    }
}
