/// A Bluetooth adapter of the machine: what it is, and how the play finds it.
package struct Controller: Hashable, Sendable {
    /// The Bluetooth address, as in `00:AA:01:00:00:42`.
    var address: String
    /// Whether it is switched on.
    var isPowered = true
    /// Whether it is there at all.
    var isPlugged = true
    /// What it can be, in the words of BlueZ: `central`, `peripheral`.
    var roles = ["central", "peripheral"]

    /// Makes an adapter that is there and switched on, with an address of its own.
    init(index: Int = 0) {
        let digits = String(0x42 + index, radix: 16, uppercase: true)
        address = "00:AA:01:00:00:" + digits
    }
}
