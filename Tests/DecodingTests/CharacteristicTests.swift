import Decoding
import Testing

@Suite("Characteristic")
struct CharacteristicTests {
    static let names: [(Characteristic, short: String, full: String)] = [
        (.heartRateMeasurement, "2a37", "00002a37-0000-1000-8000-00805f9b34fb"),
        (.bodySensorLocation, "2a38", "00002a38-0000-1000-8000-00805f9b34fb"),
        (.batteryLevel, "2a19", "00002a19-0000-1000-8000-00805f9b34fb"),
        (.manufacturerName, "2a29", "00002a29-0000-1000-8000-00805f9b34fb"),
        (.runningSpeedCadenceMeasurement, "2a53", "00002a53-0000-1000-8000-00805f9b34fb"),
        (
            .infiniTimeStepCount, "00030001-78fc-48fe-8e23-433b3a1942d0",
            "00030001-78fc-48fe-8e23-433b3a1942d0"
        ),
    ]

    @Test("prints and parses both forms, in capitals or not")
    func printsAndParses() {
        #expect(Self.names.map(\.0) == Characteristic.allCases)
        for (characteristic, short, full) in Self.names {
            #expect(characteristic.shortUUID == short)
            #expect(characteristic.uuid == full)
            for text in [short, full, short.uppercased(), full.uppercased()] {
                #expect(Characteristic(uuid: text) == characteristic)
            }
        }
    }

    @Test("knows the assigned numbers")
    func knowsAssignedNumbers() {
        let numbers = Characteristic.allCases.map(\.assignedNumber)
        #expect(numbers == [0x2A37, 0x2A38, 0x2A19, 0x2A29, 0x2A53, nil])
    }

    @Test(
        "finds nothing under another text",
        arguments: [
            "", "2a3", "2a370", "2a39", "0x2a37", " 2a37", "2a37\n", "00002a37",
            "00002a37-0000-1000-8000-00805f9b34fc", "00002a3700001000800000805f9b34fb",
            "{00002a37-0000-1000-8000-00805f9b34fb}", "0003", "00030001",
            "00030002-78fc-48fe-8e23-433b3a1942d0",
        ])
    func findsNothing(_ text: String) {
        #expect(Characteristic(uuid: text) == nil)
    }
}
