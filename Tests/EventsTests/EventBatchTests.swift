import Events
import TestSupport
import Testing

@Suite("EventBatch")
struct EventBatchTests {
    private let stamp = Stamp(bootMilliseconds: 5, wallMilliseconds: 7, bootNumber: 0)

    /// Events that are refused after some of their fields were written, or all.
    private var refused: [(event: Event, stamp: Stamp)] {
        let long = String(repeating: "x", count: 1_025)
        let bytes = [UInt8](repeating: 1, count: EventLimit.payloadBytes + 1)
        let late = Stamp(bootMilliseconds: 1 << 53, wallMilliseconds: 7, bootNumber: 0)
        return [
            (.noted(Noted(text: "good", author: long)), stamp),
            (.sessionMarked(SessionMarked(text: "good")), late),
            (
                .unknown(
                    UnknownEvent(kind: EventKind(rawValue: 0x1F), version: 1, payload: bytes)),
                stamp
            ),
            (.unknown(UnknownEvent(kind: EventKind(rawValue: 0), version: 1, payload: [1])), stamp),
        ]
    }

    @Test("takes nothing of an event that it refuses")
    func refusals() throws {
        let events = EventKind.known.map { kind in
            var random = RandomFields(seed: UInt64(kind.rawValue))
            return random.event(kind)
        }
        var plain = EventBatch()
        var tried = EventBatch()
        for event in events {
            try plain.append(event, stamp: stamp, flags: [])
            for (bad, stamp) in refused {
                #expect(throws: FieldError.self) {
                    try tried.append(bad, stamp: stamp, flags: [])
                }
            }
            try tried.append(event, stamp: stamp, flags: [])
        }
        #expect(tried.headers == plain.headers)
        #expect(tried.payloadBytes == plain.payloadBytes)
        for index in events.indices {
            #expect(tried.event(at: index) == events[index])
            let payload = tried.withEvent(at: index) { event in
                event.withPayload { [UInt8](copying: $0) }
            }
            #expect(try payload == events[index].encodedPayload())
        }
    }
}
