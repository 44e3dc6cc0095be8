package import BluetoothCentral
package import DBus

extension CentralCall {
    /// What is sent, in order; the answer that counts is the last one's.
    ///
    /// - Parameter owner: The unique name of bluetoothd. A call to its well-known name would reach,
    ///   or even start, another bluetoothd than the one whose objects we know.
    /// - Returns: One call or two.
    package func messages(to owner: String) -> [MethodCall] {
        func call(
            _ path: String, _ interface: String, _ member: String, _ arguments: Value...
        ) -> MethodCall {
            MethodCall(
                destination: owner, path: path, interface: interface, member: member,
                arguments: arguments)
        }
        let adapter = "org.bluez.Adapter1"
        let device = "org.bluez.Device1"
        let characteristic = "org.bluez.GattCharacteristic1"
        switch self {
        case .listObjects:
            return [call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")]
        case .startService:
            return [.bus("StartServiceByName", .string("org.bluez"), .uint32(0))]
        case .registerAgent:
            return [
                call(
                    "/org/bluez", "org.bluez.AgentManager1", "RegisterAgent",
                    .objectPath(PairingAgent.path), .string(PairingAgent.capability))
            ]
        case .startDiscovery(let path, let services):
            let filter = Value.properties([
                ("UUIDs", .strings(services.sorted().map(\.text))),
                ("Transport", .string("le")),
                ("DuplicateData", .boolean(false)),
            ])
            return [
                call(path, adapter, "SetDiscoveryFilter", filter),
                call(path, adapter, "StartDiscovery"),
            ]
        case .stopDiscovery(let path): return [call(path, adapter, "StopDiscovery")]
        case .connect(let path): return [call(path, device, "Connect")]
        case .disconnect(let path): return [call(path, device, "Disconnect")]
        case .startNotify(let path): return [call(path, characteristic, "StartNotify")]
        case .stopNotify(let path): return [call(path, characteristic, "StopNotify")]
        case .readValue(let path):
            return [call(path, characteristic, "ReadValue", .properties([]))]
        }
    }
}
