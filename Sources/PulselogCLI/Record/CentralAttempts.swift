internal import BlueZ
internal import Events
internal import Projections

/// What the central is doing for each device, as far as no event tells it.
struct CentralAttempts {
    /// How far it has come.
    enum Phase {
        /// It looks for the device.
        case looking
        /// It connects for the first time.
        case connecting
        /// The link was lost; it connects again.
        case reconnecting
    }

    private var phases: [UInt64: Phase] = [:]

    /// Makes what is known of a central that has said nothing yet.
    init() {}

    /// Makes what the log tells of a recorder in another process.
    init(_ state: LogState) {
        for device in state.live.devices.all {
            phases[device.id.address] = device.link.upSince == nil ? .looking : .reconnecting
        }
    }

    /// Hears a report.
    mutating func hear(_ report: CentralReport) {
        switch report {
        case .connecting(let address, _):
            if phases[address.value] == nil { phases[address.value] = .connecting }
        case .linkUp(let address): phases[address.value] = .reconnecting
        default: break
        }
    }

    /// How far it has come with a device that is not linked.
    func phase(of address: UInt64) -> Phase { phases[address] ?? .looking }
}
