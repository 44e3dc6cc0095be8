import Certification
import Events
import Projections

// Events whose envelope and payload a test has at hand, for what takes them where they stand.

extension Projection {
    mutating func evolve(_ header: EventHeader, _ payload: Span<UInt8>) {
        _ = EventView.lend(header, payload: payload) { evolve($0) }
    }
}

extension StepsCertifier {
    mutating func take(
        _ header: EventHeader, _ payload: Span<UInt8>, displayed: (CivilDate) -> UInt64?
    ) throws(CounterExample) {
        try EventView.lend(header, payload: payload) { (event) throws(CounterExample) in
            try take(event, displayed: displayed)
        }
    }
}
