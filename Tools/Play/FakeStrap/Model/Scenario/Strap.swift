import BluetoothCentral

/// A peripheral in the air: what it is, what it holds, and how it behaves right now.
package struct Strap: Hashable, Sendable {
    /// What the scenario calls it.
    var id: String
    /// The name it advertises, a stranger's text; nil for none.
    var name: String?
    /// The Bluetooth address, as in `C4:00:00:00:00:01`.
    var address: String
    /// `random` or `public`.
    var addressType = "random"
    /// Signal strength in dBm as the adapter reports it; 127 is "not available", nil leaves it out.
    var rssi: Int16? = -58
    /// What it offers, in the order of its handles.
    var services: [GattService]
    /// The services that it advertises; those that tell what kind of device it is.
    var advertised: [BluetoothUUID]
    /// Whether it can be heard and connected to.
    package var isAdvertising = true
    /// What the first adapter knows of it when the play begins.
    var acquaintance = Acquaintance.stranger
    /// The largest packet it takes, in bytes.
    var mtu: UInt16 = 247
    /// Whether its characteristics can be read and subscribed to only after pairing.
    var isEncrypted = false
    /// Whether it sends and answers nothing, though its link stays.
    var isMute = false
    /// The requests that it answers with errors.
    var errors = AttributeErrors()
    /// What it, or BlueZ on its behalf, does wrong.
    package var faults = Faults()

    /// Makes a strap that advertises all of its services that tell what kind of device it is.
    package init(id: String, name: String?, address: String, services: [GattService]) {
        (self.id, self.name, self.address, self.services) = (id, name, address, services)
        advertised = services.map(\.uuid).filter { GattService.advertised.contains($0) }
    }
}

extension Strap {
    /// What a read of a characteristic gives.
    func value(of uuid: BluetoothUUID) -> [UInt8] {
        services.flatMap(\.characteristics).first { $0.uuid == uuid }?.value ?? []
    }

    /// Gives a characteristic a value; nothing happens if the strap does not have it.
    mutating func setValue(_ value: [UInt8], of uuid: BluetoothUUID) {
        for service in services.indices {
            for index in services[service].characteristics.indices
            where services[service].characteristics[index].uuid == uuid {
                services[service].characteristics[index].value = value
            }
        }
    }

    /// What an adapter knows of a strap when the play begins.
    package enum Acquaintance: Hashable, Sendable {
        /// Nothing.
        case stranger
        /// Somebody trusted it once: it has an object, whether or not it is there, and for ever.
        case remembered
        /// The same, and it has a link, which another program made: it does not advertise.
        case linked
    }

    /// Misbehaviour, each kind seen with real straps or a real bluetoothd; none by default.
    package struct Faults: Hashable, Sendable {
        /// Whether it is heard, but attempts to connect to it come to nothing.
        package var isDeaf = false
        /// Whether bluetoothd is lost in an attempt to connect, which only `Disconnect` ends.
        package var isLosingAttempts = false
        /// How many of the next links break in the moment they are made (error 0x3e).
        package var brokenLinks = 0
        /// How long its links last, because it is almost out of range; nil for no limit.
        package var linkMilliseconds: UInt64?
        /// How much later than usual its services appear.
        package var servicesDelayMilliseconds: UInt64 = 0
        /// How long after `ServicesResolved` the objects appear, instead of before (bluez 1489).
        package var objectsDelayMilliseconds: UInt64?
        /// Values sent at the next subscription before `StartNotify` is answered (bleak 374).
        package var earlyValues: [[UInt8]] = []
        /// How often each value is signalled to each subscriber.
        package var copies = 1

        package init() {}
    }
}

/// A service of a strap.
package struct GattService: Hashable, Sendable {
    /// What it is.
    var uuid: BluetoothUUID
    /// What it consists of, in the order of the handles.
    var characteristics: [GattCharacteristic]
}

/// A characteristic of a strap.
package struct GattCharacteristic: Hashable, Sendable {
    /// What it is.
    var uuid: BluetoothUUID
    /// What may be done with it, in the words of BlueZ: `read`, `notify`.
    var flags: [String]
    /// What a read gives.
    var value: [UInt8] = []
}
