internal import BluetoothCentral
internal import Events

extension CentralReport {
    /// The event that records this report by itself; nil if there is none, or if ``CentralIntake``
    /// makes it of more than the report.
    func event(device: (BluetoothAddress) -> DeviceID) -> Event? {
        switch self {
        case .adapterStateChanged(let change):
            .adapterStateChanged(
                AdapterStateChanged(
                    state: change.state, cause: change.cause,
                    adapter: (change.adapter ?? "").fitting(64)))
        case .linkLost(let address, let loss):
            .linkLost(
                LinkLost(
                    device: device(address), cause: loss.cause,
                    reason: loss.reason?.fitting(256)))
        case .subscribed(let address, let uuid):
            CharacteristicCode(uuid).map {
                .subscribed(Subscribed(device: device(address), characteristic: $0))
            }
        case .valueNotified(let address, let uuid, let value):
            CharacteristicCode(uuid).map { $0.event(of: device(address), value, isNotified: true) }
        case .valueCut(let address, let uuid, let fullByteCount, let value):
            CharacteristicCode(uuid).map {
                $0.cut(of: device(address), fullLength: UInt64(fullByteCount), value)
            }
        case .valueRead(let address, let uuid, let value):
            CharacteristicCode(uuid).map {
                .characteristicRead(
                    CharacteristicRead(device: device(address), characteristic: $0, value: value))
            }
        case .intakeFinding(.droppedMessage, _):
            .intakeOverflowed(IntakeOverflowed(intake: .bus, lostEvents: 1))
        case .busUnavailable, .deviceSeen, .connecting, .connectFailed, .linkUp, .linkDown,
            .servicesFound, .servicesUnresolved, .measurementMissing, .subscribeFailed, .silent,
            .readFailed, .intakeFinding:
            nil
        }
    }

    /// The device that this is about; nil if it is about none.
    var device: BluetoothAddress? {
        switch self {
        case .deviceSeen(let device), .connecting(let device, _), .linkUp(let device),
            .servicesFound(let device):
            device.address
        case .connectFailed(let address, _, _), .linkDown(let address), .linkLost(let address, _),
            .measurementMissing(let address, _), .servicesUnresolved(let address),
            .subscribed(let address, _), .subscribeFailed(let address, _, _, _),
            .silent(let address, _, _), .valueNotified(let address, _, _),
            .valueCut(let address, _, _, _), .valueRead(let address, _, _),
            .readFailed(let address, _, _):
            address
        case .adapterStateChanged, .busUnavailable, .intakeFinding: nil
        }
    }
}
