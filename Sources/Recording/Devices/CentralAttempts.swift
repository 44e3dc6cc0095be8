package import BluetoothCentral
internal import Events
package import Projections

/// What the central is doing for each device, as far as no event says it.
package struct CentralAttempts: Sendable {
    /// How far it has come.
    package enum Phase: Sendable {
        /// It looks for the device.
        case looking
        /// It connects for the first time.
        case connecting
        /// The link was lost; it connects again.
        case reconnecting
    }

    private var phases: [UInt64: Phase] = [:]
    /// The attempts under way, and when each began.
    private var underway: [UInt64: (number: UInt64, began: UInt64)] = [:]
    /// The devices whose links ended; the log hears of it when the cause is known.
    private var down: Set<UInt64> = []

    /// Makes what is known of a central that has said nothing yet.
    package init() {}

    /// Makes what the log tells of a recorder in another process.
    package init(_ state: LogState) {
        let clock = state.own.clock
        guard let start = state.own.recorder.startedAt, start.bootNumber == clock.bootNumber
        else { return }
        let running =
            clock.lastStamp.bootMilliseconds
            - min(
                start.bootMilliseconds, clock.lastStamp.bootMilliseconds)
        let began = clock.milliseconds - min(running, clock.milliseconds)
        for device in state.own.devices.all {
            // What was linked by an earlier recorder is connected for the first time now.
            guard let upSince = device.link.upSince, upSince >= began else { continue }
            phases[device.id.address] = .reconnecting
        }
    }

    /// Hears a report, with the time on the boot clock.
    package mutating func hear(_ report: CentralReport, at now: UInt64) {
        switch report {
        case .connecting(let device, let attempt):
            let address = device.address.value
            underway[address] = (UInt64(attempt), now)
            if phases[address] == nil { phases[address] = .connecting }
        case .connectFailed(let address, _, _): underway[address.value] = nil
        case .linkUp(let device):
            underway[device.address.value] = nil
            down.remove(device.address.value)
        case .linkDown(let address):
            down.insert(address.value)
            phases[address.value] = .reconnecting
        default: break
        }
    }

    /// Whether the link to a device is known to have ended.
    package func isDown(_ address: UInt64) -> Bool { down.contains(address) }

    /// The attempt to connect to a device that is under way: its number, and when it began, which
    /// is not known of a link that was there before.
    func attempt(at address: BluetoothAddress) -> (number: UInt64, began: UInt64?) {
        let known = underway[address.value]
        return (known?.number ?? 1, known?.began)
    }

    /// How far it has come with a device that is not linked.
    package func phase(of address: UInt64) -> Phase { phases[address] ?? .looking }
}
