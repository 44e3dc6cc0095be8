internal import Events
internal import Projections
internal import Recording
internal import Terminal
internal import Synchronization

/// A replay on the recorder's own screen: the same scenes and the same front, in recorded time.
final class ReplayScreen {
    /// The recorded clocks: those of the last event, advanced at the rate of the replay.
    private final class Clocks: Sendable {
        private let rate: Double
        private let last = Mutex<(stamp: Stamp, at: ContinuousClock.Instant)?>(nil)

        init(rate: Double) {
            self.rate = rate
        }

        func set(_ stamp: Stamp) {
            last.withLock { $0 = (stamp, .now) }
        }

        /// What they show now; nil before the first event.
        var now: Stamp? {
            last.withLock { last in
                guard let last else { return nil }
                // As many as no replay lasts: neither clock overflows.
                let passed = min((ContinuousClock.now - last.at) / .milliseconds(1) * rate, 1e12)
                var stamp = last.stamp
                stamp.bootMilliseconds &+= UInt64(passed)
                stamp.wallMilliseconds &+= Int64(passed)
                return stamp
            }
        }
    }

    /// The time between two scenes.
    private static let interval = Duration.milliseconds(100)

    private let clocks: Clocks
    private let view: TerminalView
    /// The events since the last scene.
    private var events: [RecordedEvent] = []
    /// The session that is shown: the last one that was open.
    private var session: Position?
    private var flags: EventFlags = []
    private var nextScene = ContinuousClock.now

    /// Takes the terminal.
    ///
    /// - Parameters:
    ///   - look: What the terminal can.
    ///   - name: What is replayed, for the help.
    ///   - rate: How many times as fast as the events came.
    ///   - stop: Is told when somebody presses the key that ends it.
    init(_ look: Look, of name: String, rate: Double, endedBy stop: StopRequest) {
        let clocks = Clocks(rate: rate)
        self.clocks = clocks
        view = TerminalView(look, storeDirectory: name) { clocks.now?.bootMilliseconds ?? 0 }
        view.listen { [end = stop.request] request in
            if request == .leave { end() }
            return nil
        }
    }

    /// Shows an event that was folded, soon.
    func take(_ event: RecordedEvent, _ state: LogState) {
        clocks.set(event.header.stamp)
        flags = event.header.flags
        let seen = state.seenByOthers(isRecording: state.isRecording)
        session = seen.own.sessions.open?.position ?? session
        if events.count == SceneFeed.limit { events.removeFirst(SceneFeed.limit / 2) }
        events.append(event)
        if .now >= nextScene { show(state) }
    }

    /// Shows how time passes until a moment, or until there is a reason to stop.
    package func show(_ state: LogState, until due: ContinuousClock.Instant, or stop: StopRequest) {
        while .now < due, !stop.hasCome {
            show(state)
            stop.sleep(until: min(due, nextScene))
        }
    }

    private func show(_ state: LogState) {
        nextScene = .now + Self.interval
        guard let stamp = clocks.now else { return }
        view.show(
            Scene(
                replaying: state, session: session, at: Moment(stamp, flags), events: events))
        events = []
    }

    /// Gives the terminal back.
    package func release() {
        view.release()
    }
}
