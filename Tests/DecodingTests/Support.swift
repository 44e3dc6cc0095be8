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

/// The bytes that a row of hexadecimal digits stands for; spaces may group them.
func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.filter { !$0.isWhitespace }
    var rest = digits[...]
    var bytes: [UInt8] = []
    while !rest.isEmpty {
        guard rest.count >= 2, let byte = UInt8(rest.prefix(2), radix: 16) else {
            preconditionFailure("\(hex) is not a row of hexadecimal digits")
        }
        bytes.append(byte)
        rest = rest.dropFirst(2)
    }
    return bytes
}

/// The row of hexadecimal digits that stands for the bytes, for failure texts.
func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// A generator whose whole sequence follows from its seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
