import Decoding
import TestSupport
import Testing

@Suite("BodySensorLocation")
struct BodySensorLocationTests {
    static let names = ["Other", "Chest", "Wrist", "Finger", "Hand", "Ear Lobe", "Foot"]

    @Test("keeps every number, names 0 to 6 and no other")
    func everyNumber() throws {
        for number in UInt8.min...UInt8.max {
            let location = try BodySensorLocation(decoding: [number].span)
            #expect(location.number == number)
            #expect(location.name == (number < 7 ? Self.names[Int(number)] : nil))
            #expect(location.trailingByteCount == 0)
        }
    }

    @Test("counts the bytes after the number")
    func countsTrailingBytes() throws {
        let location = try BodySensorLocation(decoding: bytes("01 0203").span)
        #expect(location.name == "Chest")
        #expect(location.trailingByteCount == 2)
    }

    @Test("rejects an empty value")
    func rejectsEmpty() {
        let error = MalformedMeasurement(code: .truncated, field: .bodySensorLocation, offset: 0)
        #expect(outcome(BodySensorLocation.self, []) == .failure(error))
    }
}
