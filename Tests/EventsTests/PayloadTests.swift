import Events
import TestSupport
import Testing

@Suite("Payloads")
struct PayloadTests {
    static let seeds: [UInt64] = [1, 2, 3, 4]

    @Test("of every kind come back as they were written", arguments: EventKind.known, seeds)
    func roundTrip(_ kind: EventKind, _ seed: UInt64) throws {
        var random = RandomFields(seed: seed)
        for _ in 0..<25 {
            let event = random.event(kind)
            let payload = try event.encodedPayload()
            #expect(payload.count <= EventLimit.payloadBytes, "seed \(seed)")
            let read = try Event(decoding: kind, version: 1, payload: payload.span)
            #expect(read == event, "seed \(seed), payload \(hex(payload))")
            // Equality of text knows no difference between é and e with an accent; bytes do.
            #expect(try read.encodedPayload() == payload, "seed \(seed)")
            #expect(Event(kind: kind, version: 1, payload: payload.span) == event)
        }
    }

    @Test("of every kind are refused at every truncation", arguments: EventKind.known)
    func truncation(_ kind: EventKind) throws {
        var random = RandomFields(seed: 5)
        for _ in 0..<2 {
            let payload = try random.event(kind).encodedPayload()
            for count in 0..<payload.count {
                let prefix = Array(payload.prefix(count))
                guard case .failure(let error) = decoded(kind, prefix) else {
                    Issue.record("accepted the first \(count) bytes of \(hex(payload))")
                    continue
                }
                #expect(error.code == .truncated, "\(count) bytes of \(hex(payload))")
            }
        }
    }

    @Test("of every kind are refused with every byte after them", arguments: EventKind.known)
    func trailingByte(_ kind: EventKind) throws {
        var random = RandomFields(seed: 6)
        let payload = try random.event(kind).encodedPayload()
        let expected = Result<Event, FieldError>.failure(
            FieldError(.trailingBytes, field: "end"))
        for byte in UInt8.min...UInt8.max { #expect(decoded(kind, payload + [byte]) == expected) }
    }

    @Test("are read only as what would be written", arguments: EventKind.known, seeds)
    func canonical(_ kind: EventKind, _ seed: UInt64) throws {
        var random = RandomFields(seed: seed)
        for _ in 0..<50 {
            var payload = try random.event(kind).encodedPayload()
            guard let index = payload.indices.randomElement(using: &random.generator) else {
                continue
            }
            payload[index] = UInt8.random(in: 0...255, using: &random.generator)
            guard case .success(let event) = decoded(kind, payload) else { continue }
            #expect(try event.encodedPayload() == payload, "seed \(seed), \(hex(payload))")
        }
    }

    @Test("that cannot be read are carried along as they are")
    func unknown() throws {
        let payload = bytes("ff ff")
        for (kind, version) in [
            (EventKind.noted, UInt16(1)), (EventKind.noted, 2), (EventKind(rawValue: 0x4F), 1),
        ] {
            let event = Event(kind: kind, version: version, payload: payload.span)
            let unread = UnknownEvent(kind: kind, version: version, payload: payload)
            #expect(event == .unknown(unread))
            #expect(event.kind == kind)
            #expect(event.version == version)
            #expect(try event.encodedPayload() == payload)
        }
        let long = UnknownEvent(
            kind: .noted, version: 2, payload: [UInt8](repeating: 0, count: 2_049))
        #expect(throws: FieldError(.wrongLength, field: "payload")) {
            try Event.unknown(long).encodedPayload()
        }
    }
}
