package import Events
package import JSON
package import Projections
package import Text

extension PositionSourceTold {
    /// What people call the app.
    package var appName: String {
        switch app.known {
        case .receiver: "GPS"
        case .ownTracks: "OwnTracks"
        case .gpsLogger: "GPSLogger"
        case .traccar: "Traccar Client"
        case nil: "its app"
        }
    }
}

/// A source of positions, for people and for scripts.
extension FixSource: JSONObject {
    /// What it is called.
    var title: String {
        isPhone ? told.name.isEmpty ? "Phone" : shownName(told.name) : "GPS receiver"
    }

    private var battery: String? { told.batteryPercent.map { "\($0) %" } }

    /// Adds it to a list of devices.
    ///
    /// - Parameters:
    ///   - table: The list.
    ///   - isLeading: Whether its fixes are those that are recorded.
    package func add(to table: inout TextTable, isLeading: Bool) {
        table.add(
            isPhone ? "phone" : "receiver", printable(title, limit: 18),
            told.appName + (isLeading ? ", primary for positions" : ""),
            battery ?? "?", "")
    }

    /// Writes it as an object.
    package func writeFields(to json: inout JSONWriter) {
        json.field("name", told.name)
        json.field("app", told.app.name)
        json.field("batteryPercent", told.batteryPercent)
        json.field("lastFixAtMilliseconds", heardAt?.wallMilliseconds)
        json.field("accuracyMillimetres", accuracyMillimetres)
    }

    /// Writes it, as it is shown among devices, into an object that is open.
    ///
    /// - Parameters:
    ///   - json: Where.
    ///   - isLeading: Whether its fixes are those that are recorded.
    ///   - isSilent: Whether another one's would be.
    ///   - now: The walker's clock.
    ///   - units: The walker's.
    package func writeView(
        to json: inout JSONWriter, isLeading: Bool, isSilent: Bool, at now: LocalTime, units: Units
    ) {
        let error = accuracyMillimetres.map { ", within \(units.climb($0))" } ?? ""
        json.field("address", "\(told.app.name)/\(told.name)")
        json.field("name", title)
        json.field("roles", ["position"])
        json.field("primary", isLeading ? ["position"] : [])
        json.field("isUp", isLeading && !isSilent)
        json.field("state", "By \(isPhone ? told.appName : "this machine")")
        let last = heardAt.map { now.moved(to: $0.wallMilliseconds).after(now) }
        json.field(
            "facts",
            [
                last.map { "Last fix \($0)\(error)" } ?? "No fix yet",
                isLeading ? nil : "Asked for when the other sends nothing",
            ].compactMap(\.self))
        json.field("batteryPercent", told.batteryPercent)
        json.field("battery", battery)
        json.field("forget", nil as String?)
    }
}
