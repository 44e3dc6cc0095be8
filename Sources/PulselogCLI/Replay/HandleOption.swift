internal import ArgumentParser
internal import Decoding
internal import Events

/// A handle whose characteristic is given by hand, such as `0x12=2a37`.
struct HandleOption: ExpressibleByArgument {
    let handle: UInt16
    let characteristic: CharacteristicCode

    init?(argument: String) {
        let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, let handle = Self.number(parts[0]),
            let characteristic = Self.characteristic(String(parts[1]))
        else { return nil }
        self.handle = handle
        self.characteristic = characteristic
    }

    private static func number(_ text: Substring) -> UInt16? {
        let lowercased = text.lowercased()
        return lowercased.hasPrefix("0x")
            ? UInt16(lowercased.dropFirst(2), radix: 16) : UInt16(text)
    }

    private static func characteristic(_ text: String) -> CharacteristicCode? {
        let uuid = text.lowercased().hasPrefix("0x") ? String(text.dropFirst(2)) : text
        return switch Characteristic(uuid: uuid) {
        case .heartRateMeasurement: .heartRateMeasurement
        case .bodySensorLocation: .bodySensorLocation
        case .batteryLevel: .batteryLevel
        case .manufacturerName: .manufacturerName
        case .runningSpeedCadenceMeasurement: .runningSpeedCadenceMeasurement
        case .infiniTimeStepCount: .infiniTimeStepCount
        case nil: nil
        }
    }
}
