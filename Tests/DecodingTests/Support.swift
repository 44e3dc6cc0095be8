import Decoding
import TestSupport

/// What all measurements have in common, so that one test can speak of all of them.
protocol CharacteristicValue: Equatable {
    init(decoding value: Span<UInt8>) throws(MalformedMeasurement)

    var trailingByteCount: Int { get }
}

extension HeartRateMeasurement: CharacteristicValue {}
extension BodySensorLocation: CharacteristicValue {}
extension BatteryLevel: CharacteristicValue {}
extension ManufacturerName: CharacteristicValue {}
extension RunningSpeedCadenceMeasurement: CharacteristicValue {}
extension InfiniTimeStepCount: CharacteristicValue {}

/// Values with every flags byte, in every length to 30.
func randomValues(seed: UInt64, _ body: ([UInt8]) throws -> Void) rethrows {
    var generator = SeededGenerator(seed: seed)
    for flags in UInt8.min...UInt8.max {
        for length in 0...30 {
            let rest = (0..<30).map { _ in UInt8.random(in: 0...255, using: &generator) }
            try body(Array(([flags] + rest).prefix(length)))
        }
    }
}

/// The measurement or the error, as a value.
func outcome<Measurement: CharacteristicValue>(
    _ type: Measurement.Type, _ value: [UInt8]
) -> Result<Measurement, MalformedMeasurement> {
    do throws(MalformedMeasurement) {
        return .success(try Measurement(decoding: value.span))
    } catch {
        return .failure(error)
    }
}
