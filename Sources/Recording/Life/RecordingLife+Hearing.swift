internal import BluetoothCentral
internal import Clocks
internal import Deciding
internal import Events
internal import Projections
internal import Words

/// What a recording learns of the log, the world and the walker.
extension RecordingLife {
    mutating func hear(_ folded: LogState, _ events: [RecordedEvent]) {
        let former = state.own.devices.primary(.heart)
        adopt(folded)
        noteChoice(after: former)
        defer { sense() }
        let naming = naming
        // What was imported meanwhile happened to others.
        for event in events where event.header.source == 0 {
            let sentence = narrator.hear(event, in: state) { naming($0.address) }
            if let sentence { event.event.isHeard ? alert(sentence) : say(sentence) }
            noteMotion(event)
            hear(event)
        }
    }

    /// Lets the sensors begin, once the start is durable and there is something to record.
    mutating func sense() {
        guard isStarted, !isSensing else { return }
        switch phase {
        case .settingUp, .recording: isSensing = true
        case .starting, .ending, .failed, .ended: return
        }
        actions.append(.sense)
    }

    mutating func hear(_ recorded: RecordedEvent) {
        switch recorded.event {
        // Only one recorder runs at a time.
        case .recorderStarted:
            isStarted = true
            sealsAt = now.bootMilliseconds + Self.sealIntervalMilliseconds
        case .sessionEnded: sealsAt = now.bootMilliseconds
        case .reconciliationTriggered(let event) where event.trigger.known == .rollover:
            sealsAt = now.bootMilliseconds
        case .positionFixed(let fix):
            reception.take(
                fix, of: state.own.recorder.positions.leader, at: recorded.header.stamp)
            watchPace(recorded.header.stamp)
        case .pedometerRead: watchPace(recorded.header.stamp)
        case .sessionStarted:
            guard [.settingUp, .starting].contains(phase) else { return }
            enter(recorded.header.position)
        case .devicePaired(let event):
            intake.register(event.device)
            intake.search.conclude(event.device)
            let roles = Role.allCases.filter { state.own.devices.primary($0) == event.device }
            if let sentence = intake.announcement(of: event, primary: roles) {
                say(sentence)
            }
        case .deviceForgotten(let event):
            intake.search.shun(
                BluetoothAddress(event.device.address), at: now.bootMilliseconds)
            let isTaken = substitutes.taken?.address.value == event.device.address
            if isTaken { substitutes.taken = nil }
            // What was named is a strap like others from now on.
            if plan.source == .central(strap: event.device.address) {
                plan.source = .central(strap: nil)
            }
        // What it means for the sensors follows from the state: see ``updateWish(at:)``.
        default: break
        }
    }

    mutating func hear(_ command: Command, _ refusal: Refusal) {
        switch command {
        case .start(let goal, _):
            // Waiting longer would not make the session possible. Whoever set it up may try again.
            guard phase == .starting else { return }
            guard goesOnAfterWalk, goal.kind != .none else { return fail(refusal) }
            say(refusal.description)
            append(.start())
        // Without a clock that was ever set there is no today; the rest is recorded all the same.
        case .rollOver, .refresh(.start):
            if let sentence = narrator.hear(refusal, at: now.bootMilliseconds) { say(sentence) }
        // A second wish to end the session needs no answer, nor does what nobody asked for.
        case .end, .refresh(.foreground): break
        case .news(let total, _): say(refusal, of: total.steps, on: total.date)
        case .healthTotal(let steps, let date, _, _, .observer, _):
            say(refusal, of: steps, on: date ?? today)
        default: say(refusal.description)
        }
    }

    /// Tells of a total that was refused, once of a date: a file says it again whenever it changes.
    private mutating func say(_ refusal: Refusal, of steps: UInt64, on date: CivilDate) {
        guard refusedDates.insert(date).inserted else { return }
        say(refusal.sentence(on: date, steps))
    }

