import BluetoothCentral
import DBus

/// Says yes when a wanted device wants to be paired: `org.bluez.Agent1`, BlueZ's agent API.
///
/// Some straps let their values be read over an encrypted link only. Then bluetoothd asks an agent
/// whether to pair; while nobody answers, neither does `StartNotify`. This agent has no display and
/// no keys, so a number that a person would have to compare is never confirmed, and of services
/// only those are authorized that fill a role. It is not made the default one: where a desktop has
/// its own, that one is asked.
enum PairingAgent {
    static let path = "/org/pulselog/agent"
    /// What it can do: nothing but agree (Bluetooth Core, Vol 3, Part H, 2.3.2).
    static let capability = "NoInputNoOutput"

    /// Answers a call of bluetoothd.
    ///
    /// - Parameters:
    ///   - call: The call, of bluetoothd itself.
    ///   - isWanted: Whether the device with an object path is wanted.
    /// - Returns: The answer.
    static func answer(_ call: MethodCall, isWanted: (String) -> Bool) -> MethodReply {
        guard call.path == path, call.interface == "org.bluez.Agent1" else {
            return .unknownMethod(call)
        }
        switch call.member {
        case "Release", "Cancel":
            return .values([])
        case "RequestAuthorization", "AuthorizeService":
            guard let device = call.arguments.first?.asObjectPath, isWanted(device) else {
                return .refusal(
                    name: "org.bluez.Error.Rejected", message: "nobody wants this device")
            }
            if call.member == "RequestAuthorization" { return .values([]) }
            let service = call.arguments.last?.asString.flatMap { BluetoothUUID($0) }
            if let service, BluetoothUUID.roleServices.contains(service) { return .values([]) }
            return .refusal(
                name: "org.bluez.Error.Rejected", message: "nobody wants this service")
        default:
            return .refusal(name: "org.bluez.Error.Rejected", message: "no display and no keys")
        }
    }
}
