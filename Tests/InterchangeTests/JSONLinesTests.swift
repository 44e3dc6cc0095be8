import Events
import Interchange
import TestSupport
import Testing

@Suite("JSON Lines")
struct JSONLinesTests {
    static let seeds: [UInt64] = [1, 2, 3]

    static let envelope = """
        {"position":5,"source":0,"bootMilliseconds":1000,"wallMilliseconds":-2,"bootNumber":3,\
        "wallTrusted":false,"simulated":false,
        """

    /// A line with the envelope of `header(_:)` and what follows the flags.
    static func line(_ rest: String) -> String { envelope + rest + "}" }

    static let device = DeviceID(address: 0xC400_0000_0001, space: .random)

    /// Events and what stands on their lines after the flags.
    static let vectors: [(event: Event, rest: String)] = [
        (
            .recorderStarted(
                RecorderStarted(programVersion: "1.0", zoneOffsetMinutes: 60, zoneName: "CET")),
            #""kind":"recorderStarted","version":1,"programVersion":"1.0","zoneOffsetMinutes":60,"#
                + #""zoneName":"CET""#
        ),
        (
            .characteristicNotified(
                CharacteristicNotified(device: device, value: [0x16, 0x53, 0xB4, 0x02])),
            #""kind":"characteristicNotified","version":1,"device":"C4:00:00:00:00:01","#
                + #""characteristic":"heartRateMeasurement","value":"1653b402""#
        ),
        (
            .deviceSeen(DeviceSeen(device: device, name: "\u{1B}[2J\u{202E}é", rssi: -60)),
            #""kind":"deviceSeen","version":1,"device":"C4:00:00:00:00:01","#
                + #""name":"\u001b[2J\u202eé","rssi":-60,"roles":0"#
        ),
        (
            .deviceSeen(DeviceSeen(device: device)),
            #""kind":"deviceSeen","version":1,"device":"C4:00:00:00:00:01","#
                + #""name":null,"rssi":null,"roles":0"#
        ),
        (
            .pedometerRead(PedometerRead(device: device, reading: .counter(8_421))),
            #""kind":"pedometerRead","version":1,"device":"C4:00:00:00:00:01","#
                + #""form":"counter","count":8421,"distanceMillimetres":null"#
        ),
        (
            .pedometerRead(
                PedometerRead(
                    device: device, reading: .characteristic(.infiniTimeStepCount, [1, 0, 0, 0]))),
            #""kind":"pedometerRead","version":1,"device":"C4:00:00:00:00:01","#
                + #""form":"infiniTimeStepCount","value":"01000000","distanceMillimetres":null"#
        ),
        (
            .legacyValueImported(
                LegacyValueImported(date: CivilDate("2026-03-01") ?? .epoch, total: 9)),
            #""kind":"legacyValueImported","version":1,"date":"2026-03-01","total":9"#
        ),
        (
            .sessionStarted(
                SessionStarted(
                    goal: Goal(kind: .steps, target: 6_000), outAndBack: true,
                    profile: Profile(zones: .limits, zoneLimits: [100, 140, 180]))),
            #""kind":"sessionStarted","version":1,"goalKind":"steps","goalTarget":6000,"#
                + #""outAndBack":true,"heightMillimetres":null,"weightGrams":null,"#
                + #""dailyGoalSteps":null,"maximumHeartRateBPM":null,"#
                + #""restingHeartRateBPM":null,"zones":"limits","moderateFrom":100,"#
                + #""vigorousFrom":140,"maximumFrom":180,"stepsPerCadenceCount":1"#
        ),
        (.sessionPaused(SessionPaused()), #""kind":"sessionPaused","version":1"#),
        (
            .sessionEnded(SessionEnded(reason: .leftOpen)),
            #""kind":"sessionEnded","version":1,"reason":"leftOpen""#
        ),
        (
            .unknown(
                UnknownEvent(kind: EventKind(rawValue: 0x4F), version: 1, payload: [1, 0xFF])),
            #""kind":"0x4f","version":1,"payload":"01ff""#
        ),
        (
            .unknown(UnknownEvent(kind: .characteristicNotified, version: 2, payload: [])),
            #""kind":"characteristicNotified","version":2,"payload":"""#
        ),
        (
            .unknown(UnknownEvent(kind: .sessionPaused, version: 1, payload: [9])),
            #""kind":"sessionPaused","version":1,"payload":"09""#
        ),
    ]

    @Test("stand as documented and are read again", arguments: vectors)
    func golden(_ vector: (event: Event, rest: String)) throws {
        let payload = try vector.event.encodedPayload()
        let header = header(vector.event.kind, version: vector.event.version)
        let written = try JSONLines.encode(header, payload: payload.span)
        #expect(written.text == Self.line(vector.rest) + "\n")
        let read = try JSONLines.decode(line: written, number: 1)
        #expect(read == EventLine(header: header, payload: payload))
    }

    @Test("keep the code that a later version may list, as its number")
    func openCode() throws {
        let payload: [UInt8] = [200]
        let line = try JSONLines.encode(header(.sessionEnded), payload: payload.span)
        #expect(line.text.hasSuffix(#""version":1,"reason":200}"# + "\n"))
        #expect(try JSONLines.decode(line: line, number: 1).payload == payload)
    }

    static let flags: [(bits: UInt8, json: String)] = [
        (0, #""wallTrusted":false,"simulated":false"#),
        (1, #""wallTrusted":true,"simulated":false"#),
        (2, #""wallTrusted":false,"simulated":true"#),
        (3, #""wallTrusted":true,"simulated":true"#),
        (4, #""flags":4"#), (7, #""flags":7"#), (255, #""flags":255"#),
    ]

    @Test("name the two flags, and give other bits as a number", arguments: flags)
    func writesFlags(_ vector: (bits: UInt8, json: String)) throws {
        let header = header(.sessionPaused, flags: EventFlags(rawValue: vector.bits))
        let payload: [UInt8] = []
        let line = try JSONLines.encode(header, payload: payload.span)
        #expect(line.text.contains(#""bootNumber":3,\#(vector.json),"kind""#))
        #expect(try JSONLines.decode(line: line, number: 1).header == header)
    }

    @Test("come back for random events of every kind", arguments: EventKind.known, seeds)
    func roundTrip(_ kind: EventKind, _ seed: UInt64) throws {
        var random = RandomFields(seed: seed)
        for _ in 0..<15 {
            let payload = try random.event(kind).encodedPayload()
            try expectRoundTrip(try random.header(kind, version: 1), payload, seed)
        }
    }

    @Test("come back for bytes that nobody can read", arguments: seeds)
    func roundTripUnread(_ seed: UInt64) throws {
        var random = RandomFields(seed: seed)
        for _ in 0..<200 {
            var payload: [UInt8] = []
            try random.bytes("payload", &payload, limit: EventLimit.payloadBytes)
            var number: UInt8 = 0
            try random.byte("kind", &number, in: 1...0xDF)
            let kind = EventKind(rawValue: number)
            guard kind.isStorable else { continue }
            let version: UInt16 = random.chance() ? 1 : 2
            try expectRoundTrip(try random.header(kind, version: version), payload, seed)
        }
    }

    func expectRoundTrip(_ header: EventHeader, _ payload: [UInt8], _ seed: UInt64) throws {
        let line = try JSONLines.encode(header, payload: payload.span)
        let comment = Comment(rawValue: "seed \(seed), \(line.text)")
        #expect(line.count <= JSONLines.lineLimitBytes, comment)
        let read = try JSONLines.decode(line: line, number: 1)
        #expect(read == EventLine(header: header, payload: payload), comment)
        #expect(try JSONLines.encode(read.header, payload: read.payload.span) == line, comment)
    }

    @Test("hold the longest event with the most escapes")
    func longest() throws {
        let text = String(repeating: "\u{0}", count: 1_024)
        let author = String(repeating: "\u{1B}", count: 128)
        let payload = try Event.noted(Noted(text: text, author: author)).encodedPayload()
        let line = try JSONLines.encode(header(.noted), payload: payload.span)
        #expect(line.count > 6 * 1_152)
        #expect(line.count <= JSONLines.lineLimitBytes)
        #expect(try JSONLines.decode(line: line, number: 1).payload == payload)
    }

    @Test("are harmless to print, whatever a device is called", arguments: HostileNames.all.indices)
    func harmless(_ index: Int) throws {
        let name = HostileNames.all[index]
        let seen = Event.deviceSeen(DeviceSeen(device: Self.device, name: name))
        let payload = try seen.encodedPayload()
        let line = try JSONLines.encode(header(.deviceSeen), payload: payload.span)
        #expect(line.last == UInt8(ascii: "\n"))
        #expect(!line.dropLast().contains { $0 < 0x20 || $0 == 0x7F })
        let isObeyed = line.text.unicodeScalars.dropLast().contains {
            $0.properties.isBidiControl || $0.properties.generalCategory == .control
                || $0.value == 0x2028 || $0.value == 0x2029
        }
        #expect(!isObeyed)
        #expect(try JSONLines.decode(line: line, number: 1).payload == payload)
    }

    static let refusedHeaders: [(header: EventHeader, field: String)] = [
        (header(EventKind(rawValue: 0)), "kind"), (header(EventKind(rawValue: 0xE1)), "kind"),
        (header(.noted, version: 0), "version"),
        (header(.noted, position: 1 << 53), "position"),
        (header(.noted, boot: 1 << 53), "bootMilliseconds"),
        (header(.noted, wall: .min), "wallMilliseconds"),
    ]

    @Test("are not written for what no log holds", arguments: refusedHeaders)
    func refusesHeaders(_ vector: (header: EventHeader, field: String)) {
        let payload: [UInt8] = [0, 0]
        #expect(throws: FieldError(.outOfRange, field: vector.field)) {
            try JSONLines.encode(vector.header, payload: payload.span)
        }
    }

    @Test("are written after each other as each alone, with nothing of a refused event")
    func writer() throws {
        var random = RandomFields(seed: 31)
        var writer = JSONLinesWriter()
        var expected: [UInt8] = []
        for (index, kind) in EventKind.known.enumerated() {
            let payload = try random.event(kind).encodedPayload()
            let header = try random.header(kind, version: 1)
            try writer.append(header, payload: payload.span)
            expected += try JSONLines.encode(header, payload: payload.span)
            let tooLong = [UInt8](repeating: 0, count: 2_049)
            #expect(throws: FieldError.self) { try writer.append(header, payload: tooLong.span) }
            #expect(writer.bytes == expected)
            if index % 7 == 0 {
                writer.removeAll()
                expected = []
            }
        }
    }

    @Test("are not written for a payload that is too long")
    func refusesPayload() {
        let payload = [UInt8](repeating: 0, count: 2_049)
        #expect(throws: FieldError(.wrongLength, field: "payload")) {
            try JSONLines.encode(header(.noted), payload: payload.span)
        }
    }
}

extension RandomFields {
    /// A random envelope.
    mutating func header(_ kind: EventKind, version: UInt16) throws -> EventHeader {
        var (source, bootNumber): (UInt64, UInt64) = (0, 0)
        var flags: UInt8 = 0
        var header = InterchangeTests.header(kind, version: version)
        let numbers = UInt64(0)...UInt64(UInt32.max)
        try unsigned("position", &header.position, in: FieldRange.unsigned)
        try unsigned("source", &source, in: numbers)
        try unsigned("boot", &header.stamp.bootMilliseconds, in: FieldRange.unsigned)
        try signed("wall", &header.stamp.wallMilliseconds, in: FieldRange.signed)
        try unsigned("bootNumber", &bootNumber, in: numbers)
        try byte("flags", &flags, in: 0...255)
        header.source = UInt32(source)
        header.stamp.bootNumber = UInt32(bootNumber)
        header.flags = EventFlags(rawValue: flags)
        return header
    }
}
