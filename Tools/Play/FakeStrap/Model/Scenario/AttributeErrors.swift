import BluetoothCentral

/// The requests that a strap answers with an error, by their codes (Bluetooth Core 5.4, Vol 3,
/// Part F, 3.4.1.1).
package struct AttributeErrors: Hashable, Sendable {
    /// Codes for reads of a characteristic's value.
    var reads: [BluetoothUUID: UInt8] = [:]
    /// Codes for writes to a characteristic's configuration, which a subscription makes.
    var subscriptions: [BluetoothUUID: UInt8] = [:]
}

extension AttributeErrors {
    /// Unlikely Error: also what bluetoothd makes of no answer at all.
    static let unlikely: UInt8 = 0x0E
    /// What ends the name of a characteristic if its configuration is meant.
    private static let configuration = ".CCCD"

    /// Reads errors by name, as in `{"2A38": 14, "2A37.CCCD": 128}`.
    init(reading object: inout ScenarioObject) throws(ScenarioError) {
        for name in object.names {
            guard let code: UInt8 = try object.integer(name), code > 0 else {
                throw object.wrong(name, "the code of an error, 1 to 255")
            }
            let suffix = AttributeErrors.configuration
            let isConfiguration = name.hasSuffix(suffix)
            let text = String(name.dropLast(isConfiguration ? suffix.count : 0))
            guard let characteristic = BluetoothUUID(text) else {
                throw ScenarioError("\(object.place) has to name characteristics, not \(name).")
            }
            if isConfiguration {
                subscriptions[characteristic] = code
            } else {
                reads[characteristic] = code
            }
        }
        try object.finish()
    }
}
