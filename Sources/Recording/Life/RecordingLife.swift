internal import BluetoothCentral
package import Clocks
package import Deciding
package import Events
package import Projections
internal import Words

/// The life of a recording, as a value: happenings in, actions out; no clock, no log and no bus.
///
/// Whatever has happened, ``handle(_:at:)`` first updates what is known, and then brings the
/// sensors, the walker's sentences and the session's end in line with it, the same way each time.
package struct RecordingLife: Sendable {
    /// How far it has come.
    package enum Phase: Hashable, Sendable {
        /// The session waits for the strap's first heart rate, or for the walker.
        case settingUp
        /// The session was asked for, and is not durable yet.
        case starting
        /// The session is open, or paused.
        case recording(Position)
        /// The recorder ends; the session may stay open.
        case ending(StopReason)
        /// The session could not begin.
        case failed(Refusal)
        /// Nothing more can be appended.
        case ended(Recorder.End)
    }

    /// How far it has come.
    package internal(set) var phase = Phase.starting
    /// The state after the last durable event.
    package internal(set) var state = LogState()
    /// The session that this recording is about, once it is open.
    package internal(set) var session: Position?
    /// The session before, of a recorder that goes on after each.
    var lastSession: Position?
    /// What the session is to be.
    package internal(set) var plan: SessionPlan
    /// Why the session is to end, once that was asked.
    var sessionEnd: EndReason?
    /// Of which dates a total was refused.
    var refusedDates: Set<CivilDate> = []
    /// Whether the recorder waits for a full disk.
    var isDiskFull = false
    /// What was said of another process that the recorder waits for; nil while it waits for none.
    var writerSentence: String?
    /// What keeps all adapters silent.
    var radioBlock: RadioBlock?
    let machine: Machine
    var narrator = Narrator()
    /// What the central reports; its values and links become events.
    var intake: CentralIntake
    /// What could be used instead of a strap that is away.
    var substitutes = SubstituteWatch()
    /// The strap that the walker has chosen since, and whether it is used instead of a named one.
    var chosen: (strap: DeviceID, isUsed: Bool)?
    /// When the strap was worn, for walks that begin and end by that.
    var wear = WearWatch()
    /// Whether the walker moves.
    var motion = MotionWatch()
    /// How fast they are.
    var pace = PaceWatch()
    /// After how many laps the end of the next was asked for because it is long enough.
    var askedLap: UInt64?
    /// Whether the heart rate has left its limits.
    var heartAlert = HeartAlertWatch()
    /// What the walker was told last with a sound, and how many times that was.
    var lastAlert: (sentence: String, number: UInt64)?
    /// What sources of positions have reported.
    var reception = Reception()
    var wish = SensorWish()
    /// Whether the start of this recorder is durable.
    var isStarted = false
    /// When the log is to be sealed next, on the boot clock; nil before the start is durable.
    var sealsAt: UInt64?
    /// When the session ends by itself, on the boot clock.
    var endsAt: UInt64?
    /// Whether the sensors sense.
    var isSensing = false
    var now = Arrival(bootMilliseconds: 0, wallMilliseconds: 0)
    /// What the present happening has led to so far.
    var actions: [RecordingAction] = []

    /// What is recorded for longer than this is vouched for, unless it cannot be.
    static let sealIntervalMilliseconds: UInt64 = 15 * 60_000

    /// Whether nothing more can be appended.
    package var isOver: Bool {
        if case .ended = phase { true } else { false }
    }

    /// Makes the life of a recording that has not begun.
    ///
    /// - Parameters:
    ///   - plan: What the walker wants.
    ///   - machine: Whose boot and zone the events name.
    package init(_ plan: SessionPlan, machine: Machine) {
        (self.plan, self.machine) = (plan, machine)
        intake = CentralIntake(paired: [])
    }

    /// Takes a happening and says what to do.
    ///
    /// - Parameters:
    ///   - happening: What happened.
    ///   - arrival: When.
    /// - Returns: The actions, to be done in this order.
    package mutating func handle(
        _ happening: Happening, at arrival: Arrival
    ) -> [RecordingAction] {
        let last = now
        now = arrival
        beginAnew(after: last)
        take(happening)
        if !isOver { reconcile() }
        defer { actions = [] }
        return actions
    }

    mutating func take(_ happening: Happening) {
        switch happening {
        case .began(let state): begin(state)
        case .recorded(let state, let events): hear(state, events)
        case .refused(let command, let refusal): hear(command, refusal)
        case .asked(let request, let answer): handle(request, answer)
        case .reported(let report): hear(report)
        case .radioBlockFound(let block): radioBlock = block
        case .read(let command): append(command)
        case .receptionTold(let satellites):
            reception.told(satellites, at: now.bootMilliseconds)
        case .receiverTold(let receiver): reception.take(receiver, at: now.bootMilliseconds)
        case .phoneHeard(let sent): reception.hear(sent, at: moment.stamp)
        case .said(let sentence): say(sentence)
        case .inputEnded: endSession(.inputEnded)
        case .overflowed(let count):
            let lost = IntakeOverflowed(intake: .queue, lostEvents: count)
            append(.record(.intakeOverflowed(lost)))
        case .ticked(let writer): tick(awaitedWriter: writer)
        case .woke: break  // What is due follows from the time.
        case .signalled(let signal): handle(signal)
        case .diskFull(let isFull): hear(isDiskFull: isFull)
        case .logEnded(let failure): end(because: failure)
        }
    }

    // MARK: - After each happening

    mutating func reconcile() {
        let boot = now.bootMilliseconds
        updateChoice()
        updateSubstitute(at: boot)
        updateWish(at: boot)
        updateWear()
        updateMotion()
        updateAlert()
        let strap = strap
        if case .central = plan.source {
            let due = narrator.sentencesDue(
                at: boot, isScanning: strap.word == .scanning, block: radioBlock)
            for sentence in due { say(sentence) }
        }
        updatePositions()
        for sentence in narrator.takeWithdrawn() { actions.append(.withdraw(sentence)) }
        switch phase {
        case .settingUp:
            if isTimeUp { return endSession(.durationReached) }
            if isBegunByStrap { start() }
        case .recording(let position):
            if isTimeUp { endSession(.durationReached) }
            // Somebody ended it, here or elsewhere.
            if state.own.sessions.open?.position != position {
                goesOnAfterWalk ? awaitNextWalk() : end(.requested)
            }
        case .starting, .ending, .failed, .ended: break
        }
        if let due = sealsAt, boot >= due {
            sealsAt = boot + Self.sealIntervalMilliseconds
            actions.append(.seal)
        }
        // Whoever wants to leave waits neither for room nor for another process.
        if storageProblem != nil, sessionEnd == .requested { end(.requested) }
    }

    private var isTimeUp: Bool { endsAt.map { now.bootMilliseconds >= $0 } ?? false }

    /// Says what the sensors are to do, and whether a strap is to be searched for.
    mutating func updateWish(at boot: UInt64) {
        var wish = SensorWish(positions: arePositionsWanted)
        if case .central = plan.source {
            let strap = named
            if strap == nil, plan.picksStrap {
                let devices = state.own.devices
                // Before its start is durable the log's clock is that of the event before.
                let isMissing =
                    devices.primary(.heart) == nil && !state.own.sessions.isAtRest && isStarted
                let left = isMissing ? state.own.leftAlone(at: moment) : []
                intake.search.note(isMissing: isMissing, leaving: left, at: boot)
            }
            // Nobody is listened for while a first strap is being connected to.
            let others = intake.search.wanted == nil ? substitutes.scanning(at: boot) : nil
            wish.central = CentralDesire(
                state, strap: strap.map { BluetoothAddress($0) }, found: intake.search.wanted,
                scanning: intake.search.scanning ?? others)
            wish.counters = Set(
                state.own.devices.paired.filter { $0.roles.contains(.stepCounter) }.map(\.id))
        }
        guard wish != self.wish else { return }
        self.wish = wish
        actions.append(.want(wish))
    }

    mutating func append(_ command: Command, _ answer: Answering? = nil) {
        append([Input(command, at: now, answer: answer)])
    }

    /// Nothing is appended once the recorder has stopped.
    mutating func append(_ inputs: [Input]) {
        switch phase {
        case .settingUp, .starting, .recording:
            for var input in inputs {
                input.isSimulated = plan.isSimulated
                actions.append(.append(input))
            }
        case .ending, .failed, .ended: break
        }
    }

    /// Tells the walker so that they hear it.
    mutating func alert(_ sentence: String) {
        lastAlert = (sentence, (lastAlert?.number ?? 0) + 1)
        actions.append(.alert(sentence))
    }

    mutating func say(_ sentence: String) {
        actions.append(.say(sentence))
    }

    // MARK: - What is shown

    /// The present moment, as the next event would name it.
    package var moment: Moment { moment(at: now) }

    /// A moment, as the next event would name it.
    ///
    /// - Parameter arrival: When.
    /// - Returns: The moment.
    package func moment(at arrival: Arrival) -> Moment {
        let number = state.bootNumber(on: machine, at: arrival)
        return arrival.moment(bootNumber: number, isSimulated: plan.isSimulated)
    }

    /// The strap, as people see it now: before this recorder's start is durable, the log has only
    /// the links of others.
    package var strap: StrapStatus {
        guard case .central = plan.source else {
            return StrapStatus(state, at: moment, nil, isRecorderAlive: isStarted)
        }
        // A strap that is paired besides the primary one is not shown in its place.
        let isMissing = state.own.devices.primary(.heart) == nil
        let found = isMissing ? intake.search.choice?.value : nil
        return StrapStatus(
            state, at: moment, intake.attempts, chosen: named ?? found, isRecorderAlive: isStarted,
            isSearching: !state.own.devices.areOnlyPedometers
                && (plan.picksStrap || intake.search.scanning != nil))
    }
}
