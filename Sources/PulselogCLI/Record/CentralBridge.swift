internal import BluetoothCentral
internal import Clocks
internal import DBus
internal import Events
internal import Projections
internal import Recording
internal import Synchronization

/// Turns what the central reports into inputs of the log; values are passed on as they came.
///
/// It also pairs what nobody paired: the device that was named, or the strap that a
/// ``PairingFlow`` finds.
///
/// Of what a device tells of itself the log hears when a link to it stands, and when that is not
/// what it heard before. Who is merely seen is a stranger: the log neither names nor counts them,
/// so nobody makes it grow by advertising.
final class CentralBridge: Sendable {
    /// A device that the log names, or that a link to was attempted.
    fileprivate struct Peer {
        /// Its identity, as the log knows it or else as BlueZ does.
        let id: DeviceID
        /// What it called itself when a link to it was last attempted: a stranger's text.
        var name: String?
        /// What this run has logged that it tells of itself.
        var logged: DeviceSeen?
    }

    fileprivate struct State {
        /// The devices that links are about, by their addresses.
        var peers: [UInt64: Peer]
        /// When the connection attempt under way began.
        var attempts: [UInt64: (number: Int, began: UInt64)] = [:]
        /// A device that is to be paired as soon as it shows what it can do.
        var named: UInt64?
        /// The search for a strap, while there is none.
        var search = StrapSearch()
    }

    private let state: Mutex<State>
    private let put: @Sendable (Input) -> Void

    /// Makes a bridge.
    ///
    /// - Parameters:
    ///   - paired: The devices that are known already.
    ///   - named: The address of a device to pair whatever else is there; nil for none.
    ///   - put: Takes the inputs, on the bus thread, in order.
    init(paired: [DeviceID], named: UInt64? = nil, put: @escaping @Sendable (Input) -> Void) {
        let peers = Dictionary(paired.map { ($0.address, Peer(id: $0)) }) { first, _ in first }
        state = Mutex(State(peers: peers, named: named))
        self.put = put
    }

    // MARK: - The search for a strap

    /// The strap that the search has chosen, to be connected to; nil for none.
    var choice: BluetoothAddress? { state.withLock { $0.search.choice } }

    /// The same strap, with all that it has to notify to be paired.
    var wanted: WantedDevice? { state.withLock { $0.search.wanted } }

    /// Looks for a strap while one is missing, and not otherwise.
    func search(isMissing: Bool, at now: UInt64) {
        state.withLock { $0.search.note(isMissing: isMissing, at: now) }
    }

    /// Leaves a device alone from now on, because somebody has forgotten it.
    func shun(_ device: DeviceID, at now: UInt64) {
        state.withLock { $0.search.shun(BluetoothAddress(device.address), at: now) }
    }

    /// Lets time pass for the search, about once a second.
    func passTime(at now: UInt64) {
        state.withLock { $0.search.passTime(at: now) }
    }

    /// What a device calls itself, a stranger's text, or nil.
    func name(of address: UInt64) -> String? {
        state.withLock { $0.peers[address]?.name }
    }

    /// Says which strap the search has paired, and of how many.
    ///
    /// - Parameter device: A device whose pairing is durable.
    /// - Returns: The words, or nil if it was not the search that paired it.
    func announcement(of device: DeviceID) -> String? {
        guard let pairing = state.withLock({ $0.search.pairing }),
            pairing.device.address.value == device.address
        else { return nil }
        return pairing.announcement(isPrimary: true)
    }

    // MARK: - Reports

    /// Takes a report, on the bus thread.
    ///
    /// - Returns: Whether the report has led the search on.
    func take(_ report: CentralReport, _ arrived: Arrival) -> Bool {
        // A loss is told when its cause is known, and counts from when it happened.
        var ago: UInt64 = 0
        if case .linkLost(_, let loss) = report {
            ago = min(loss.agoMilliseconds, arrived.bootMilliseconds)
        }
        let arrival = Arrival(
            bootMilliseconds: arrived.bootMilliseconds - ago,
            wallMilliseconds: arrived.wallMilliseconds - Int64(ago),
            isWallTrusted: arrived.isWallTrusted)
        for command in commands(for: report, arrival) { put(Input(command, at: arrival)) }
        let flow = state.withLock { $0.search.hear(report, at: arrived.bootMilliseconds) }
        if let sighting = flow?.pairing?.device {
            let pairing = Command.pair(
                device(sighting.address), name: sighting.name,
                roles: Roles(services: sighting.services))
            put(Input(pairing, at: arrival))
        }
        return flow != nil
    }

    private func commands(
        for report: CentralReport, _ arrival: Arrival
    ) -> [Command] {
        switch report {
        case .connecting(let sighting, let attempt):
            state.withLock {
                $0.meet(sighting)
                $0.attempts[sighting.address.value] = (attempt, arrival.bootMilliseconds)
            }
            return []
        case .linkUp(let sighting):
            return state.withLock { $0.link(sighting, at: arrival.bootMilliseconds) }
        case .connectFailed(let address, let failure, _):
            let attempt = state.withLock { $0.attempts.removeValue(forKey: address.value) }
            let failed = ConnectFailed(
                device: device(address), attempt: UInt64(attempt?.number ?? 1),
                error: failure.name.fitting(256), message: failure.message.fitting(256))
            return [.record(.connectFailed(failed))]
        default: return report.event(device: device).map { [.record($0)] } ?? []
        }
    }

    private func device(_ address: BluetoothAddress) -> DeviceID {
        state.withLock { $0.peers[address.value]?.id } ?? DeviceSighting(address: address).id
    }
}

extension CentralBridge.State {
    /// A link to a device is attempted, or stands.
    ///
    /// - Returns: Its identity.
    @discardableResult
    mutating func meet(_ sighting: DeviceSighting) -> DeviceID {
        let address = sighting.address.value
        var peer = peers[address] ?? CentralBridge.Peer(id: sighting.id)
        peer.name = sighting.name ?? peer.name
        peers[address] = peer
        return peer.id
    }

    /// A link to a device stands.
    mutating func link(_ sighting: DeviceSighting, at now: UInt64) -> [Command] {
        let address = sighting.address.value
        let device = meet(sighting)
        let roles = Roles(services: sighting.services)
        var commands: [Command] = []
        let seen = DeviceSeen(
            device: device, name: sighting.name, rssi: sighting.rssi.map(Int64.init), roles: roles)
        let before = peers[address]?.logged
        if before == nil || before?.name != seen.name || before?.roles != seen.roles {
            peers[address]?.logged = seen
            commands.append(.record(.deviceSeen(seen)))
        }
        if named == address, !roles.isEmpty {
            named = nil
            commands.append(.pair(device, name: sighting.name, roles: roles))
        }
        let attempt = attempts.removeValue(forKey: address)
        let linkUp = LinkUp(
            device: device, attempt: UInt64(attempt?.number ?? 1),
            connectMilliseconds: attempt.map { now - min($0.began, now) })
        return commands + [.record(.linkUp(linkUp))]
    }
}

extension DeviceSighting {
    /// The identity of a device that the log does not know yet.
    var id: DeviceID {
        DeviceID(address: address.value, space: addressType == .public ? .public : .random)
    }
}

extension Roles {
    /// The roles that services stand for.
    init(services: Set<BluetoothUUID>) {
        self = []
        if services.contains(.heartRate) { insert(.heart) }
        if services.contains(.runningSpeedAndCadence) { insert(.footPod) }
        if services.contains(.infiniTimeMotion) { insert(.watch) }
    }
}
