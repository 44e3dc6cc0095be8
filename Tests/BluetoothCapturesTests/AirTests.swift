import BluetoothCaptures
import Testing

@Suite("Captures of the air")
struct AirTests {
    /// A capture of link type 251, 256 or 272.
    private struct Air {
        var file: [UInt8] = [
            0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0,
        ]
        let link: UInt16
        let isCoded: Bool
        var second: UInt8 = 0
        var sequence: [UInt8] = [0, 0]

        init(_ link: UInt16, isCoded: Bool = false) {
            (self.link, self.isCoded) = (link, isCoded)
            file += CaptureBuilder.little(link) + [0, 0]
        }

        mutating func add(from sender: UInt8, _ bytes: [UInt8], isGood: Bool = true) {
            var body = bytes + [0, 0, 0]
            // The coding indicator.
            if isCoded { body.insert(1, at: 4) }
            if link == 256 {
                let kind: UInt16 = bytes[0] == 0xD6 ? 0 : UInt16(sender) + 2
                let flags = 0x0410 | kind << 7 | (isGood ? 0x0800 : 0) | (isCoded ? 0x8000 : 0)
                body = [37, 0, 0, 0, 0, 0, 0, 0] + CaptureBuilder.little(flags) + body
            } else if link == 272 {
                let flags: UInt8 =
                    (isGood ? 1 : 0) | (sender == 0 ? 2 : 0) | (isCoded ? 0x20 : 0)
                body = [7, 0, 0, 3, 0, 0, 6, 10, flags, 37, 50, 0, 0, 0, 0, 0, 0] + body
            }
            file += [second, 0x10, 0xA4, 0x69, 0, 0, 0, 0]
            file += [UInt8(body.count), 0, 0, 0, UInt8(body.count), 0, 0, 0] + body
            second += 1
        }

        /// A link whose handles were told.
        static func linked(_ link: UInt16, isCoded: Bool = false) -> Air {
            var air = Air(link, isCoded: isCoded)
            air.connect()
            air.discover()
            return air
        }

        private mutating func connect() {
            let addresses: [UInt8] = [1, 0, 0, 0, 0, 0x0A, 1, 0, 0, 0, 0, 0xC4]
            add(
                from: 0,
                [0xD6, 0xBE, 0x89, 0x8E, 0x85, 34] + addresses + [0x11, 0x22, 0x33, 0x44]
                    + [UInt8](repeating: 0, count: 18))
        }

        /// Sends a packet; the sequence number goes on unless it is repeated.
        mutating func send(
            from sender: Int, kind: UInt8, _ payload: [UInt8], isRepeated: Bool = false,
            isGood: Bool = true
        ) {
            if isRepeated { sequence[sender] ^= 1 }
            let header = kind | sequence[sender] << 3
            sequence[sender] ^= 1
            add(
                from: UInt8(sender),
                [0x11, 0x22, 0x33, 0x44, header, UInt8(payload.count)] + payload, isGood: isGood)
        }

        mutating func say(from sender: Int, _ message: [UInt8], isRepeated: Bool = false) {
            // The central begins each turn.
            if sender == 1 { send(from: 0, kind: 1, []) }
            send(
                from: sender, kind: 2, [UInt8(message.count), 0, 4, 0] + message,
                isRepeated: isRepeated)
        }

        mutating func discover() {
            say(from: 0, [0x04, 0x10, 0, 0x10, 0])
            say(from: 1, [0x05, 1, 0x10, 0, 0x37, 0x2A])
        }
    }

    static let links: [UInt16] = [251, 256, 272]

    @Test("give the values of a link, once each", arguments: links)
    func values(_ link: UInt16) throws {
        var air = Air.linked(link)
        air.say(from: 1, [0x1B, 0x10, 0, 0, 72])
        air.say(from: 1, [0x1B, 0x10, 0, 0, 72], isRepeated: true)
        air.say(from: 1, [0x1B, 0x10, 0, 0, 72])
        air.send(from: 0, kind: 1, [])
        air.send(from: 1, kind: 2, [5, 0, 4, 0, 0x1B, 0x10])
        air.send(from: 0, kind: 1, [])
        air.send(from: 1, kind: 1, [0, 0, 73])
        let reading = try CaptureReading(air.file)
        #expect(reading.heartRates == ["0048", "0048", "0049"])
        #expect(reading.story.first == "0 up C4:00:00:00:00:01")
    }

    @Test("end a link once, though its end is sent again", arguments: links)
    func repeatedEnd(_ link: UInt16) throws {
        var air = Air.linked(link)
        air.send(from: 1, kind: 3, [0x02, 0x13])
        air.send(from: 0, kind: 1, [])
        air.send(from: 1, kind: 3, [0x02, 0x13], isRepeated: true)
        let reading = try CaptureReading(air.file)
        #expect(
            reading.story.map { String($0.drop { $0 != " " }) } == [
                " up C4:00:00:00:00:01", " lost C4:00:00:00:00:01 0x13",
            ])
    }

    @Test("pass over the indicator of the coded PHY", arguments: [256, 272] as [UInt16])
    func coded(_ link: UInt16) throws {
        var air = Air.linked(link, isCoded: true)
        air.say(from: 1, [0x1B, 0x10, 0, 0, 72])
        let reading = try CaptureReading(air.file)
        #expect(reading.heartRates == ["0048"])
        #expect(reading.story.first == "0 up C4:00:00:00:00:01")
        #expect(reading.survey.lostPackets == 0)
    }

    @Test("do not read encrypted links, and count their packets", arguments: links)
    func encrypted(_ link: UInt16) throws {
        var air = Air.linked(link)
        air.send(from: 1, kind: 3, [0x05])
        air.say(from: 1, [0x1B, 0x10, 0, 0, 72])
        let reading = try CaptureReading(air.file)
        #expect(reading.heartRates.isEmpty)
        #expect(reading.survey.encryptedPackets == 1)
    }

    @Test("leave out packets that came with errors", arguments: [256, 272] as [UInt16])
    func damaged(_ link: UInt16) throws {
        var air = Air.linked(link)
        air.send(from: 0, kind: 1, [])
        air.send(from: 1, kind: 2, [5, 0, 4, 0, 0x1B, 0x10, 0, 0, 72], isGood: false)
        let reading = try CaptureReading(air.file)
        #expect(reading.heartRates.isEmpty)
        #expect(reading.survey.lostPackets == 1)
    }

    @Test("read a link whose beginning is missing, by its access address", arguments: links)
    func unknownLink(_ link: UInt16) throws {
        var air = Air(link)
        air.discover()
        air.say(from: 1, [0x1B, 0x10, 0, 0, 72])
        let reading = try CaptureReading(air.file)
        #expect(reading.heartRates == ["0048"])
    }
}
