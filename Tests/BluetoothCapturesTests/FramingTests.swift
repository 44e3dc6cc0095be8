import BluetoothCaptures
import Events
import TestSelection
import TestSupport
import Testing

@Suite("The formats of captures")
struct FramingTests {
    /// One walk, in a format.
    struct Form: CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        var testDescription: String { name }
    }

    static let walk = CaptureBuilder.walk(values: 12)

    static let forms: [Form] = {
        var forms = [Form(name: "btsnoop", bytes: walk.btsnoop)]
        for isLittle in [true, false] {
            for isNano in [true, false] {
                forms.append(
                    Form(
                        name: "pcap \(isLittle) \(isNano)",
                        bytes: walk.pcap(isLittleEndian: isLittle, isNanoseconds: isNano)))
            }
            let units: [(UInt8?, UInt64)] = [
                (nil, 1_000_000), (6, 1_000_000), (9, 1_000_000_000), (3, 1_000), (0, 1),
                (0x80 | 10, 1_024), (0x80 | 20, 1 << 20),
            ]
            for (resolution, perSecond) in units {
                let bytes = walk.pcapng(
                    isLittleEndian: isLittle, resolution: resolution, unitsPerSecond: perSecond)
                forms.append(Form(name: "pcapng \(isLittle) \(perSecond)", bytes: bytes))
            }
        }
        return forms
    }()

    @Test("give the same events of the same packets", arguments: forms)
    func agree(_ form: Form) throws {
        let reading = try CaptureReading(form.bytes)
        #expect(reading.story == (try CaptureReading(Self.walk.btsnoop)).story)
        #expect(reading.survey.values == [.heartRateMeasurement: 12])
        #expect(reading.survey.damage == nil)
        #expect(reading.survey.events == UInt64(reading.events.count))
    }

    @Test("give the same events however the bytes come", arguments: forms, [1, 7, 64, 1_000])
    func cut(_ form: Form, _ pieceBytes: Int) throws {
        let whole = try CaptureReading(form.bytes)
        let pieces = try CaptureReading(form.bytes, pieceBytes: pieceBytes)
        #expect(pieces.story == whole.story)
    }

    @Test("give what stands before the end of a file that is cut off", arguments: sample(forms, 2))
    func truncated(_ form: Form) throws {
        let whole = try CaptureReading(form.bytes).heartRates
        for count in 28..<form.bytes.count {
            let reading = try CaptureReading(Array(form.bytes[..<count]))
            let rates = reading.heartRates
            #expect(rates == Array(whole.prefix(rates.count)), "of \(count) bytes")
            #expect(reading.survey.events == UInt64(reading.events.count))
            guard let damage = reading.survey.damage else { continue }
            #expect(damage.code == .truncated && damage.offset <= UInt64(count))
        }
    }

    @Test("survive a change of any byte, and say where", arguments: sample(forms, 2))
    func changed(_ form: Form) throws {
        var random = SeededGenerator(seed: 12)
        for index in form.bytes.indices {
            var bytes = form.bytes
            bytes[index] ^= UInt8.random(in: 1...255, using: &random)
            do {
                let reading = try CaptureReading(bytes)
                #expect(reading.survey.events == UInt64(reading.events.count), "byte \(index)")
                if let damage = reading.survey.damage {
                    #expect(damage.offset <= UInt64(bytes.count), "byte \(index)")
                }
            } catch is CaptureReading.Unrecognized {
                #expect(index < 8)
            } catch let error as CaptureError {
                #expect(!error.description.isEmpty)
            }
        }
    }

    @Test("name the place of a record of 4 GiB, and keep what stands before it")
    func hugeRecord() throws {
        var bytes = Self.walk.btsnoop
        let offset = bytes.count
        bytes += [UInt8](repeating: 0xFF, count: 24)
        let reading = try CaptureReading(bytes)
        #expect(reading.heartRates.count == 12)
        #expect(reading.survey.damage?.code == .badRecord)
        #expect(reading.survey.damage?.offset == UInt64(offset))
        #expect(
            reading.survey.damage?.description == "byte \(offset): a packet of 4294967295 bytes.")
    }

    @Test("refuse other packets, and say of which kind")
    func otherPackets() throws {
        var bytes = Self.walk.pcap(isLittleEndian: true, isNanoseconds: false)
        bytes[20] = 1
        let error = #expect(throws: CaptureError.self) { try CaptureReading(bytes) }
        #expect(error?.code == .otherPackets)
        #expect(error?.description.contains("link type 1, Ethernet") == true)
    }

    @Test("are not believed to be of a format that is named and is not theirs")
    func otherFormat() {
        let bytes = Array("{\"position\":0,\"source\":0,\"kind\":\"note\"}\n".utf8)
        for format in [CaptureFormat.btsnoop, .pcap, .pcapng] {
            let error = #expect(throws: CaptureError.self) { try CaptureReading(bytes, format) }
            #expect(error?.description == "byte 0: not a \(format.rawValue) file.")
        }
    }

    @Test("without times give a value each second, and say so")
    func noTimes() throws {
        var file = Self.walk.pcapng(
            isLittleEndian: true, resolution: nil, unitsPerSecond: 1_000_000)
        // The section's header and the interface; what follows them are simple packets.
        file.removeLast(file.count - 48)
        for packet in Self.walk.packets {
            let padded = packet.bytes + [UInt8](repeating: 0, count: -packet.bytes.count & 3)
            let length = [UInt8(padded.count + 16), 0, 0, 0]
            file += [3, 0, 0, 0] + length + [UInt8(packet.bytes.count), 0, 0, 0] + padded + length
        }
        let reading = try CaptureReading(file)
        #expect(reading.heartRates.count == 12)
        #expect(reading.survey.hasAssumedTimes)
        let last = reading.events.headers.last { $0.kind == .characteristicNotified }
        #expect(last?.stamp.bootMilliseconds == 12_000)
        #expect(!(try CaptureReading(Self.walk.btsnoop).survey.hasAssumedTimes))
    }

    @Test("take a clock that is set for the first time, and no time for it")
    func clockSet() throws {
        var walk = CaptureBuilder()
        walk.microseconds = 7_000_000
        walk.linkUp()
        walk.discover()
        walk.notify(0x10, [0, 72])
        walk.microseconds = CaptureBuilder.morning
        walk.notify(0x10, [0, 73])
        walk.notify(0x10, [0, 74])
        let headers = try CaptureReading(walk.btsnoop).events.headers
        #expect(headers.map(\.stamp.bootMilliseconds) == [0, 3_000, 3_000, 3_000, 4_000, 4_000])
        #expect(
            headers.map { $0.flags.contains(.wallTrusted) } == [
                false, false, false, true, true, true,
            ])
    }

    @Test("take times before 1970, and a clock that was set back")
    func times() throws {
        var walk = CaptureBuilder()
        walk.microseconds = -5_000_500
        walk.linkUp()
        walk.discover()
        walk.notify(0x10, [0, 72])
        walk.microseconds = -3_600_000_000
        walk.notify(0x10, [0, 73])
        walk.notify(0x10, [0, 74])
        let reading = try CaptureReading(walk.btsnoop)
        let stamps = reading.events.headers.map(\.stamp)
        #expect(stamps.first?.wallMilliseconds == -5_001)
        #expect(stamps.map(\.bootMilliseconds) == [0, 3_000, 3_000, 3_000, 4_000, 4_000])
        #expect(reading.events.headers.allSatisfy { !$0.flags.contains(.wallTrusted) })
    }
}
