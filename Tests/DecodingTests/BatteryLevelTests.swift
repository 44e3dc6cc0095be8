import Decoding
import TestSupport
import Testing

@Suite("BatteryLevel")
struct BatteryLevelTests {
    @Test("decodes 0 to 100 percent and rejects every number above")
    func everyNumber() {
        let error = MalformedMeasurement(code: .outOfRange, field: .batteryLevel, offset: 0)
        for number in UInt8.min...UInt8.max {
            switch outcome(BatteryLevel.self, [number]) {
            case .success(let level):
                #expect(number <= 100)
                #expect(level.percent == number)
                #expect(level.trailingByteCount == 0)
            case .failure(let thrown):
                #expect(number > 100)
                #expect(thrown == error)
            }
        }
    }

    @Test("counts the bytes after the level")
    func countsTrailingBytes() throws {
        let level = try BatteryLevel(decoding: bytes("64 ff").span)
        #expect(level.percent == 100)
        #expect(level.trailingByteCount == 1)
    }

    @Test("rejects an empty value")
    func rejectsEmpty() {
        let error = MalformedMeasurement(code: .truncated, field: .batteryLevel, offset: 0)
        #expect(outcome(BatteryLevel.self, []) == .failure(error))
    }
}
