import Events
import TestSelection
import TestSupport
import Testing

/// What a view tells of an event, copied out.
private struct Glimpse: Equatable {
    var event: Event
    /// Nil where decoding throws.
    var decoded: Event?
    /// The event as its fields in place have it, for the kinds that have such fields.
    var inPlace: Event?

    init(_ view: borrowing EventView) {
        event = view.decoded
        decoded = Result { () throws(FieldError) in try view.decode() }.success
        if let fields = view.heartFields {
            let value = view.withBytes(fields.value) { [UInt8](copying: $0) }
            inPlace =
                view.header.kind == .characteristicNotified
                ? .characteristicNotified(
                    CharacteristicNotified(
                        device: fields.device, characteristic: fields.characteristic, value: value))
                : .characteristicRead(
                    CharacteristicRead(
                        device: fields.device, characteristic: fields.characteristic, value: value))
        }
        if let fields = view.pedometerFields {
            let value = view.withBytes(fields.value) { [UInt8](copying: $0) }
            let reading: PedometerRead.Reading =
                switch fields.form {
                case .counter: .counter(fields.count)
                case .runningSpeedCadenceMeasurement:
                    .characteristic(.runningSpeedCadenceMeasurement, value)
                case .infiniTimeStepCount: .characteristic(.infiniTimeStepCount, value)
                }
            inPlace = .pedometerRead(
                PedometerRead(
                    device: fields.device, reading: reading,
                    distanceMillimetres: fields.distanceMillimetres))
        }
    }
}

extension Result {
    fileprivate var success: Success? { if case .success(let value) = self { value } else { nil } }
}

@Suite("The view of an event")
struct EventViewTests {
    static let seeds: [UInt64] = [11, 12, 13]

    private static func header(_ kind: EventKind, version: UInt16 = 1) -> EventHeader {
        EventHeader(
            kind, Stamp(bootMilliseconds: 1_000, wallMilliseconds: -5, bootNumber: 2), at: 7,
            flags: .simulated, source: 3, version: version)
    }

    private static func glimpse(
        _ kind: EventKind, _ payload: [UInt8], version: UInt16 = 1
    ) -> Glimpse {
        EventView.lend(header(kind, version: version), payload: payload.span) { Glimpse($0) }
    }

    /// The kinds whose fields are read in place.
    private static let inPlace: [EventKind] = [
        .characteristicNotified, .characteristicRead, .pedometerRead,
    ]

    /// Whether a view tells of a payload what decoding makes of it, in place and as a value.
    private static func agrees(_ kind: EventKind, _ payload: [UInt8]) -> Bool {
        let glimpse = glimpse(kind, payload)
        let event = Result { () throws(FieldError) in
            try Event(decoding: kind, version: 1, payload: payload.span)
        }.success
        let unknown = Event.unknown(UnknownEvent(kind: kind, version: 1, payload: payload))
        return glimpse.decoded == event && glimpse.event == event ?? unknown
            && glimpse.inPlace == (inPlace.contains(kind) ? event : nil)
    }

    @Test("tells of every kind what was recorded", arguments: EventKind.known, seeds)
    func everyKind(_ kind: EventKind, _ seed: UInt64) throws {
        var random = RandomFields(seed: seed)
        for _ in 0..<25 {
            let event = random.event(kind)
            let payload = try event.encodedPayload()
            let glimpse = Self.glimpse(kind, payload)
            #expect(glimpse.decoded == event, "seed \(seed), \(hex(payload))")
            #expect(glimpse.inPlace == (Self.inPlace.contains(kind) ? event : nil))
            #expect(Self.agrees(kind, payload), "seed \(seed), \(hex(payload))")
        }
    }

