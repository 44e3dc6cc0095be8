public import Clocks
public import EventStore
public import Projections

/// How things stand for whoever does not record: what a log tells, now.
public struct Situation: Sendable {
    /// The state after the last durable event; beside a dead recorder as the next event will tell
    /// it.
    public let state: LogState
    /// Now, as the next event would name it.
    public let moment: Moment
    /// Whether a recorder runs.
    public let isRecording: Bool
    /// For how long that one keeps readings before it commits them; nil if for no time at all.
    public let commitIntervalMilliseconds: UInt64?
    /// Whether it connects to devices: one whose values come from elsewhere does not.
    public let hasCentral: Bool
    /// The reception of positions, as the log tells it; nil if it never told one.
    public let position: PositionStatus?

    /// Takes the moment.
    ///
    /// - Parameters:
    ///   - state: The state after the last durable event.
    ///   - log: The log it was folded from.
    ///   - isRecording: Whether a recorder runs, as the kernel says.
    ///   - commitIntervalMilliseconds: For how long that one keeps readings before it commits
    ///     them; nil if for no time at all.
    ///   - machine: Whose boot now is of.
    ///   - arrival: Now.
    /// - Throws: `EventLogError`.
    public init(
        _ state: LogState, of log: some EventLog, isRecording: Bool,
        commitIntervalMilliseconds: UInt64? = nil, machine: Machine, at arrival: Arrival
    ) throws(EventLogError) {
        let seen = state.seenByOthers(isRecording: isRecording)
        self.state = isRecording ? seen : seen.withoutRecorder()
        self.isRecording = isRecording
        self.commitIntervalMilliseconds = isRecording ? commitIntervalMilliseconds : nil
        let recorder = self.state.live.recorder
        moment = arrival.moment(
            bootNumber: recorder.bootNumber(for: machine.bootID), isSimulated: seen.isSimulated)
        position = try log.positionStatus(of: self.state, at: moment)
        hasCentral = isRecording && !seen.isSimulated
    }

    /// The strap.
    public var strap: StrapStatus {
        StrapStatus(
            state, at: moment, hasCentral ? CentralAttempts(state) : nil,
            isRecorderAlive: isRecording, keptMilliseconds: commitIntervalMilliseconds ?? 0)
    }
}