    /// The local date.
    private var today: CivilDate {
        CivilDate(
            wallMilliseconds: now.wallMilliseconds,
            zoneOffsetMinutes: machine.zone(now.wallMilliseconds).offsetMinutes)
    }

    mutating func hear(isDiskFull: Bool) {
        self.isDiskFull = isDiskFull
        say(
            isDiskFull
                ? Self.diskFullSentence
                : "The disk has room again. The data in memory is recorded; recording continues.")
    }

    private static let diskFullSentence =
        "The disk is full. Incoming data is kept in memory for one minute; make room."

    /// Why nothing can be recorded now, as it was said; nil if nothing keeps it.
    var storageProblem: String? { isDiskFull ? Self.diskFullSentence : writerSentence }
}

// MARK: - The world

extension RecordingLife {
    mutating func hear(_ report: CentralReport) {
        append(intake.take(report, at: now))
        substitutes.hear(report, at: now.bootMilliseconds)
        let naming = naming
        let sentence = narrator.hear(report, at: now.bootMilliseconds) { naming($0.value) }
        if let sentence { say(sentence) }
    }

    /// What the walker calls the device of an address.
    var naming: (UInt64) -> DeviceTitle {
        { [state, intake] address in
            let device = state.own.devices.all.first { $0.id.address == address }
            // Of what is not paired yet the log knows the link at most.
            guard let device, device.name != nil, !device.roles.isEmpty else {
                return intake.name(of: address)
            }
            return DeviceTitle(device)
        }
    }

    /// As time passes: midnight, travel, and the search for a strap.
    mutating func tick(awaitedWriter: String?) {
        if let awaitedWriter, writerSentence == nil {
            let sentence =
                "Nothing can be recorded now: \(awaitedWriter). Incoming data is kept in memory."
            writerSentence = sentence
            say(sentence)
        }
        if awaitedWriter == nil, writerSentence != nil {
            writerSentence = nil
            say("The other write has ended. The data in memory is recorded; recording continues.")
        }
        // Only now is it certain that there still is somebody to wait for.
        switch phase {
        case .ending where awaitedWriter != nil, .failed where awaitedWriter != nil:
            actions.append(.abandon)
        default: break
        }
        append(.rollOver)
        intake.search.passTime(at: now.bootMilliseconds)
    }

    /// What the log holds, seen from this recorder's side.
    mutating func adopt(_ folded: LogState) {
        state = folded
        state.isSimulated = plan.isSimulated
    }

    /// Does what somebody asks for; the session's end waits for nothing.
    mutating func handle(_ request: Request, _ answer: Answering?) {
        switch request {
        case .command(.end(let reason)) where !goesOnAfterWalk: endSession(reason)
        case .command(let command): append(command, answer)
        case .leave: end(.requested)
        case .leaveSetUp: if phase == .settingUp { end(.requested) }
        case .begin: if phase == .settingUp { start() }
        case .nextGoal:
            let own = state.own
            let daily = own.recorder.profile.dailyGoalSteps
            let isDailyOpen = daily.map { $0 > own.stepsToday(at: moment) } ?? false
            let next = GoalPreset.next(
                after: plan.goal, isDailyOpen: isDailyOpen, Scene(self).sensorsAtSetUp,
                units: state.units)
            choose(next, plan.outAndBack)
        case .choose(let goal, let outAndBack): choose(goal, outAndBack)
        case .list(let scan): intake.search.list(scan)
        case .useSubstitute(let address): useSubstitute(address)
        case .quietAlerts(let milliseconds):
            heartAlert.beQuiet(until: milliseconds.map(now.bootMilliseconds.plus) ?? .max)
        case .pick(let pick): intake.search.pick(pick, at: now.bootMilliseconds)
        }
    }

    mutating func choose(_ goal: Goal, _ outAndBack: Bool) {
        guard phase == .settingUp else { return }
        plan.goal = goal
        plan.outAndBack = outAndBack && goal.kind != .none
    }
}
