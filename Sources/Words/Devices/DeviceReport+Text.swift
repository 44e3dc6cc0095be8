internal import Events
package import JSON
package import Projections
package import Text

/// A paired device, for people and for scripts.
extension DeviceReport: JSONObject {
    /// A list of devices with no row yet.
    package static var table: TextTable {
        TextTable(
            .words("address"), .words("name"), .words("kind"), .numbers("battery"),
            .numbers("drops"))
    }

    /// Adds the device to a list.
    package func add(to table: inout TextTable) {
        let roles = Role.allCases.filter(self.roles.fill)
        let primary = primaryRoles
        let part = primary.count < roles.count ? primary.map { " for \($0.words)" }.joined() : ""
        table.add(
            "\(self.id)", printable(named(self.name) ?? "(no name)", limit: 18),
            self.roles.kind + (primary.isEmpty ? "" : ", primary\(part)")
                + (isContactIgnored ? ", contact ignored" : ""),
            self.batteryPercent.map { "\($0) %" } ?? "?", grouped(self.link.drops))
    }

    /// Writes the device as an object.
    package func writeFields(to line: inout JSONWriter) {
        line.field("address", self.id.description)
        line.field("name", self.name)
        let kinds: [(Roles, String)] = [
            (.heart, "heart"), (.footPod, "footPod"), (.watch, "watch"),
            (.stepCounter, "stepCounter"),
        ]
        line.field("roles", kinds.filter { self.roles.contains($0.0) }.map(\.1))
        line.field("primary", primaryRoles.map(\.name))
        line.field("batteryPercent", self.batteryPercent)
        line.field("manufacturer", self.manufacturer)
        line.field("contactIgnored", isContactIgnored)
        line.field("drops", self.link.drops)
        line.field("longestGapMilliseconds", self.link.longestGapMilliseconds)
    }
}
