internal import BlueZ
internal import BluetoothCentral
package import DBus
internal import Events
package import Recording
internal import Synchronization
package import Words

/// The devices that BlueZ reaches: what the central reports happens to the recording.
package final class BluetoothSensor: Sensor {
    private struct State {
        var desire = CentralDesire()
        var central: Central?
    }

    private let address: Bus.Address
    private let radioBlock: @Sendable () -> RadioBlock?
    private let state = Mutex(State())

    /// Makes a sensor; it does nothing before ``run(into:)``.
    ///
    /// - Parameters:
    ///   - address: The bus that bluetoothd is on.
    ///   - radioBlock: Tells what keeps all adapters silent; asked when one is off.
    package init(
        address: Bus.Address = .system, radioBlock: @escaping @Sendable () -> RadioBlock? = { nil }
    ) {
        (self.address, self.radioBlock) = (address, radioBlock)
    }

    /// Says what is wanted from now on.
    package func want(_ wish: SensorWish) {
        state.withLock { state in
            state.desire = wish.central
            state.central?.want(wish.central)
        }
    }

    /// Senses until the task is cancelled; then leaves all devices, which takes some seconds.
    package func run(into inbox: Inbox) async {
        let central = Central(address: address) { [radioBlock] report, arrival in
            if case .adapterStateChanged(let change) = report, change.state == .poweredOff {
                inbox.insist(Arrived(.radioBlockFound(radioBlock()), at: arrival))
            }
            inbox.put(report, at: arrival)
        }
        // Within the lock, or an older wish could be delivered after a newer one.
        state.withLock { state in
            state.central = central
            central.want(state.desire)
        }
        await central.run()
    }
}
