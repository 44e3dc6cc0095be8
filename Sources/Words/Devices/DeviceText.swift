internal import Events
public import JSON
public import Projections
public import Text

/// A paired device, for people and for scripts.
public struct DeviceText: JSONObject {
    private let device: DeviceReport

    /// Tells a device.
    public init(_ device: DeviceReport) {
        self.device = device
    }

    /// A list of devices with no row yet.
    public static var table: TextTable {
        TextTable(
            .words("address"), .words("name"), .words("kind"), .numbers("battery"),
            .numbers("drops"))
    }

    /// Adds the device to a list.
    public func add(to table: inout TextTable) {
        let roles = Role.allCases.filter(device.roles.fill)
        let primary = device.primaryRoles
        let part = primary.count < roles.count ? primary.map { " for \($0.words)" }.joined() : ""
        table.add(
            "\(device.id)", printable(named(device.name) ?? "(no name)", limit: 18),
            device.roles.kind + (primary.isEmpty ? "" : ", primary\(part)")
                + (device.isContactIgnored ? ", contact ignored" : ""),
            device.batteryPercent.map { "\($0) %" } ?? "?", grouped(device.link.drops))
    }

    /// Writes the device as an object.
    public func writeFields(to line: inout JSONWriter) {
        line.field("address", device.id.description)
        line.field("name", device.name)
        let kinds: [(Roles, String)] = [
            (.heart, "heart"), (.footPod, "footPod"), (.watch, "watch"),
            (.stepCounter, "stepCounter"),
        ]
        line.field("roles", kinds.filter { device.roles.contains($0.0) }.map(\.1))
        line.field("primary", device.primaryRoles.map(\.name))
        line.field("batteryPercent", device.batteryPercent)
        line.field("manufacturer", device.manufacturer)
        line.field("contactIgnored", device.isContactIgnored)
        line.field("drops", device.link.drops)
        line.field("longestGapMilliseconds", device.link.longestGapMilliseconds)
    }
}
