internal import BlueZ
internal import DBus
internal import Events
internal import Projections
internal import Recording
internal import Synchronization

/// Turns what the central reports into inputs of the log; values are passed on as they came.
final class CentralBridge: Sendable {
    private struct State {
        /// The full identity behind each address that was seen or is paired.
        var devices: [UInt64: DeviceID]
        /// What was logged of each device, so that a sighting is logged when it tells something.
        var seen: [DeviceID: DeviceSeen] = [:]
        /// When the connection attempt under way began.
        var attempts: [UInt64: (number: Int, began: UInt64)] = [:]
        /// What is still to be paired unasked.
        var pairing: Pairing
        /// Whether the log named a primary strap when that was noted last.
        var hasStrap = false

        /// Whether a device that is seen is to be paired now.
        func pairs(_ device: DeviceID, _ roles: Roles) -> Bool {
            switch pairing {
            case .none: false
            case .firstStrap: roles.contains(.heart)
            case .address(let address): device.address == address && !roles.isEmpty
            }
        }
    }

    /// What to pair unasked.
    enum Pairing {
        /// Nothing.
        case none
        /// The first strap that is seen.
        case firstStrap
        /// The device of an address.
        case address(UInt64)
    }

    /// The most devices whose sightings are told apart.
    static let seenLimit = 1_024

    private let state: Mutex<State>
    private let put: @Sendable (Input) -> Void

    /// Makes a bridge.
    ///
    /// - Parameters:
    ///   - paired: The devices that are known already.
    ///   - pairing: What to pair unasked.
    ///   - put: Takes the inputs, on the bus thread, in order.
    init(paired: [DeviceID], pairing: Pairing, put: @escaping @Sendable (Input) -> Void) {
        let devices = Dictionary(paired.map { ($0.address, $0) }) { first, _ in first }
        state = Mutex(State(devices: devices, pairing: pairing))
        self.put = put
    }

    /// Notes whether there is a primary strap, for a recorder that takes the first in range: when
    /// the strap is forgotten, the next one that is seen is paired.
    func note(hasStrap: Bool) {
        state.withLock { state in
            if state.hasStrap && !hasStrap { state.pairing = .firstStrap }
            state.hasStrap = hasStrap
        }
    }

    /// Takes a report, on the bus thread.
    func take(_ report: CentralReport, _ arrived: DBus.Arrival) {
        let flags = Recording.Arrival.now().flags
        let arrival = Recording.Arrival(
            bootMilliseconds: arrived.bootMilliseconds,
            wallMilliseconds: arrived.wallMilliseconds, flags: flags)
        for command in commands(for: report, arrival) { put(Input(command, at: arrival)) }
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
            if state.pairs(device, roles) {
                state.pairing = .none
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
