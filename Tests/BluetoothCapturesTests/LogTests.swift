import BluetoothCaptures
import Events
import Testing

/// 2026-03-01T09:00:00Z in milliseconds.
private let nine: Int64 = 1_772_355_600_000
private let second: Int64 = 1_000

private func reading(
    _ text: String, times: StatedTimes = StatedTimes(), pieceBytes: Int = 65_536
) throws -> CaptureReading {
    try CaptureReading(Array(text.utf8), pieceBytes: pieceBytes, times: times)
}

@Suite("Logs of values")
struct LogTests {
    private static let uuid = "00002a37-0000-1000-8000-00805f9b34fb"

    @Test(
        "are read in the form of each program",
        arguments: [
            "I\t09:00:00.250\tNotification received from \(uuid), value: (0x) 16-3C-84-03",
            "V 09:00:00.250 Notification received from 2A37, value: (0x) 16-3C-84-03",
            "Attribute value changed, handle: 0x10, uuid: 0x2A37, value (0x): 16-3C-84-03",
            "Updated Value of Characteristic 2A37 to 0x163C8403.",
            "Characteristic (2A37) notified: <163c8403>",
            "[09:00:00] Heart Rate Measurement 0x2A37 value: 16 3C 84 03, \"60 bpm\"",
            "12:00:00.250 4711 beef \(uuid): bytearray(b'\\x16<\\x84\\x03')",
            "2026-03-01 09:00:00.250 [1000] \(uuid) b\"\\x16<\\x84\\x03\"",
            "1772355600.250 1010 face \(uuid) -> 163c8403",
            "notify 0x2a37: [22, 60, 132, 3]", "\(uuid) = 16:3c:84:03",
            "> > \(uuid) value: 163c8403", "\u{1B}[1;32m\(uuid)\u{1B}[0m value: 163c8403",
        ])
    func forms(_ line: String) throws {
        #expect(try reading(line + "\n" + line).heartRates == ["163c8403", "163c8403"])
    }

    @Test(
        "take nothing for a characteristic but what names one",
        arguments: [
            ("[1000] 00002a6e-0000-1000-8000-00805f9b34fb: b'\\x16<'", 0, 0),
            ("port 2037 beef: b'\\x16<'", 1, 0),
            ("\(uuid): bytearray(b'\\x1')", 0, 1),
            ("\(uuid), value: (0x) 16-3", 0, 1),
            ("Notification handle = 0x0010 value: 16 4", 0, 1),
        ])
    func names(_ line: String, _ values: Int, _ unread: Int) throws {
        let good = "2026-03-01 09:00:00 \(Self.uuid): b'\\x16<'\n"
        let reading = try reading(good + line)
        #expect(reading.heartRates.count == values + 1)
        #expect(reading.survey.unreadLines == UInt64(unread))
    }

    @Test(
        "learn the handles that gatttool, hcidump and bluetoothctl list",
        arguments: [
            "handle: 0x0010, uuid: \(uuid)", "handle = 0x0010, uuid = 2a37",
            "handle: 0x000f, char properties: 0x10, char value handle: 0x0010, uuid: \(uuid)",
            "handle = 0x000f, char properties = 0x10, char value handle = 0x0010, uuid = \(uuid)",
            "attr handle: 0x000e, end grp handle: 0x0013 uuid: "
                + "0000180d-0000-1000-8000-00805f9b34fb",
            "attr handle = 0x000e, end grp handle = 0x0013 uuid: 180d",
        ])
    func handles(_ line: String) throws {
        let text = """
            [C4:00:00:00:00:01][LE]> char-desc
            \(line)
            handle: 0x0011, uuid: 00002902-0000-1000-8000-00805f9b34fb
            Notification handle = 0x0010 value: 16 3c 84 03\u{20}
            Notification handle = 0x0011 value: 16 3c 84 03\u{20}
            """
        #expect(try reading(text).heartRates == ["163c8403"])
        #expect(try reading(text).survey.unknownHandles.isEmpty)
    }

