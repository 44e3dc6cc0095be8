package import BluetoothCentral
internal import Events
package import JSON
package import Projections
internal import Text

extension DeviceReport {
    /// Writes a paired device, as it is shown, into an object that is open; it is connected only
    /// while something is recorded.
    package func writeView(to json: inout JSONWriter, isRecording: Bool) {
        let shown = shownName(self.name)
        json.field("address", self.id.description)
        json.field("name", shown)
        json.field("roles", Role.allCases.filter(self.roles.fill).map(\.name))
        json.field("primary", primaryRoles.map(\.name))
        json.field(
            "facts",
            [
                self.roles.contains(.footPod)
                    ? "Foot pod" : self.roles.contains(.watch) ? "Watch" : nil,
                self.manufacturer.map { printable($0, limit: 40) },
                isContactIgnored ? "contact ignored" : nil,
            ].compactMap(\.self))
        json.field("batteryPercent", self.batteryPercent)
        json.field("battery", self.batteryPercent.map { "\($0) %" })
        json.field("forget", "Forget \(shown)?")
        let isUp = isRecording && self.link.isUp
        json.field("isUp", isUp)
        json.field("state", isUp ? "Connected" : "Not connected")
    }
}

/// What a stranger's device is called on a page: all of its name, where it has one.
package func shownName(_ name: String?) -> String {
    named(name).map { printable($0, limit: 256) } ?? "No name"
}

extension DeviceSighting {
    /// Writes a device in range, as it is shown, into an object that is open.
    package func writeView(to json: inout JSONWriter) {
        let bars = SignalBars(rssi: rssi)
        let roles = Roles(services: services)
        let words = Role.allCases.filter(roles.fill).map(\.label).joined(separator: " and ")
        json.field("address", address.description)
        json.field("name", shownName(name))
        json.field("signal", bars.rawValue)
        json.field("bars", bars.count ?? 0)
        json.field("isStrap", roles.contains(.heart))
        json.field("roles", words.isEmpty ? "" : "\(capitalized(words)), ")
    }
}
