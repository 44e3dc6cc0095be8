package import BluetoothCentral
package import Events
internal import Projections

extension CentralDesire {
    /// The most pedometers that are asked for steps: an adapter holds only some links at once.
    private static let pedometerLimit = 7

    /// What the central is to do in a state: keep the primary strap, or look for one, and keep all
    /// pedometers.
    ///
    /// A paused session needs no heart rate; the day's steps continue.
    ///
    /// - Parameters:
    ///   - state: The present state.
    ///   - chosen: The strap to use instead of the primary one.
    ///   - found: The device that a search has found, to be paired once it notifies.
    ///   - scanning: Which devices a search listens for; nil for none.
    init(
        _ state: LogState, strap chosen: BluetoothAddress?, found: WantedDevice? = nil,
        scanning: Scan? = nil
    ) {
        let devices = state.own.devices
        let strap = chosen ?? devices.primary(.heart).flatMap { BluetoothAddress($0) }
        let isAtRest = state.own.sessions.isAtRest
        var wanted: [WantedDevice] = []
        if let strap {
            // What was named may be paired for its steps.
            let roles = devices.paired.first { $0.id.address == strap.value }?.roles ?? .heart
            let isHeard = !isAtRest && roles.contains(.heart)
            var device = WantedDevice(
                address: strap, measurements: isHeard ? [.heartRateMeasurement] : [])
            let known = devices.all.first { $0.id.address == strap.value }
            device.silenceMilliseconds =
                (known?.link.cadence ?? Cadence()).silenceMilliseconds(state.rules)
            wanted.append(device)
        }
        if let found {
            wanted.removeAll { $0.address == found.address }
            wanted.append(found)
        }
        // All that there is room for are recorded; the fold counts the chosen one.
        let pedometers = devices.paired.filter { !$0.roles.stepCounts.isEmpty }
        for pedometer in pedometers.prefix(Self.pedometerLimit) {
            guard let address = BluetoothAddress(pedometer.id) else { continue }
            let measurements = pedometer.roles.stepCounts
            if let index = wanted.firstIndex(where: { $0.address == address }) {
                wanted[index].measurements.formUnion(measurements)
            } else {
                wanted.append(
                    WantedDevice(
                        address: address, measurements: measurements, details: [.batteryLevel]))
            }
        }
        self.init(scanning: scanning, devices: wanted)
    }
}

extension Roles {
    /// What counts steps on a device with these roles.
    fileprivate var stepCounts: Set<BluetoothUUID> { subtracting(.heart).characteristics }
}

extension BluetoothAddress {
    /// The address of a Bluetooth device, or nil for what is no Bluetooth device.
    package init?(_ device: DeviceID) {
        guard device.space == .public || device.space == .random else { return nil }
        self.init(device.address)
    }
}
