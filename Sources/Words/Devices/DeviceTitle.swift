package import BluetoothCentral
package import Events
package import Projections
internal import Text

/// What a walker calls a device, harmless in a terminal, and what advice fits it.
package struct DeviceTitle: Hashable, Sendable, CustomStringConvertible {
    /// What it is called.
    package let description: String
    /// Whether moisture helps it: a chest strap senses the heart through electrodes, while a watch
    /// looks through the skin, and a foot pod feels steps.
    package let isStrap: Bool

    /// Names a device.
    ///
    /// - Parameters:
    ///   - description: What it is called, harmless in a terminal.
    ///   - isStrap: Whether it is a chest strap.
    package init(_ description: String, isStrap: Bool) {
        (self.description, self.isStrap) = (description, isStrap)
    }

    /// Names a device by what it does, and where it says that it is worn.
    ///
    /// - Parameters:
    ///   - description: What it is called, harmless in a terminal.
    ///   - roles: The roles that it can fill.
    ///   - bodyLocation: The number of its place (Bluetooth HRS 1.0, 3.2); nil if it has none.
    package init(_ description: String, _ roles: Roles, bodyLocation: UInt8? = nil) {
        // 1 is the chest, 0 any other place.
        self.init(description, isStrap: roles == .heart && (bodyLocation ?? 1) <= 1)
    }

    /// Names a device that the log knows.
    package init(_ device: Device) {
        self.init(
            deviceTitle(device.name, device.id), device.roles, bodyLocation: device.bodyLocation)
    }

    /// How to be heard at all, as the beginning of a sentence.
    var advice: String { isStrap ? "Wear it and moisten it" : "Wear it" }

    /// How to be heard better, as a sentence.
    var closer: String { isStrap ? "Come closer, or moisten it." : "Come closer." }
}

extension Roles {
    /// The roles that services stand for.
    ///
    /// - Parameter services: What a device offers.
    package init(services: Set<BluetoothUUID>) {
        self = []
        if services.contains(.heartRate) { insert(.heart) }
        if services.contains(.runningSpeedAndCadence) { insert(.footPod) }
        if services.contains(.infiniTimeMotion) { insert(.watch) }
    }

    /// What a device with these roles is called in a list; empty for none.
    var kind: String {
        guard contains(.heart) else { return isEmpty ? "" : "pedometer" }
        return self == .heart ? "strap" : "heart and steps"
    }
}

extension Role {
    /// What a walker calls it.
    package var words: String { self == .heart ? "heart rate" : "steps" }
}

extension Set<BluetoothUUID> {
    /// The most services that are named.
    private static var limit: Int { 3 }

    /// What services are called, as in "heart rate (180D), battery (180F) and 2 more"; nil for
    /// none but those that every device has.
    package var serviceWords: String? {
        let roles = intersection(BluetoothUUID.roleServices)
        let others = subtracting(roles).subtracting([BluetoothUUID(0x1800), BluetoothUUID(0x1801)])
        let names = (roles.sorted() + others.sorted()).map(\.serviceName)
        guard let last = names.last else { return nil }
        let isLong = names.count > Self.limit
        let first = names.prefix(isLong ? Self.limit : names.count - 1)
        let end = isLong ? "\(names.count - Self.limit) more" : last
        return first.isEmpty ? end : "\(first.joined(separator: ", ")) and \(end)"
    }
}

extension BluetoothUUID {
    /// The name of a service, or its number, of a long one the beginning.
    fileprivate var serviceName: String {
        switch self {
        case .heartRate: "heart rate (180D)"
        case .runningSpeedAndCadence: "pace and cadence (1814)"
        case .infiniTimeMotion: "steps (InfiniTime)"
        case BluetoothUUID(0x180A): "device information (180A)"
        case BluetoothUUID(0x180F): "battery (180F)"
        default: short == nil ? "\(text.prefix(8))…" : description
        }
    }
}

extension LogState {
    /// The paired device of an address, or one that will be refused.
    package func paired(_ address: UInt64) -> DeviceID {
        own.devices.paired.first { $0.id.address == address }?.id
            ?? DeviceID(address: address, space: .random)
    }
}
