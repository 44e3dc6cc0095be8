package import Clocks
package import Deciding
package import EventStore
package import Events
package import Projections
internal import Words

/// What a front shows of a recording: all of it is durable, but for what the central is doing.
package struct Scene: Sendable {
    /// How far the recording has come; nil where the log of another recorder is followed.
    package let phase: RecordingLife.Phase?
    /// The state after the last durable event.
    package let state: LogState
    /// The session that the recording is about, once it is open.
    package let session: Position?
    /// Now, as the next event would name it.
    package let moment: Moment
    /// The strap.
    package internal(set) var strap: StrapStatus
    /// The reception of positions; nil if no source of them ever spoke.
    package internal(set) var position: PositionStatus?
    /// What a session that is still to begin will have as its goal.
    package let goal: Goal
    /// Whether a recorder runs.
    package let isRecording: Bool
    /// Whether that is one of this process, or is about to be.
    package internal(set) var isOwn = false
    /// The phone that has started the last walk of this process; nil for none.
    package internal(set) var startedBy: String?
    /// The other process that records, in words; nil where this one does, or none.
    package var holder: String?
    /// Who is in range, where somebody wants to know.
    package internal(set) var range: DevicesInRange?
    /// The device that the walker has picked last, and what came of it.
    package internal(set) var picked: Pick?
    /// The strap that could be used instead of the one that is away.
    package internal(set) var substitute: SubstituteStrap?
    /// Why there can be no heart rate now, and what helps, as the walker was told it; nil if
    /// nothing hinders.
    package internal(set) var bluetoothProblem: String?
    /// Why no position counts, as the walker was told it; nil if some do.
    package internal(set) var positionProblem: String?
    /// What the walker was told last with a sound, and how many times that was.
    package internal(set) var alert: (sentence: String, number: UInt64)?
    /// The limit that the heart rate is beyond, and for how long, as the walker was told it.
    var heartAlert: (alert: HeartAlert, milliseconds: UInt64)?
    /// How far the walker came in the last half minute, and in what time; nil if that is unknown.
    var pace: (millimetres: UInt64, milliseconds: UInt64)?
    /// Why nothing can be recorded now, as the walker was told it; nil if nothing keeps it.
    package internal(set) var storageProblem: String?
    /// Minutes east of UTC before this recorder's start is durable, which tells them; else nil.
    var startingOffsetMinutes: Int64?
    /// The events since the scene that was taken before.
    package internal(set) var events: [RecordedEvent] = []
    /// What the walker is told since then.
    package internal(set) var news: [News] = []
    /// How many events and sentences found no room, because scenes were not taken.
    package internal(set) var omitted: UInt64 = 0

    /// A sentence that comes or goes.
    package enum News: Hashable, Sendable {
        /// The walker is told this.
        case said(String)
        /// The walker is told this, with a sound.
        case alerted(String)
        /// What was reported holds no longer.
        case withdrawn(String)

        /// What the walker is told; nil where something is taken back.
        package var sentence: String? {
            switch self {
            case .said(let sentence), .alerted(let sentence): sentence
            case .withdrawn: nil
            }
        }
    }

    /// Makes a scene without events and news.
    ///
    /// - Parameters:
    ///   - phase: How far the recording has come; nil for the log of another recorder.
    ///   - state: The state after the last durable event.
    ///   - session: The session that the recording is about.
    ///   - moment: Now.
    ///   - strap: The strap.
    ///   - goal: What a session that is still to begin will have as its goal.
    ///   - isRecording: Whether a recorder runs.
    package init(
        phase: RecordingLife.Phase?, state: LogState, session: Position?, moment: Moment,
        strap: StrapStatus, goal: Goal = Goal(), isRecording: Bool = true
    ) {
        (self.phase, self.state, self.session, self.moment) = (phase, state, session, moment)
        (self.strap, self.goal, self.isRecording) = (strap, goal, isRecording)
        let contactless = strap.device.flatMap(state.own.contactlessStrap)
        bluetoothProblem = strap.isWithoutContact ? contactless?.sentence : nil
    }

    /// Shows a recording as it is.
    init(_ life: RecordingLife) {
        self.init(
            phase: life.phase, state: life.state, session: life.session, moment: life.moment,
            strap: life.strap, goal: life.plan.goal)
        position = life.position
        let unreadable = life.narrator.unreadable(strap.device)
        strap.isUnreadable = unreadable != nil
        bluetoothProblem = life.narrator.bluetoothProblem ?? unreadable ?? bluetoothProblem
        positionProblem = life.narrator.positionProblem
        storageProblem = life.storageProblem
        range = life.intake.search.range
        picked = life.intake.search.picked
        substitute = life.substitutes.offer
        alert = life.lastAlert
        heartAlert = life.heartAlert.standing(at: life.now.bootMilliseconds)
        pace = life.pace.pace(at: life.now.bootMilliseconds)
        guard !life.isStarted else { return }
        startingOffsetMinutes = life.machine.zone(life.now.wallMilliseconds).offsetMinutes
    }

    /// What was reported and still holds: why nothing is recorded, and why there is no heart rate.
    ///
    /// Of strap and positions the more useful one.
    package var troubles: [String] {
        [storageProblem, bluetoothProblem ?? positionProblem].compactMap { $0 }
    }

    /// Shows the current state to whoever does not record: what a log says, now.
    ///
    /// Beside a dead recorder the state is as the next event will tell it.
    ///
    /// - Parameters:
    ///   - folded: The state after the last durable event.
    ///   - log: The log it was folded from.
    ///   - isRecording: Whether a recorder runs, as the kernel says.
    ///   - machine: Whose boot now is of.
    ///   - arrival: Now.
    ///   - events: The events since the scene before.
    /// - Throws: `EventLogError`.
    package init(
        following folded: LogState, of log: some EventLog, isRecording: Bool,
        machine: Machine, at arrival: Arrival, events: [RecordedEvent] = []
    ) throws(EventLogError) {
        let seen = folded.seenByOthers(isRecording: isRecording)
        let state = isRecording ? seen : seen.withoutRecorder()
        let moment = arrival.moment(
            bootNumber: state.bootNumber(on: machine, at: arrival),
            isSimulated: seen.isSimulated)
        self.init(
            seeing: state, isRecording: isRecording, hasCentral: isRecording && !seen.isSimulated,
            at: moment)
        position = try log.positionStatus(of: state, at: moment)
        self.events = events
    }

    /// Shows a state at a moment, as whoever does not record sees it.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - isRecording: Whether a recorder runs.
    ///   - hasCentral: Whether it connects to devices; a simulated one does not.
    ///   - moment: The moment.
    package init(
        seeing state: LogState, isRecording: Bool, hasCentral: Bool, at moment: Moment
    ) {
        self.init(
            phase: nil, state: state, session: state.own.sessions.open?.position, moment: moment,
            strap: StrapStatus(
                state, at: moment, hasCentral ? CentralAttempts(state) : nil,
                isRecorderAlive: isRecording),
            isRecording: isRecording)
    }

    /// Shows a log again as its recorder showed it, at a past moment.
    ///
    /// - Parameters:
    ///   - state: The state after the last event that was folded.
    ///   - session: The session that is shown.
    ///   - moment: When it is shown, by the clocks of that time.
    ///   - events: The events since the scene before.
    package init(
        replaying state: LogState, session: Position?, at moment: Moment, events: [RecordedEvent]
    ) {
        let state = state.seenByOthers(isRecording: state.isRecording)
        let attempts = CentralAttempts(state)
        self.init(
            phase: nil, state: state, session: session, moment: moment,
            strap: StrapStatus(state, at: moment, attempts))
        self.events = events
    }

    /// The pedometer that is paired.
    var counter: Device? { state.own.devices.primary(.pedometer).flatMap { state.own.devices[$0] } }

    /// The same where no strap is paired.
    package var loneCounter: Device? { state.own.devices.areOnlyPedometers ? counter : nil }

    /// Today's steps; nil where nothing counts any.
    package var stepsToday: UInt64? {
        let steps = state.own.stepsToday(at: moment)
        return steps > 0 || counter != nil || report?.isCounted == true ? steps : nil
    }

    /// The session's totals.
    package var report: SessionReport? { report(of: session) }

    /// The totals of any session.
    func report(of session: Position?) -> SessionReport? {
        session.flatMap { state.sessionReport($0, at: moment) }
    }
}
