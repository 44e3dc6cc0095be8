public import BluetoothCentral
internal import Events
public import Projections

/// What the central is doing for each device, as far as no event tells it.
public struct CentralAttempts: Sendable {
    /// How far it has come.
    public enum Phase: Sendable {
        /// It looks for the device.
        case looking
        /// It connects for the first time.
        case connecting
        /// The link was lost; it connects again.
        case reconnecting
    }

    private var phases: [UInt64: Phase] = [:]
    /// The devices whose links ended; the log hears of it when the cause is known.
    private var down: Set<UInt64> = []

    /// Makes what is known of a central that has said nothing yet.
    public init() {}

    /// Makes what the log tells of a recorder in another process.
    public init(_ state: LogState) {
        let clock = state.live.clock
        guard let start = state.live.recorder.startedAt, start.bootNumber == clock.bootNumber
        else { return }
        let running =
            clock.lastStamp.bootMilliseconds
            - min(
                start.bootMilliseconds, clock.lastStamp.bootMilliseconds)
        let began = clock.milliseconds - min(running, clock.milliseconds)
        for device in state.live.devices.all {
            // What was linked by an earlier recorder is connected for the first time now.
            guard let upSince = device.link.upSince, upSince >= began else { continue }
            phases[device.id.address] = .reconnecting
        }
    }

    /// Hears a report.
    public mutating func hear(_ report: CentralReport) {
        switch report {
        case .connecting(let device, _):
            let address = device.address.value
            if phases[address] == nil { phases[address] = .connecting }
        case .linkUp(let device): down.remove(device.address.value)
        case .linkDown(let address):
            down.insert(address.value)
            phases[address.value] = .reconnecting
        default: break
        }
    }

    /// Whether the link to a device is known to have ended.
    public func isDown(_ address: UInt64) -> Bool { down.contains(address) }

    /// How far it has come with a device that is not linked.
    public func phase(of address: UInt64) -> Phase { phases[address] ?? .looking }
}
