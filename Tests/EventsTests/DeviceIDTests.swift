import Events
import TestSupport
import Testing

@Suite("DeviceID")
struct DeviceIDTests {
    static let vectors: [(text: String, address: UInt64, space: DeviceID.Space)] = [
        ("C4:00:00:00:00:01", 0xC400_0000_0001, .random),
        ("public/00:00:00:00:00:00", 0, .public),
        ("kernel/00:00:00:00:00:07", 7, .kernel),
        ("other/FF:FF:FF:FF:FF:FF", 0xFFFF_FFFF_FFFF, .other),
        ("01:23:45:67:89:AB", 0x0123_4567_89AB, .random),
    ]

    @Test("has a text that stands for it", arguments: vectors)
    func text(_ vector: (text: String, address: UInt64, space: DeviceID.Space)) throws {
        let device = DeviceID(address: vector.address, space: vector.space)
        #expect(device.description == vector.text)
        #expect(DeviceID(vector.text) == device)
        #expect(device.address == vector.address)
        #expect(device.space == vector.space)
    }

    @Test("comes back from its text", arguments: DeviceID.Space.allCases)
    func roundTrip(_ space: DeviceID.Space) {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let device = DeviceID(address: generator.next(), space: space)
            #expect(DeviceID(device.description) == device)
            #expect(DeviceID(device.description.lowercased()) == device)
        }
    }

    @Test(
        "refuses what is no device",
        arguments: [
            "", "C4:00:00:00:00", "C4:00:00:00:00:01:02", "C4-00-00-00-00-01", "C400000000001",
            "G4:00:00:00:00:01", "random/C4:00:00:00:00:01", "Public/C4:00:00:00:00:01",
            "public/", "public/kernel/00:00:00:00:00:07", " C4:00:00:00:00:01",
            "C4:00:00:00:00:0\u{FF11}", "C4:00:00:00:00:+1",
        ])
    func refuses(_ text: String) {
        #expect(DeviceID(text) == nil)
    }

    @Test("drops bits above 48")
    func dropsHighBits() {
        let device = DeviceID(address: .max, space: .public)
        #expect(device.address == 0xFFFF_FFFF_FFFF)
        #expect(device.space == .public)
    }
}
