public import BluetoothCentral
internal import Events
public import JSON
public import Projections
internal import Text

/// What is paired, as it is shown.
public struct DevicesView: JSONWritable {
    private let devices: [DeviceReport]

    /// Shows paired devices.
    public init(_ devices: [DeviceReport]) {
        self.devices = devices
    }

    /// Writes the devices as a list.
    public func write(to json: inout JSONWriter) {
        json.array { json in
            for device in devices { json.object { write(device, to: &$0) } }
        }
    }

    private func write(_ device: DeviceReport, to json: inout JSONWriter) {
        let name = shownName(device.name)
        json.field("address", device.id.description)
        json.field("name", name)
        json.field("roles", Role.allCases.filter(device.roles.fill).map(\.name))
        json.field("primary", device.primaryRoles.map(\.name))
        json.field(
            "facts",
            [
                device.manufacturer.map { printable($0, limit: 40) },
                device.isContactIgnored ? "contact ignored" : nil,
            ].compactMap(\.self))
        json.field("batteryPercent", device.batteryPercent)
        json.field("battery", device.batteryPercent.map { "\($0) %" })
        json.field("forget", "Forget \(name)?")
    }
}

/// What a stranger's device is called on a page: all of its name, where it has one.
public func shownName(_ name: String?) -> String {
    named(name).map { printable($0, limit: 256) } ?? "No name"
}

extension DeviceSighting {
    /// Writes a device in range, as it is shown, into an object that is open.
    public func writeView(to json: inout JSONWriter) {
        let bars = SignalBars(rssi: rssi)
        let roles = Roles(services: services)
        let words = Role.allCases.filter(roles.fill).map(\.label).joined(separator: " and ")
        json.field("address", address.description)
        json.field("name", shownName(name))
        json.field("signal", bars.rawValue)
        json.field("bars", bars.count ?? 0)
        json.field("isStrap", roles.contains(.heart))
        json.field("roles", words.isEmpty ? "" : ", \(words)")
    }
}
