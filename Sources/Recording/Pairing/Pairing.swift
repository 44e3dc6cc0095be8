public import BluetoothCentral
internal import Words

/// What a ``PairingFlow`` has come to: a device that keeps its word, and how it was chosen.
public struct Pairing: Hashable, Sendable {
    /// The device, with the services that it keeps its word for.
    public let device: DeviceSighting
    /// Whether it was named; else it was chosen.
    public let isNamed: Bool
    /// The straps that could have been chosen instead, the best first.
    public let others: [DeviceSighting]

    /// Says which device was taken, which others could have been, and how to undo it.
    ///
    /// - Parameter isPrimary: Whether it is the primary one of a role now.
    /// - Returns: At most three sentences.
    public func announcement(isPrimary: Bool) -> String {
        let paired = "Paired \(device.title)\(isPrimary ? "; it is primary" : "")."
        guard !isNamed else { return paired }
        let rest = others.count > 1 ? " and \(others.count - 1) more" : ""
        let choice =
            others.first.map { "Also in range: \($0.title)\(rest)." }
            ?? "No other usable strap was heard."
        return "\(paired) \(choice) Not yours? `pulselog devices forget \(device.address)`"
    }
}

extension DeviceSighting {
    /// What the device is called, harmless in a terminal.
    public var title: String { deviceTitle(name, address) }
}
