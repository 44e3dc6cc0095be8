import Decoding
import Testing

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
