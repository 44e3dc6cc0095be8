import BluetoothCaptures
import Events
import Testing

@Suite("The traffic of captures")
struct TrafficTests {
    /// Reads what was said on one link.
    private func reading(
        assignments: [UInt16: CharacteristicCode] = [:], _ say: (inout CaptureBuilder) -> Void
    ) throws -> CaptureReading {
        var capture = CaptureBuilder()
        say(&capture)
        return try CaptureReading(capture.btsnoop, assignments: assignments)
    }

    /// Reads what was said on a link whose handles had been told.
    private func discovered(_ say: (inout CaptureBuilder) -> Void) throws -> CaptureReading {
        try reading { capture in
            capture.linkUp()
            capture.discover()
            say(&capture)
        }
    }

    @Test("is counted in one pass, of however many straps", .timeLimit(.minutes(1)))
    func manyStraps() {
        var counts = StrapCounts()
        for address: UInt64 in 0..<200_000 {
            counts.add(DeviceID(address: address, space: .random))
        }
        counts.add(DeviceID(address: 0, space: .random))
        let choice = counts.choice()
        #expect(choice?.chosen.values == 2 && choice?.others.count == 199_999)
    }

    /// Ways in which a capture tells that handle 0x12 is a Heart Rate Measurement.
    static let discoveries: [(name: String, messages: [(Bool, [UInt8])])] = [
        (
            "a declaration with a short UUID",
            [
                (false, [0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28]),
                (true, [0x09, 7, 0x11, 0, 0x10, 0x12, 0, 0x37, 0x2A]),
            ]
        ),
        (
            "a declaration with a long UUID",
            [
                (false, [0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28]),
                (
                    true,
                    [0x09, 21, 0x11, 0, 0x10, 0x12, 0]
                        + [0xFB, 0x34, 0x9B, 0x5F, 0x80, 0, 0, 0x80, 0, 0x10, 0, 0]
                        + [0x37, 0x2A, 0, 0]
                ),
            ]
        ),
        (
            "information",
            [
                (false, [0x04, 0x12, 0, 0x13, 0]),
                (true, [0x05, 1, 0x12, 0, 0x37, 0x2A, 0x13, 0, 0x02, 0x29]),
            ]
        ),
        (
            "its service, by group",
            [
                (false, [0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28]),
                (true, [0x11, 6, 0x10, 0, 0x16, 0, 0x0D, 0x18]),
            ]
        ),
        (
            "its service, by value",
            [
                (false, [0x06, 1, 0, 0xFF, 0xFF, 0x00, 0x28, 0x0D, 0x18]),
                (true, [0x07, 0x10, 0, 0x16, 0]),
            ]
        ),
        (
            "a read by its type",
            [
                (false, [0x08, 1, 0, 0xFF, 0xFF, 0x37, 0x2A]),
                (true, [0x09, 4, 0x12, 0, 0, 71]),
            ]
        ),
    ]

    @Test("tells handles by declaration, information, service and type", arguments: discoveries)
    func handles(_ discovery: (name: String, messages: [(Bool, [UInt8])])) throws {
        let reading = try reading { capture in
            capture.linkUp()
            for (isReceived, message) in discovery.messages {
                capture.say(received: isReceived, message)
            }
            capture.notify(0x12, [0, 72])
            capture.notify(0x40, [0, 99])
        }
        #expect(reading.heartRates == ["0048"])
        #expect(reading.survey.unknownHandles.map(\.handle) == [0x40])
    }

    @Test("tells handles that are made known later, or by an earlier link of the device")
    func order() throws {
        let reading = try reading { capture in
            capture.linkUp()
            capture.notify(0x10, [0, 70])
            capture.discover()
            capture.notify(0x10, [0, 71])
            capture.linkDown()
            capture.linkUp()
            capture.notify(0x10, [0, 72])
        }
        #expect(reading.heartRates == ["0046", "0047", "0048"])
        #expect(reading.survey.unknownHandles.isEmpty)
    }

    @Test("keeps the handles of two devices apart")
    func twoDevices() throws {
        let reading = try reading { capture in
            capture.linkUp(0xC4_0000_0000_01, handle: 64)
            capture.linkUp(0xC4_0000_0000_02, handle: 65)
            capture.discover()
            capture.say(received: true, [0x1B, 0x10, 0, 0, 99], handle: 65)
            capture.notify(0x10, [0, 72])
        }
        #expect(reading.heartRates == ["0048"])
        #expect(reading.survey.unknownHandles.first?.device.description == "C4:00:00:00:00:02")
    }

    @Test("passes over values of what is declared to be something else, unless a person says so")
    func foreign() throws {
        func write(_ capture: inout CaptureBuilder) {
            capture.linkUp()
            capture.say(received: false, [0x04, 0x20, 0, 0x20, 0])
            // A temperature, which may look like a heart rate.
            capture.say(received: true, [0x05, 1, 0x20, 0, 0x6E, 0x2A])
            capture.notify(0x20, [0, 72])
            capture.notify(0x20, [0, 73])
        }
        let reading = try reading { write(&$0) }
        #expect(reading.heartRates.isEmpty)
        #expect(reading.survey.unknownHandles.isEmpty)
        let assigned = try self.reading(assignments: [0x20: .heartRateMeasurement]) { write(&$0) }
        #expect(assigned.heartRates == ["0048", "0049"])
    }

