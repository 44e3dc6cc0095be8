package import BluetoothCentral

/// The devices that are in range, for whoever picks one.
package struct DevicesInRange: Hashable, Sendable {
    /// How long a device that is no longer heard is reported.
    private static let silenceSeconds: UInt64 = 120
    /// The most devices that are reported.
    private static let limit = 64

    private struct Heard: Hashable, Sendable {
        var sighting: DeviceSighting
        /// When, on the boot clock.
        var at: UInt64
    }

    private var heard: [BluetoothAddress: Heard] = [:]

    /// Which devices are reported.
    let scan: CentralDesire.Scan

    init(_ scan: CentralDesire.Scan) {
        self.scan = scan
    }

    /// The devices, the strongest first.
    package var devices: [DeviceSighting] {
        heard.values.map(\.sighting).sorted {
            ($1.rssi ?? .min, $0.address.value) < ($0.rssi ?? .min, $1.address.value)
        }
    }

    /// The device of an address, if it is in range.
    package subscript(address: BluetoothAddress) -> DeviceSighting? { heard[address]?.sighting }

    /// Hears a report; what BlueZ merely remembers is not in range.
    mutating func hear(_ report: CentralReport, at now: UInt64) {
        guard case .deviceSeen(let device) = report, scan.shows(device) else { return }
        guard !device.isStale || device.isLinked else { return heard[device.address] = nil }
        heard[device.address] = Heard(sighting: device, at: now)
        // The weakest goes: addresses can be made up without end.
        if heard.count > Self.limit, let last = devices.last { heard[last.address] = nil }
    }

    /// Lets time pass: BlueZ reports only changes, and forgets some devices without a word.
    mutating func passTime(at now: UInt64) {
        heard = heard.filter { now < $0.value.at + Self.silenceSeconds * 1_000 }
    }
}
