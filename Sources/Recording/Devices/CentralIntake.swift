package import BluetoothCentral
internal import Clocks
internal import Deciding
package import Events
internal import Projections
internal import Text
internal import Words

/// Turns what the central reports into inputs of the log; values are passed on as they came.
///
/// It also pairs what nobody paired: the device that was named, or the one that a ``PairingFlow``
/// finds.
///
/// What a device reports about itself is logged when a link to it is up, and when that is not
/// what was logged. A device merely seen is a stranger: the log neither names nor counts it,
/// so nobody makes it grow by advertising.
struct CentralIntake: Sendable {
    /// A device that the log names, or that a link to was attempted.
    private struct Peer {
        /// Its identity, as the log knows it or else as BlueZ does.
        let id: DeviceID
        /// What it called itself when a link to it was last attempted: a stranger's text.
        var name: String?
        /// The roles that its services stand for, as far as they are known.
        var roles: Roles = []
        /// What this run has logged that it tells of itself.
        var logged: DeviceSeen?
    }

    /// The devices that links are about, by their addresses.
    private var peers: [UInt64: Peer]
    /// What the central is doing for each device.
    private(set) var attempts = CentralAttempts()
    /// A device that is to be paired as soon as it shows what it can do.
    private var named: UInt64?
    /// The search for a strap.
    var search = StrapSearch()

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - paired: The devices that are already known.
    ///   - named: The address of a device to pair whatever else is there; nil for none.
    init(paired: [DeviceID], named: UInt64? = nil) {
        peers = Dictionary(paired.map { ($0.address, Peer(id: $0)) }) { first, _ in first }
        self.named = named
    }

    /// Learns what the log calls a device that was paired.
    mutating func register(_ device: DeviceID) {
        let peer = peers[device.address]
        guard peer?.id != device else { return }
        peers[device.address] = Peer(id: device, name: peer?.name, roles: peer?.roles ?? [])
    }

    // MARK: - The search for a strap

    /// What a device is called that the log does not know.
    func name(of address: UInt64) -> DeviceTitle {
        let peer = peers[address]
        return DeviceTitle(
            deviceTitle(peer?.name, BluetoothAddress(address)), peer?.roles ?? [])
    }

    /// Says which strap the search has paired, and of how many.
    ///
    /// - Parameters:
    ///   - paired: A pairing that is durable.
    ///   - roles: The roles in which the device is primary now.
    /// - Returns: The words, or nil if it was not the search that paired it.
    func announcement(of paired: DevicePaired, primary roles: [Role]) -> String? {
        guard let pairing = search.pairing,
            pairing.device.address.value == paired.device.address,
            Roles(services: pairing.device.services) == paired.roles
        else { return nil }
        return pairing.announcement(primary: roles)
    }

    // MARK: - Reports

    /// Takes a report.
    ///
    /// - Parameters:
    ///   - report: What the central has to say.
    ///   - arrived: When its cause arrived.
    /// - Returns: What is to be appended, and when it happened.
    mutating func take(_ report: CentralReport, at arrived: Arrival) -> [Input] {
        // A loss is told when its cause is known, and counts from when it happened.
        var arrival = arrived
        if case .linkLost(_, let loss) = report {
            let ago = min(loss.agoMilliseconds, arrived.bootMilliseconds)
            arrival.bootMilliseconds -= ago
            arrival.wallMilliseconds -= Int64(ago)
        }
        var commands = commands(for: report, arrival)
        attempts.hear(report, at: arrival.bootMilliseconds)
        let flow = search.hear(report, at: arrived.bootMilliseconds)
        if let sighting = flow?.pairing?.device {
            let roles = Roles(services: sighting.services)
            commands.append(
                .pair(device(sighting.address), name: sighting.name, roles: roles))
        }
        return commands.map { Input($0, at: arrival) }
    }

    private mutating func commands(
        for report: CentralReport, _ arrival: Arrival
    ) -> [Command] {
        switch report {
        case .connecting(let sighting, _):
            identity(sighting)
            return []
        case .linkUp(let sighting): return link(sighting, at: arrival.bootMilliseconds)
        case .servicesFound(let sighting): return describe(sighting)
        case .connectFailed(let address, let failure, _):
            let failed = ConnectFailed(
                device: device(address), attempt: attempts.attempt(at: address).number,
                error: failure.name.fitting(256), message: failure.message.fitting(256))
            return [.record(.connectFailed(failed))]
        default: return report.event(device: device).map { [.record($0)] } ?? []
        }
    }

    private func device(_ address: BluetoothAddress) -> DeviceID {
        peers[address.value]?.id ?? DeviceSighting(address: address).id
    }

    /// A link to a device is attempted, or stands.
    ///
    /// - Returns: Its identity.
    @discardableResult
    private mutating func identity(_ sighting: DeviceSighting) -> DeviceID {
        let address = sighting.address.value
        var peer = peers[address] ?? Peer(id: sighting.id)
        peer.name = sighting.name ?? peer.name
        peer.roles.formUnion(Roles(services: sighting.services))
        peers[address] = peer
        return peer.id
    }

    /// What a device that is linked tells of itself; before its services are found, what it
    /// advertises.
    private mutating func describe(_ sighting: DeviceSighting) -> [Command] {
        let address = sighting.address.value
        let device = identity(sighting)
        let roles = Roles(services: sighting.services)
        var commands: [Command] = []
        // BlueZ forgets how strong a device was as soon as it connects.
        let rssi = sighting.rssi ?? search.strength(of: sighting.address)
        let seen = DeviceSeen(
            device: device, name: sighting.name, rssi: rssi.map(Int64.init), roles: roles)
        let before = peers[address]?.logged
        if before == nil || before?.name != seen.name || before?.roles != seen.roles {
            peers[address]?.logged = seen
            commands.append(.record(.deviceSeen(seen)))
        }
        if named == address, !roles.isEmpty {
            named = nil
            commands.append(.pair(device, name: sighting.name, roles: roles))
        }
        return commands
    }

    /// A link to a device is up.
    private mutating func link(_ sighting: DeviceSighting, at now: UInt64) -> [Command] {
        let commands = describe(sighting)
        let (attempt, began) = attempts.attempt(at: sighting.address)
        let linkUp = LinkUp(
            device: device(sighting.address), attempt: attempt,
            connectMilliseconds: began.map { now - min($0, now) })
        return commands + [.record(.linkUp(linkUp))]
    }
}

extension DeviceSighting {
    /// The identity of a device that the log does not know yet.
    package var id: DeviceID {
        DeviceID(address: address.value, space: addressType == .public ? .public : .random)
    }
}