    @Test("takes a handle that is given by hand")
    func assigned() throws {
        let reading = try reading(assignments: [0x12: .heartRateMeasurement]) { capture in
            capture.notify(0x12, [0, 72])
        }
        #expect(reading.heartRates == ["0048"])
    }

    @Test("puts messages together that came in pieces", arguments: 5...20)
    func pieces(_ pieceBytes: Int) throws {
        let reading = try discovered { capture in
            capture.notify(0x10, [0x10, 72, 0, 4, 1, 4, 2, 4, 3, 4], pieceBytes: pieceBytes)
        }
        #expect(reading.heartRates == ["10480004010402040304"])
    }

    @Test("tells a session around the values, with links, subscriptions and reads")
    func story() throws {
        let reading = try discovered { capture in
            capture.say(received: false, [0x12, 0x11, 0, 1, 0])
            capture.notify(0x10, [0, 72])
            capture.notify(0x10, [0, 73])
            capture.linkDown(reason: 8)
        }
        #expect(
            reading.story == [
                "0 up C4:00:00:00:00:01", "3 subscribed heartRateMeasurement", "4 started",
                "4 heartRateMeasurement 0048", "5 heartRateMeasurement 0049", "5 ended",
                "6 lost C4:00:00:00:00:01 0x08",
            ])
    }

    @Test("takes several values of one notification")
    func several() throws {
        let reading = try discovered { capture in
            capture.say(received: true, [0x23, 0x10, 0, 2, 0, 0, 72, 0x10, 0, 2, 0, 0, 73])
        }
        #expect(reading.heartRates == ["0048", "0049"])
    }

    @Test("leaves out what the machine that captured sent, and counts it")
    func sent() throws {
        let reading = try discovered { capture in
            capture.say(received: false, [0x1B, 0x10, 0, 0, 72])
        }
        #expect(reading.heartRates.isEmpty)
        #expect(reading.survey.sentValues == 1)
    }

    @Test("knows what was sent by how its messages begin, where nothing else tells")
    func sentWithoutDirection() throws {
        var capture = CaptureBuilder()
        capture.linkUp()
        capture.discover()
        let value: [UInt8] = [0x10, 72, 0, 4, 1, 4, 2, 4]
        capture.say(received: false, [0x1B, 0x10, 0] + value, pieceBytes: 6)
        capture.notify(0x10, value, pieceBytes: 6)
        let file = capture.pcap(isLittleEndian: true, isNanoseconds: false, tellsDirection: false)
        let reading = try CaptureReading(file)
        #expect(reading.heartRates == ["1048000401040204"])
        #expect(reading.survey.sentValues == 1)
        #expect(reading.survey.lostPackets == 0)
    }

    @Test("ends a link whose handle another one gets, though its end was not captured")
    func reusedHandle() throws {
        let reading = try reading { capture in
            capture.linkUp(0xC4_0000_0000_01)
            capture.linkUp(0xC4_0000_0000_02)
            capture.linkDown()
        }
        #expect(
            reading.story == [
                "0 up C4:00:00:00:00:01", "1 lost C4:00:00:00:00:01 ", "1 up C4:00:00:00:00:02",
                "2 lost C4:00:00:00:00:02 0x13",
            ])
    }

    @Test("makes no message of the pieces of two, where packets between them were lost")
    func dropped() throws {
        let reading = try discovered { capture in
            capture.notify(0x10, [0x10, 72, 0, 4, 1, 4], pieceBytes: 11)
            capture.packets.removeLast()
            capture.drops = 2
            capture.notify(0x10, [0x10, 99, 0, 5, 1, 5], pieceBytes: 11)
            capture.packets.remove(at: capture.packets.count - 2)
            capture.notify(0x10, [0, 73])
        }
        #expect(reading.heartRates == ["0049"])
        #expect(reading.survey.droppedPackets == 2)
        #expect(reading.survey.lostPackets == 1)
    }

    @Test("counts what cannot be put together")
    func strays() throws {
        let reading = try reading { capture in
            capture.linkUp()
            capture.add(true, [2, 64, 0x10, 2, 0, 1, 2])
            capture.add(true, [2, 64, 0x20, 99, 0, 1, 2])
            capture.add(true, [4, 0x3E, 99])
        }
        #expect(reading.survey.lostPackets == 3)
    }

    @Test("remembers no more attributes than a device can have")
    func manyAttributes() throws {
        let reading = try reading { capture in
            capture.linkUp()
            for first in stride(from: UInt16(1), to: 40_000, by: 8) {
                var entries: [UInt8] = [0x05, 1]
                for handle in first..<first + 8 {
                    entries += CaptureBuilder.little(handle) + [0x00, 0x28]
                }
                capture.say(received: true, entries)
            }
            capture.discover()
            capture.say(received: true, [0x05, 1] + CaptureBuilder.little(50_000) + [0x37, 0x2A])
            capture.notify(0x10, [0, 72])
            capture.notify(50_000, [0, 73])
        }
        // A handle that was known may become another one; new ones are not remembered any more.
        #expect(reading.heartRates == ["0048"])
        #expect(reading.survey.unknownHandles.map(\.handle) == [50_000])
    }

    @Test("passes over messages that are longer than any")
    func longMessage() throws {
        let reading = try discovered { capture in
            capture.notify(0x10, [UInt8](repeating: 0, count: 9_000))
            capture.notify(0x10, [0, 72])
        }
        #expect(reading.heartRates == ["0048"])
    }
}
