internal import BlueZ
internal import Events
internal import Projections

extension CentralDesire {
    /// What the central is to do in a state: keep the primary devices, or look for a strap.
    ///
    /// A paused session wants no heart rate; the day's steps go on (PRODUCT S4).
    ///
    /// - Parameters:
    ///   - state: The present state.
    ///   - chosen: The strap to use instead of the primary one.
    init(_ state: LogState, strap chosen: BluetoothAddress?) {
        let devices = state.live.devices
        let strap = chosen ?? devices.primary(.heart).flatMap { BluetoothAddress($0) }
        let isPaused = state.live.sessions.open?.state == .paused
        var wanted: [WantedDevice] = []
        if let strap {
            wanted.append(
                WantedDevice(
                    address: strap, measurements: isPaused ? [] : [.heartRateMeasurement]))
        }
        if let id = devices.primary(.pedometer), let address = BluetoothAddress(id) {
            let roles = devices[id]?.roles ?? []
            var measurements: Set<BluetoothUUID> = []
            if roles.contains(.footPod) { measurements.insert(.rscMeasurement) }
            if roles.contains(.watch) { measurements.insert(.infiniTimeStepCount) }
            if let index = wanted.firstIndex(where: { $0.address == address }) {
                wanted[index].measurements.formUnion(measurements)
            } else if !measurements.isEmpty {
                wanted.append(
                    WantedDevice(
                        address: address, measurements: measurements, details: [.batteryLevel]))
            }
        }
        self.init(scanning: strap == nil ? [.heartRate] : nil, devices: wanted)
    }
}

extension BluetoothAddress {
    /// The address of a Bluetooth device, or nil for a sensor.
    init?(_ device: DeviceID) {
        guard device.space == .public || device.space == .random else { return nil }
        self.init(device.address)
    }
}
