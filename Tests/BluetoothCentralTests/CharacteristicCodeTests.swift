import BluetoothCentral
import Events
import Testing

@Suite("Characteristics by name")
struct CharacteristicCodeTests {
    static let names: [(CharacteristicCode, short: String, full: String)] = [
        (.heartRateMeasurement, "2a37", "00002a37-0000-1000-8000-00805f9b34fb"),
        (.bodySensorLocation, "2a38", "00002a38-0000-1000-8000-00805f9b34fb"),
        (.manufacturerName, "2a29", "00002a29-0000-1000-8000-00805f9b34fb"),
        (.batteryLevel, "2a19", "00002a19-0000-1000-8000-00805f9b34fb"),
        (.runningSpeedCadenceMeasurement, "2a53", "00002a53-0000-1000-8000-00805f9b34fb"),
        (
            .infiniTimeStepCount, "00030001-78fc-48fe-8e23-433b3a1942d0",
            "00030001-78fc-48fe-8e23-433b3a1942d0"
        ),
    ]

    @Test("prints and parses both forms, in capitals or not, with 0x or without")
    func printsAndParses() {
        #expect(Self.names.map(\.0) == CharacteristicCode.allCases)
        for (code, short, full) in Self.names {
            #expect(code.shortUUID == short)
            for text in [short, full, short.uppercased(), full.uppercased(), "0x" + short] {
                #expect(CharacteristicCode(uuid: text) == code)
            }
        }
        for other in ["0x", "0x0x2a37", "2a39"] { #expect(CharacteristicCode(uuid: other) == nil) }
    }
}
