package import BluetoothCentral

/// What FakeStrap has to tell about its play.
package enum Report: Hashable, Sendable {
    /// A strap sent a value.
    case sent(Sent)
    /// Something could not be done; a sentence for people.
    case problem(String)
    /// All parts of the scenario are over.
    case ended
    /// The bus went away; nothing can come any more.
    case busLost

    /// A value that a strap sent.
    package struct Sent: Hashable, Sendable {
        /// When, on the boot clock.
        package var bootMilliseconds: UInt64
        /// The strap's address.
        package var address: String
        /// The characteristic.
        package var characteristic: BluetoothUUID
        /// The value.
        package var value: [UInt8]
        /// How often it was signalled; 0 if it was lost, because nobody was subscribed.
        package var signalCount: Int
    }
}
