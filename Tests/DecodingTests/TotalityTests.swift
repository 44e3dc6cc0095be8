import Decoding
import TestSupport
import Testing

@Suite("Totality")
struct TotalityTests {
    static let seeds: [UInt64] = [1, 2, 3, 4]

    @Test("every byte string gives a measurement or an error inside it", arguments: seeds)
    func everyByteString(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            // Mostly the length of a notification, now and then longer than any attribute.
            let longest = [24, 24, 24, 600].randomElement(using: &generator)!
            let length = Int.random(in: 0...longest, using: &generator)
            let value = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let comment = Comment(rawValue: "seed \(seed), value \(hex(value))")
            expectAnswer(HeartRateMeasurement.self, value, comment)
            expectAnswer(BodySensorLocation.self, value, comment)
            expectAnswer(BatteryLevel.self, value, comment)
            expectAnswer(ManufacturerName.self, value, comment)
            expectAnswer(RunningSpeedCadenceMeasurement.self, value, comment)
            expectAnswer(InfiniTimeStepCount.self, value, comment)
        }
    }

    func expectAnswer<Measurement: CharacteristicValue>(
        _ type: Measurement.Type, _ value: [UInt8], _ comment: Comment
    ) {
        switch outcome(type, value) {
        case .success(let measurement):
            #expect((0...value.count).contains(measurement.trailingByteCount), comment)
        case .failure(let error):
            #expect((0...value.count).contains(error.offset), comment)
            #expect(error.code != .truncated || error.offset == value.count, comment)
        }
        #expect(outcome(type, value) == outcome(type, value), comment)
    }
}
