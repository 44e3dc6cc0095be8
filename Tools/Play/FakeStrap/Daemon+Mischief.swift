import DBus

/// What no bluetoothd does, but what a recorder must live with.
extension Daemon {
    /// Sends a signal that is not as it should be.
    func emit(_ malformation: Malformation, of device: Device, _ uuid: GattUUID, size: Int) {
        guard let characteristic = device.characteristic(uuid) else {
            return report(.problem("no \(uuid) to send something malformed of"))
        }
        emit(malformation.signal(of: device, characteristic.path, size: size))
    }

    /// Lets a stranger, another connection of the bus, say what only bluetoothd may say.
    func spoof(_ spoof: Scenario.Spoof, of device: Device) {
        let signal: Signal
        switch spoof.claim {
        case .value(let uuid, let value):
            guard let characteristic = device.characteristic(uuid) else {
                return report(.problem("no \(uuid) to claim a value of"))
            }
            signal = .propertiesChanged(
                characteristic.path, Characteristic.interface, [("Value", .byteArray(value))])
        case .drop:
            signal = .propertiesChanged(
                device.path, Device.interface,
                [("ServicesResolved", .boolean(false)), ("Connected", .boolean(false))])
        }
        let victims = Set(device.characteristics.flatMap(\.subscribers)).sorted()
        do {
            guard spoof.isDirect else { return try connection.emit(signal) }
            for victim in victims { try connection.emit(signal, to: victim) }
        } catch {
            report(.problem(error.description))
        }
    }

    /// The answer that is ordered for the next call of a method, if there is one.
    func orderedAnswer(to member: String) -> MethodReply? {
        guard let index = orders.firstIndex(where: { $0.member == member }) else { return nil }
        switch orders.remove(at: index).reply {
        case .refusal(let name, let message): return .refusal(name: name, message: message)
        case .nonsense: return .values([.double(.nan), .properties([("", .string("\u{202E}"))])])
        case .silence: return .later
        }
    }
}