    @Test("are bluetoothctl's, with the value in the lines after its name")
    func bluetoothctl() throws {
        let path = "/org/bluez/hci0/dev_C4_00_00_00_00_01/service000e/char000f"
        let text = """
            [NEW] Characteristic (Handle 0x000f)
            \t\(path)
            \t\(Self.uuid)
            \tHeart Rate Measurement
            \u{1}\u{1B}[0;94m\u{2}[Band]\u{1}\u{1B}[0m\u{2}# notify on
            [\u{1B}[0;93mCHG\u{1B}[0m] Attribute \(path) Value:
              16 3c 84 03                                      .<..
            [CHG] Attribute \(path) Value:
              16 3d 85 03                                      .=..
            """
        let reading = try reading(text)
        let last = "[CHG] Attribute \(path) Value:\n  16 3c 84 03    .<.."
        #expect(CaptureFormat(recognizing: Array(last.utf8).span) == .notifications)
        #expect(reading.heartRates == ["163c8403", "163d8503"])
        #expect(reading.survey.timeGaps == [.date])
    }

    @Test("are hcidump's, in lines below a packet")
    func hcidump() throws {
        let text = """
            HCI sniffer - Bluetooth packet analyzer ver 5.66
            2026-03-01 09:00:00.250000 > ACL data: handle 64 flags 0x02 dlen 11
                ATT: Find Information resp (0x05)
                  format: uuid-16
                  handle 0x0010, uuid 2a37
            2026-03-01 09:00:03.250000 > ACL data: handle 64 flags 0x02 dlen 11
                ATT: Handle notify (0x1b)
                  handle 0x0010
                  value  0x16 0x3c 0x84 0x03\u{20}
            """
        let reading = try reading(text)
        #expect(reading.heartRates == ["163c8403"])
        #expect(reading.events.headers.first?.stamp.wallMilliseconds == nine + 3_250)
    }

    @Test("of btmon are read in colour, indented, quoted, and from UTF-16")
    func btmonCopies() throws {
        let plain = """
            Bluetooth monitor ver 5.66
            > ACL Data RX: Handle 64 flags 0x02 dlen 11    #1 [hci0] 2026-03-01 09:00:05.123456
                  ATT: Handle Value Notification (0x1b) len 6
                    Handle: 0x0010 Type: Heart Rate Measurement (0x2a37)
                      Data[4]: 163c8403
            < ACL Data TX: Handle 64 flags 0x00 dlen 7     #2 [hci0] 2026-03-01 09:00:06.123456

            """
        func copy(_ change: (Substring) -> String) -> String {
            plain.split(separator: "\n").map(change).joined(separator: "\r\n")
        }
        let copies = [
            copy { "> " + $0 }, copy { ">> " + $0 }, copy { "    " + $0 }, copy { "\t" + $0 },
            copy { "\u{1B}[0;36m\($0)\u{1B}[0m" }, copy { "[0;36m\($0)[0m" },
            copy { "> \u{1B}[1m\($0)\u{1B}[m" }, "\u{FEFF}" + plain,
        ]
        for text in copies {
            for pieces in [1, 65_536] {
                let reading = try reading(text, pieceBytes: pieces)
                #expect(reading.heartRates == ["163c8403"], "\(text)")
                #expect(reading.survey.timeGaps == [.zone])
            }
        }
        for isBig in [false, true] {
            let units = ("\u{FEFF}" + plain).utf16
            let bytes = units.flatMap { unit in
                isBig
                    ? [UInt8(unit >> 8), UInt8(unit & 0xFF)]
                    : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            }
            #expect(try CaptureReading(bytes, pieceBytes: 3).heartRates == ["163c8403"])
        }
    }

    @Test("answer whatever stands in them")
    func anything() throws {
        for line in [
            "", "[", "\u{1B}", "\u{1B}[", "[;", ">>>>", "b'", "/char", "value:", "uuid handle",
        ] {
            let text = line + "\n\(Self.uuid) value: 163c\n" + line
            #expect(try reading(text).heartRates == ["163c"], "\(line)")
        }
    }
}

