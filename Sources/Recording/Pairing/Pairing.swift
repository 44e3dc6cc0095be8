package import BluetoothCentral
package import Events
internal import Projections
internal import Text
internal import Words

/// What a ``PairingFlow`` has come to: a device that keeps its word, and how it was chosen.
package struct Pairing: Hashable, Sendable {
    /// The device, with the services that it keeps its word for.
    package let device: DeviceSighting
    /// Whether it was named; else it was chosen.
    package let isNamed: Bool
    /// The straps that could have been chosen instead, the best first.
    package let others: [DeviceSighting]

    /// The most others that are named.
    private static let namedOthers = 2

    /// Says which device was taken and for what, which others could have been, and how to undo it.
    ///
    /// - Parameter primary: The roles in which it is primary now.
    /// - Returns: At most four sentences.
    package func announcement(primary: [Role]) -> String {
        let roles = Role.allCases.filter { Roles(services: device.services).fill($0) }
        func words(_ roles: [Role]) -> String { roles.map(\.words).joined(separator: " and ") }
        let found = roles.count > 1 ? " for \(words(roles))" : ""
        let part = primary.count < roles.count ? " for \(words(primary))" : ""
        let isPrimary = primary.isEmpty ? "" : "; it is primary\(part)"
        let paired = "Paired \(device.title)\(found)\(isPrimary)."
        guard !isNamed else { return paired }
        let undone = "Not yours? `pulselog devices forget \(device.address)`"
        guard !others.isEmpty else {
            return "\(paired) No other usable strap was heard. \(undone)"
        }
        let named = others.prefix(Self.namedOthers).map(\.titleWithAddress)
        let rest = others.count - named.count
        let choice = named.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        return "\(paired) Also in range: \(choice). \(undone), and name yours: "
            + "`pulselog record --device ADDRESS`."
    }
}

extension DeviceSighting {
    /// What the device is called, harmless in a terminal.
    package var title: String { deviceTitle(name, address) }

    /// The same, with the address if that is not all.
    var titleWithAddress: String { title == address.description ? title : "\(title) (\(address))" }
}
