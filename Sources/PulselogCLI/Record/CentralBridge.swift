internal import BlueZ
internal import DBus
internal import Events
internal import Projections
internal import Recording
internal import Synchronization

/// Turns what the central reports into inputs of the log; values are passed on as they came.
///
/// It also pairs what nobody paired: the device that was named, or the strap that a
/// ``PairingFlow`` finds.
final class CentralBridge: Sendable {
    private struct State {
        /// The full identity behind each address that was seen or is paired.
        var devices: [UInt64: DeviceID]
        /// What was logged of each device, so that a sighting is logged when it tells something.
        var seen: [DeviceID: DeviceSeen] = [:]
        /// When the connection attempt under way began.
        var attempts: [UInt64: (number: Int, began: UInt64)] = [:]
        /// A device that is to be paired as soon as it shows what it can do.
        var named: UInt64?
        /// The search for a strap, while there is none.
        var search = StrapSearch()
    }

    /// The most devices whose sightings are told apart.
    static let seenLimit = 1_024

    private let state: Mutex<State>
    private let put: @Sendable (Input) -> Void

    /// Makes a bridge.
    ///
    /// - Parameters:
    ///   - paired: The devices that are known already.
    ///   - named: The address of a device to pair whatever else is there; nil for none.
    ///   - put: Takes the inputs, on the bus thread, in order.
    init(paired: [DeviceID], named: UInt64? = nil, put: @escaping @Sendable (Input) -> Void) {
        let devices = Dictionary(paired.map { ($0.address, $0) }) { first, _ in first }
        state = Mutex(State(devices: devices, named: named))
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
        state.withLock { state in state.devices[address].flatMap { state.seen[$0]?.name } }
    }

    // MARK: - Reports

    /// Takes a report, on the bus thread.
    ///
    /// - Returns: The search, if the report has led it on.
    func take(_ report: CentralReport, _ arrived: DBus.Arrival) -> PairingFlow? {
        // A loss is told when its cause is known, and counts from when it happened.
        var ago: UInt64 = 0
        if case .linkLost(_, let loss) = report {
            ago = min(loss.agoMilliseconds, arrived.bootMilliseconds)
        }
        let arrival = Recording.Arrival(
            bootMilliseconds: arrived.bootMilliseconds - ago,
            wallMilliseconds: arrived.wallMilliseconds - Int64(ago),
            flags: Recording.Arrival.now().flags)
        for command in commands(for: report, arrival) { put(Input(command, at: arrival)) }
        let flow = state.withLock { $0.search.hear(report, at: arrived.bootMilliseconds) }
        if case .paired(let sighting) = flow?.state {
            let pairing = Command.pair(
                device(sighting.address), name: sighting.name,
                roles: Roles(services: sighting.services))
            put(Input(pairing, at: arrival))
        }
        return flow
    }

    private func commands(
        for report: CentralReport, _ arrival: Recording.Arrival
    ) -> [Command] {
        switch report {
        case .deviceSeen(let sighting): return see(sighting)
        case .connecting(let address, let attempt):
            state.withLock {
                $0.attempts[address.value] = (attempt, arrival.bootMilliseconds)
            }
            return []
        case .linkUp(let address):
            let attempt = state.withLock { $0.attempts.removeValue(forKey: address.value) }
            let duration = attempt.map {
                arrival.bootMilliseconds - min($0.began, arrival.bootMilliseconds)
            }
            return [
                .record(
                    .linkUp(
                        LinkUp(
                            device: device(address), attempt: UInt64(attempt?.number ?? 1),
                            connectMilliseconds: duration)))
            ]
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
        state.withLock { $0.devices[address.value] }
            ?? DeviceID(address: address.value, space: .random)
    }

    private func see(_ sighting: DeviceSighting) -> [Command] {
        let space: DeviceID.Space = sighting.addressType == .public ? .public : .random
        let address = sighting.address.value
        let roles = Roles(services: sighting.services)
        return state.withLock { state in
            let device = state.devices[address] ?? DeviceID(address: address, space: space)
            if state.devices.count < CentralBridge.seenLimit { state.devices[address] = device }
            let seen = DeviceSeen(
                device: device, name: sighting.name, rssi: sighting.rssi.map(Int64.init),
                roles: roles)
            let before = state.seen[device]
            var commands: [Command] = []
            let hasRoom = before != nil || state.seen.count < CentralBridge.seenLimit
            if hasRoom && (before?.name != seen.name || before?.roles != seen.roles) {
                state.seen[device] = seen
                commands.append(.record(.deviceSeen(seen)))
            }
            if state.named == address, !roles.isEmpty {
                state.named = nil
                commands.append(.pair(device, name: sighting.name, roles: roles))
            }
            return commands
        }
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
