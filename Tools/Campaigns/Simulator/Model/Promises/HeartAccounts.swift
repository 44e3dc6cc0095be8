import Events
import Projections

/// How many heart rates a strap sent in each session, whatever was signalled twice.
struct HeartAccounts {
    private var values: UInt64 = 0
    private var links: UInt64 = 0
    private var last: [DeviceID: [UInt8]] = [:]

    /// What is on trial as copies counts: so much for each link, and at the beginning.
    private static let trial: UInt64 = 10

    /// Takes an event that the sessions have taken.
    ///
    /// - Returns: What is wrong; nil for nothing.
    mutating func take(_ event: Event, _ sessions: Sessions) -> String? {
        switch event {
        case .sessionStarted: (values, links, last) = (0, 1, [:])
        case .linkUp: links += 1
        case .characteristicNotified(let event) where event.characteristic == .heartRateMeasurement:
            // Each value has a number of its own.
            if last.updateValue(event.value, forKey: event.device) != event.value { values += 1 }
        case .sessionEnded:
            guard let session = sessions.ended.last else { return nil }
            let samples = session.heartRate.samples
            guard samples > values + Self.trial * links else { return nil }
            return "session \(session.position) counts \(samples) of \(values) heart rates"
        default: break
        }
        return nil
    }
}
