internal import Clocks
package import Events
internal import Projections
package import Recording
internal import Words

/// A capture played as live: what devices sent in it, in real time; at its end the session ends.
package struct CapturePlayer: Sensor {
    private let events: EventBatch

    /// Makes a player.
    ///
    /// - Parameter events: The capture.
    package init(_ events: EventBatch) {
        self.events = events
    }

    /// Plays until the task is cancelled or the capture ends.
    package func run(into inbox: Inbox) async {
        inbox.insist(Arrived(.said(Narrator.simulation), at: .now()))
        var pace = Pace(rate: 1)
        for index in 0..<events.count {
            let event = events.event(at: index)
            guard event.kind.isPlayed else { continue }
            await pace.wait(for: events.headers[index].stamp)
            guard !Task.isCancelled else { return }
            inbox.put(Arrived(.read(.record(event)), at: .now()))
        }
        inbox.insist(Arrived(.inputEnded, at: .now()))
    }
}

extension EventKind {
    /// Whether a device or a health store sent it; all else is decided again.
    fileprivate var isPlayed: Bool {
        switch lane {
        case .link, .heart, .place: true
        case .steps:
            [.pedometerRead, .pedometerChosen, .healthTotalObserved].contains(self)
        case .control, .session, .day, nil: false
        }
    }
}
