import Testing

@testable import BluetoothCentral

@Suite("Bluetooth addresses and UUIDs")
struct BluetoothNameTests {
    @Test("addresses are read and written as people do")
    func addresses() {
        let address = BluetoothAddress("c4:00:0a:00:00:01")
        #expect(address?.value == 0xC4_00_0A_00_00_01)
        #expect(address?.description == "C4:00:0A:00:00:01")
        #expect(BluetoothAddress(0).description == "00:00:00:00:00:00")
        #expect(BluetoothAddress("FF:FF:FF:FF:FF:FF")?.value == 0xFFFF_FFFF_FFFF)
    }

    @Test(
        "what is no address is none",
        arguments: [
            "", "C4", "C4:00:00:00:00", "C4:00:00:00:00:01:", "C4:00:00:00:00:0",
            "C4-00-00-00-00-01",
            "C4:00:00:00:00:0G", "C4:00:00:00:00:+1", "C4:00:00:00:00:001", "C4:00:00::00:01",
        ])
    func noAddresses(_ text: String) {
        #expect(BluetoothAddress(text) == nil)
    }

    @Test("UUIDs are read in both forms and written in the shorter one")
    func uuids() {
        #expect(BluetoothUUID("2a37") == .heartRateMeasurement)
        #expect(
            BluetoothUUID("00002a37-0000-1000-8000-00805f9b34fb") == .heartRateMeasurement)
        #expect(BluetoothUUID.heartRateMeasurement.description == "2A37")
        #expect(BluetoothUUID.heartRateMeasurement.short == 0x2A37)
        #expect(
            BluetoothUUID.heartRateMeasurement.text == "00002a37-0000-1000-8000-00805f9b34fb")
        let steps = "00030001-78fc-48fe-8e23-433b3a1942d0"
        #expect(BluetoothUUID(steps) == .infiniTimeStepCount)
        #expect(BluetoothUUID.infiniTimeStepCount.description == steps)
        #expect(BluetoothUUID.infiniTimeStepCount.short == nil)
        // 32-bit numbers have no short form here.
        #expect(BluetoothUUID("00012a37-0000-1000-8000-00805f9b34fb")?.short == nil)
        #expect(
            BluetoothUUID.nordicFirmwareUpdate.text == "00001530-1212-efde-1523-785feabcd123")
    }

    @Test(
        "what is no UUID is none",
        arguments: [
            "", "2A3", "2A37A", "00002a37-0000-1000-8000-00805f9b34f",
            "00002a37-0000-1000-8000-00805f9b34fbb", "00002a37-0000-1000-8000-00805f9b34f-",
            "00002a3700001000800000805f9b34fb", "00002a37_0000-1000-8000-00805f9b34fb",
            "0000ä37-0000-1000-8000-00805f9b34fb",
        ])
    func noUUIDs(_ text: String) {
        #expect(BluetoothUUID(text) == nil)
    }
}
