import Decoding
import Testing

@Suite("MalformedMeasurement")
struct MalformedMeasurementTests {
    @Test("keeps the words that programs match")
    func keepsWords() {
        #expect(
            MalformedMeasurement.Code.allCases.map(\.rawValue) == [
                "truncated", "outOfRange", "invalidUTF8", "tooLong",
            ])
        #expect(
            MalformedMeasurement.Field.allCases.map(\.rawValue) == [
                "flags", "heartRate", "energyExpended", "bodySensorLocation", "batteryLevel",
                "manufacturerName", "speed", "cadence", "strideLength", "totalDistance",
                "stepCount",
            ])
        #expect(
            HeartRateMeasurement.Contact.allCases.map(\.rawValue) == [
                "unsupported", "notDetected", "detected",
            ])
    }

    @Test(
        "says in one line which field, which byte and what to do",
        arguments: MalformedMeasurement.Code.allCases)
    func describesItself(_ code: MalformedMeasurement.Code) {
        for field in MalformedMeasurement.Field.allCases {
            let text = "\(MalformedMeasurement(code: code, field: field, offset: 731))"
            #expect(text.contains("field \(field.rawValue)"))
            #expect(text.contains("byte 731"))
            #expect(text.contains(";"))
            #expect(!text.contains("\n"))
        }
    }
}
