import BluetoothCaptures
import Events
import Testing

@Suite("Captures in text")
struct TextTests {
    static let values: [(String, [UInt8]?)] = [
        ("1653b402", [0x16, 0x53, 0xB4, 0x02]),
        (" 16 53 B4 02 ", [0x16, 0x53, 0xB4, 0x02]),
        ("16:53:b4:02", [0x16, 0x53, 0xB4, 0x02]),
        ("16-53", [0x16, 0x53]),
        ("0x16, 0x53", [0x16, 0x53]),
        ("0x1653", [0x16, 0x53]),
        ("[22, 83, 180, 2]", [0x16, 0x53, 0xB4, 0x02]),
        ("[]", []),
        ("", []),
        (#"b'\x16S\xb4\x02'"#, [0x16, 0x53, 0xB4, 0x02]),
        (#"bytearray(b'\x16H\n\\\'')"#, [0x16, 0x48, 10, 92, 39]),
        ("165", nil),
        ("16 5", nil),
        ("0x", nil),
        ("[22, 256]", nil),
        ("[22, -1]", nil),
        ("[22", nil),
        ("[1,,2]", nil),
        (#"b'\x1'"#, nil),
        ("b'16", nil),
        ("bpm 72", nil),
    ]

    @Test("spell values in several ways", arguments: values)
    func spellings(_ value: (text: String, bytes: [UInt8]?)) {
        #expect(ValueText(value.text)?.bytes == value.bytes)
    }

    private func reading(
        _ text: String, _ format: CaptureFormat? = nil,
        assignments: [UInt16: CharacteristicCode] = [:]
    ) throws -> CaptureReading {
        let whole = try CaptureReading(Array(text.utf8), format, assignments: assignments)
        let pieces = try CaptureReading(
            Array(text.utf8), whole.survey.format, pieceBytes: 3, assignments: assignments)
        #expect(whole.story == pieces.story)
        return whole
    }

    @Test("are lists of values, a second apart")
    func lines() throws {
        let reading = try reading("# a bug report\n1648\r\n\n[22, 73]", .lines)
        #expect(
            reading.story == [
                "0 started", "0 heartRateMeasurement 1648", "1 heartRateMeasurement 1649",
                "1 ended",
            ])
        #expect(reading.survey.hasAssumedTimes)
    }

    @Test("name the line that is no value")
    func badLine() throws {
        let reading = try reading("1648\nnot a value\n1649\n", .lines)
        #expect(reading.heartRates == ["1648"])
        #expect(reading.survey.damage?.offset == 5)
        #expect(reading.survey.damage?.description.contains("line 2 is not a value") == true)
    }

    @Test("are notifications of gatttool, whose handle is given by hand")
    func gatttool() throws {
        let text = """
            Characteristic value was written successfully
            Notification handle = 0x0010 value: 16 48 02 03\u{20}
            Notification handle = 0x0012 value: 50\u{20}
            """
        #expect(try reading(text).survey.unknownHandles.map(\.count) == [1, 1])
        let known = try reading(text, assignments: [0x10: .heartRateMeasurement])
        #expect(known.heartRates == ["16480203"])
    }

    @Test("pass over what is named as something else")
    func foreign() throws {
        let log = "2026-03-01 09:00:00 00002a6e-0000-1000-8000-00805f9b34fb: bytearray(b'\\x00H')\n"
        let reading = try CaptureReading(Array(log.utf8), .notifications)
        #expect(reading.heartRates.isEmpty)
        #expect(reading.survey.unknownHandles.isEmpty)
    }

    @Test("are logs of bleak, with times and UUIDs")
    func bleak() throws {
        let text = #"""
            2026-03-01 09:00:00,250 INFO: connected
            2026-03-01T09:00:01,25 00002a37-0000-1000-8000-00805f9b34fb (Handle: 16) b'\x16H'
            2026-03-01 09:00:02,500 INFO 2a37 b'\x00I'
            2026-03-01 09:00:03,000 00002a19-0000-1000-8000-00805f9b34fb: bytearray(b'd')
            """#
        let reading = try reading(text)
        #expect(reading.heartRates == ["1648", "0049"])
        #expect(reading.survey.values == [.heartRateMeasurement: 2, .batteryLevel: 1])
        #expect(!reading.survey.hasAssumedTimes)
        let times = reading.events.headers.map(\.stamp.wallMilliseconds)
        #expect(times.first == 1_772_355_601_250 && times.last == 1_772_355_603_000)
    }

    @Test(
        "are the output of btmon, with each of its times",
        arguments: [
            ("5.123456", Int64(5_123)), ("09:00:01.5", 32_401_500),
            ("2026-03-01 09:00:01.5", 1_772_355_601_500),
        ])
    func btmon(_ time: (text: String, milliseconds: Int64)) throws {
        let text = """
            Bluetooth monitor ver 5.66
            > ACL Data RX: Handle 64 flags 0x02 dlen 17     #27 [hci0] \(time.text)
                  ATT: Find Information Response (0x05) len 17
                    Format: UUID-16 (0x01)
                    Handle: 0x003b
                    UUID: Heart Rate Measurement (0x2a37)
            > ACL Data RX: Handle 64 flags 0x02 dlen 11     #28 [hci0] \(time.text)
                  ATT: Handle Value Notification (0x1b) len 6
                    Handle: 0x003b
                      Data: 1648b402
            < ACL Data TX: Handle 64 flags 0x00 dlen 11     #29 [hci0] \(time.text)
                  ATT: Handle Value Notification (0x1b) len 4
                    Handle: 0x003b
                      Data: 0050
            > ACL Data RX: Handle 64 flags 0x02 dlen 11     #30 [hci0] \(time.text)
                  ATT: Handle Value Notification (0x1b) len 4
                    Handle: 0x003b Type: Heart Rate Measurement (0x2a37)
                      Data[2]: 0049
            """
        let reading = try reading(text)
        #expect(reading.heartRates == ["1648b402", "0049"])
        let stamp = reading.events.headers.first?.stamp
        #expect(stamp?.wallMilliseconds == time.milliseconds)
    }
}