    @Test(
        "has fields exactly where decoding succeeds: truncations and changed bits",
        arguments: EventKind.known, sample(seeds, 1))
    func damaged(_ kind: EventKind, _ seed: UInt64) throws {
        var random = RandomFields(seed: seed)
        for _ in 0..<4 {
            let payload = try random.event(kind).encodedPayload()
            for count in 0..<payload.count {
                let prefix = Array(payload.prefix(count))
                #expect(Self.agrees(kind, prefix), "seed \(seed), \(hex(prefix))")
                #expect(Self.glimpse(kind, prefix).inPlace == nil)
            }
            #expect(Self.agrees(kind, payload + [0]), "seed \(seed), \(hex(payload)) and 0")
            for bit in 0..<8 * min(payload.count, 64) {
                var changed = payload
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(Self.agrees(kind, changed), "seed \(seed), \(hex(changed))")
            }
        }
    }

    @Test(
        "has fields exactly where decoding succeeds: random bytes", arguments: inPlace,
        sample(seeds, 1))
    func randomBytes(_ kind: EventKind, _ seed: UInt64) {
        var random = BlockRandom(seed: seed)
        var decodable = 0
        let count = everythingIsTested ? 20_000 : 2_000
        for _ in 0..<count {
            var payload = random.bytes(0...16)
            // Near enough to a payload that some can be decoded.
            if payload.count > 9 {
                payload[6] &= 3
                payload[7] = [0, 1, 4, 5, 6][random.number(0...4)]
                if payload[7] > 0 { payload[8] = UInt8(payload.count - random.number(9...10)) }
                payload[payload.count - 1] &= 3
            }
            #expect(Self.agrees(kind, payload), "seed \(seed), \(hex(payload))")
            decodable += Self.glimpse(kind, payload).inPlace == nil ? 0 : 1
        }
        #expect(decodable > count / 200)
    }

    @Test("has no fields of a value that is too long", arguments: inPlace)
    func tooLong(_ kind: EventKind) {
        let head = bytes("0100000000c401") + [kind == .pedometerRead ? 5 : 1]
        let end: [UInt8] = kind == .pedometerRead ? [0] : []
        for count in [127, 128, 512, 513, 1_000] {
            var payload = head
            payload.appendVarint(UInt64(count))
            payload += [UInt8](repeating: 1, count: count) + end
            #expect(Self.agrees(kind, payload), "\(count) bytes")
            #expect((Self.glimpse(kind, payload).inPlace == nil) == (count > 512))
        }
    }

    @Test("has no fields of a version that this program does not know", arguments: inPlace)
    func otherVersions(_ kind: EventKind) throws {
        var random = RandomFields(seed: 14)
        let payload = try random.event(kind).encodedPayload()
        let glimpse = Self.glimpse(kind, payload, version: 2)
        #expect(glimpse.inPlace == nil && glimpse.decoded == nil)
        #expect(glimpse.event == .unknown(UnknownEvent(kind: kind, version: 2, payload: payload)))
    }

    @Test("is the same over a batch and over the blocks of a log", arguments: seeds)
    func sameEverywhere(_ seed: UInt64) throws {
        var random = BlockRandom(seed: seed)
        var batch = EventBatch()
        var events: [BlockEvent] = []
        for _ in 0..<600 {
            var event = random.event(after: events.last?.header)
            event.header.position = Position(events.count)
            try batch.append(event.header, payload: event.payload.span)
            events.append(event)
        }
        var builder = BlockBuilder()
        var position = 0
        while position < batch.count {
            let end = builder.append(batch, from: position)
            try builder.withBytes { block throws(DamagedBlock) in
                try BlockReader.forEach(in: block) { event in
                    let here = Glimpse(event)
                    let header = event.header
                    let payload = event.withPayload { [UInt8](copying: $0) }
                    let inBatch = batch.withEvent(at: position) { $0.header }
                    #expect(batch.withEvent(at: position) { Glimpse($0) } == here)
                    #expect(header == inBatch && header == events[position].header)
                    #expect(payload == events[position].payload, "seed \(seed), \(position)")
                    position += 1
                    return true
                }
            }
            #expect(position == end)
            builder.startNextBlock()
        }
        #expect(position == events.count)
    }
}