@Suite("Times of texts")
struct TextTimeTests {
    private static let value = " 00002a37-0000-1000-8000-00805f9b34fb: b'\\x16<'"

    @Test(
        "are whole where they tell their zone",
        arguments: [
            "2026-03-01T09:00:00.250Z", "2026-03-01 10:00:00.250+01:00",
            "2026-03-01T03:30:00.250-0530", "2026-03-01T10:00:00,250+01",
            "2026-03-01 10:00:00.250 +0100", "[2026-03-01T09:00:00.250Z]", "1772355600.250",
            "1772355600250", "2026/03/01 09:00:00.250Z", "INFO 2026-03-01T09:00:00.250Z",
        ])
    func whole(_ time: String) throws {
        let reading = try reading(time + Self.value)
        #expect(reading.survey.timeGaps.isEmpty && !reading.survey.hasAssumedTimes)
        #expect(reading.events.headers.first?.stamp.wallMilliseconds == nine + 250)
    }

    @Test(
        "need a zone or a date where they do not tell it, and take it from a person",
        arguments: [
            ("2026-03-01 10:00:00,250", StatedTimes.Gap.zone), ("10:00:00.250", .date),
            ("10:00:00.250 AM", .date), ("03-01 10:00:00.250", .date),
            ("Mar  1 10:00:00.250", .date), ("3600.250", .date), ("10:00:00.250 I", .date),
        ])
    func gaps(_ time: String, _ gap: StatedTimes.Gap) throws {
        #expect(try reading(time + Self.value).survey.timeGaps == [gap])
        let times = StatedTimes(beganAtMilliseconds: nine - 3_600 * second) { _ in 60 }
        let told = try reading(time + Self.value, times: times)
        #expect(told.survey.timeGaps.isEmpty)
        #expect(told.events.headers.first?.stamp.wallMilliseconds == nine + 250, "\(time)")
    }

    @Test("are not the numbers of lines")
    func lineNumbers() throws {
        let reading = try reading("1000" + Self.value + "\n1001" + Self.value)
        #expect(reading.survey.hasAssumedTimes && reading.heartRates.count == 2)
    }

    @Test("go on over midnight where they tell no date")
    func midnight() throws {
        let text = ["23:59:59.5", "00:00:01.5", "00:00:02"].map { $0 + Self.value }
        let times = StatedTimes(beganAtMilliseconds: nine) { _ in 0 }
        let reading = try reading(text.joined(separator: "\n"), times: times)
        let wall = reading.events.headers.map(\.stamp.wallMilliseconds)
        #expect(wall.last == nine + 15 * 3_600_000 + 2_000)
        #expect(wall.first == nine + 15 * 3_600_000 - 500)
    }

    @Test("that cannot be read are said, and no second is made up for them")
    func unreadable() throws {
        for text in [
            ["99:00:01", "99:00:02", "99:00:03"],
            ["2026-02-29T09:00:01Z", "2026-04-31T09:00:01Z", "2026-02-31T09:00:03Z"],
        ] {
            let text = text.map { $0 + Self.value }.joined(separator: "\n")
            let reading = try reading(text)
            #expect(reading.survey.timeGaps == [.unreadable], "\(text)")
            #expect(!reading.survey.hasAssumedTimes && reading.heartRates.count == 3)
            #expect(reading.events.headers.last?.stamp.bootMilliseconds == 0)
        }
        let leap = try reading("2024-02-29T09:00:01Z" + Self.value)
        #expect(leap.survey.timeGaps.isEmpty)
    }

    @Test("are assumed from the beginning on that a person names, where there are none")
    func assumed() throws {
        let times = StatedTimes(beganAtMilliseconds: nine)
        let lines = try CaptureReading(Array("0048\n0049\n".utf8), .lines, times: times)
        #expect(lines.survey.timeGaps.isEmpty && lines.survey.hasAssumedTimes)
        #expect(lines.events.headers.last?.stamp.wallMilliseconds == nine + 2_000)
    }
}
