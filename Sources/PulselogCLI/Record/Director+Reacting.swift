internal import BlueZ
internal import BluetoothCentral
internal import Clocks
internal import EventStore
internal import Events
internal import Glibc
internal import Projections
internal import Recording

/// Reacting to what wakes the director: events, reports, keys, signals and the passing second.
extension Director {
    /// Reacts until the recording has finished.
    mutating func react(_ central: Central?) async {
        step(central)
        for await _ in wakes.stream {
            let pending = wakes.take()
            for sentence in pending.sentences { view.tell(sentence) }
            if let isFull = pending.isDiskFull { hear(isDiskFull: isFull) }
            if let refusal = pending.dayRefusal { hear(refusal) }
            if let refusal = pending.startRefusal { failToStart(refusal) }
            if pending.hasInputEnded { askSessionEnd(.inputEnded) }
            for heard in pending.reports { hear(heard) }
            for key in pending.keys { press(key) }
            if let signal = pending.signal { obey(signal) }
            if let reading = pending.healthReading { report(reading) }
            if pending.hasTicked { tick() }
            step(central)
            if pending.isFinished { return }
        }
    }

    /// Brings the central and the view in line with the state, and notices the session's end.
    mutating func step(_ central: Central?) {
        let state = latest.value
        let scene = scene(state)
        let now = scene.moment.stamp.bootMilliseconds
        // What was imported meanwhile happened to others.
        for event in scene.events where event.header.source == 0 {
            let sentence = narrator.hear(event) { [bridge] in
                Self.name(of: $0.address, in: state, bridge)
            }
            if let sentence { view.tell(sentence) }
            hear(event.event, at: now)
        }
        desire(of: central, state, at: now)
        let due = narrator.sentencesDue(
            at: now, isScanning: scene.strap.word == .scanning, block: { RadioSwitches.block() })
        for sentence in due { view.tell(sentence) }
        for sentence in narrator.takeOver() { view.withdraw(sentence) }
        view.show(scene)
        let open = state.live.sessions.open?.position
        if isSettingUp {
            setUp(scene)
        } else if open == nil || open != session {
            end(.requested)
        }
    }

    /// Says what the central is to do, and whether a strap is to be searched for.
    private func desire(of central: Central?, _ state: LogState, at now: UInt64) {
        guard case .central(let strap) = source else { return }
        if strap == nil {
            let isPaused = state.live.sessions.open?.state == .paused
            let isMissing = state.live.devices.primary(.heart) == nil && !isPaused
            bridge?.search(isMissing: isMissing, at: now)
        }
        central?.want(
            CentralDesire(
                state, strap: strap.map { BluetoothAddress($0) }, found: bridge?.wanted))
    }

    /// Begins the session as soon as the strap gives a heart rate, and notes that it began.
    mutating func setUp(_ scene: Scene) {
        let strap = scene.strap
        let start = scene.events.first { $0.event.kind == .sessionStarted && $0.header.source == 0 }
        // It may have ended since.
        if let start {
            session = start.header.position
            isSettingUp = false
            began = Arrival.now().bootMilliseconds
        } else if strap.word == .connected, strap.heartRateBPM != nil, !strap.isWithoutContact {
            begin()
        }
    }

    /// Asks for the session, once.
    mutating func begin() {
        guard isSettingUp, !isStartAsked else { return }
        isStartAsked = true
        put(plan.start)
    }

    /// Ends the recorder: waiting longer would not make the session possible.
    mutating func failToStart(_ refusal: Refusal) {
        failure = CommandFailure(.usage, refusal.description)
        end(.failure)
    }

    /// What is to be shown now; its events count as shown.
    mutating func scene(_ state: LogState) -> Scene {
        var events: [RecordedEvent] = []
        let end = state.head.map { $0 + 1 } ?? 0
        if next < end {
            do throws(EventLogError) {
                events = try store.log.events(in: next..<end)
                next = end
            } catch {
                // The recorder meets the same failure and tells it; they are shown when it is over.
                events = []
            }
        }
        var chosen: UInt64?
        if case .central(let strap) = source { chosen = strap ?? bridge?.choice?.value }
        let moment = now
        return Scene(
            state: state, session: session, moment: moment,
            strap: StrapStatus(state, at: moment, attempts, chosen: chosen), goal: plan.goal,
            events: events)
    }

    /// Hears of a pairing that is durable, and of its end.
    private mutating func hear(_ event: Event, at now: UInt64) {
        switch event {
        case .devicePaired(let event):
            if let sentence = bridge?.announcement(of: event.device) { view.tell(sentence) }
        case .deviceForgotten(let event):
            bridge?.shun(event.device, at: now)
            // What was named is a strap like others from now on.
            if case .central(strap: event.device.address) = source { source = .central(strap: nil) }
        default: break
        }
    }

    mutating func hear(_ heard: HeardReport) {
        attempts?.hear(heard.report)
        let state = latest.value
        let sentence = narrator.hear(heard.report, at: heard.bootMilliseconds) { [bridge] in
            Self.name(of: $0.value, in: state, bridge)
        }
        if let sentence { view.tell(sentence) }
    }

    mutating func hear(isDiskFull: Bool) {
        self.isDiskFull = isDiskFull
        view.tell(
            isDiskFull
                ? "The disk is full. What comes in waits in memory, for a minute; make room."
                : "The disk has room again. What waited is recorded, and the recording goes on.")
    }

    /// Tells who keeps the recorder from the log, and when that is over.
    ///
    /// What came waits in memory; who wants to go does not wait for it.
    mutating func lookAtWriter() {
        let wait = store.longWait
        if let wait, !isWriterAwaited {
            view.tell("Nothing can be recorded now: \(wait). What comes in waits in memory.")
        }
        if wait == nil, isWriterAwaited {
            view.tell("The other write has ended. What waited is recorded, and it goes on.")
        }
        isWriterAwaited = wait != nil
        guard isWriterAwaited else { return }
        if sessionEnd == .requested { end(.requested) }
        if isEnding { recording?.cancel() }
    }

    mutating func hear(_ dayRefusal: Refusal) {
        let now = Arrival.now().bootMilliseconds
        if let sentence = narrator.hear(dayRefusal, at: now) { view.tell(sentence) }
    }

    /// What the walker calls a device.
    private static func name(
        of address: UInt64, in state: LogState, _ bridge: CentralBridge?
    ) -> String {
        let device = state.live.devices.all.first { $0.id.address == address }
        return deviceTitle(
            device?.name ?? bridge?.name(of: address),
            device?.id.description ?? BluetoothAddress(address).description)
    }

    /// Once a second: midnight, travel, the step counters, and the end of the time that was set.
    mutating func tick() {
        tzset()
        lookAtWriter()
        put(.rollOver)
        readCounters()
        bridge?.passTime(at: Arrival.now().bootMilliseconds)
        plan.healthWatch?.look(wakes)
        guard let limit = plan.durationMilliseconds, !isSettingUp,
            Arrival.now().bootMilliseconds >= began + limit
        else { return }
        askSessionEnd(.durationReached)
    }

    mutating func readCounters() {
        let paired = latest.value.live.devices.paired.map(\.id)
        counterWatch?.read(Set(paired), into: queue, wakes)
    }

    func report(_ reading: HealthReading) {
        let wall = Arrival.now().wallMilliseconds
        let today = CivilDate(
            wallMilliseconds: wall, zoneOffsetMinutes: machine.zone(wall).offsetMinutes)
        for request in reading.requests(today: today) { put(request) }
    }

    mutating func press(_ key: Character) {
        switch key {
        case "p": put(.pause)
        case "r": put(.resume)
        case "m": put(.mark())
        case "f": put(.refresh())
        case "s", "q": askSessionEnd(.requested)
        case "g": chooseGoal()
        case "\n", "\r", " ": begin()
        default: break
        }
    }

    /// Takes the next preset as the goal of the session that is still to begin.
    mutating func chooseGoal() {
        guard isSettingUp, !isStartAsked else { return }
        let live = latest.value.live
        let isDailyOpen = live.recorder.profile.dailyGoalSteps.map { $0 > live.stepsToday(at: now) }
        plan.goal = GoalPreset.next(after: plan.goal, isDailyOpen: isDailyOpen ?? false)
        if plan.goal.kind == .none { plan.outAndBack = false }
    }

    /// Ctrl-C ends the session; every other signal leaves it open for the next recorder.
    mutating func obey(_ signal: Int32) {
        isSignalled = true
        if signal == SIGINT && sessionEnd == nil {
            askSessionEnd(.requested)
        } else {
            end(.signal)
        }
        lookAtWriter()
    }

    mutating func askSessionEnd(_ reason: EndReason) {
        guard sessionEnd == nil else { return }
        sessionEnd = reason
        // While setting up there is no session to end, but its start may be in the queue.
        if !isSettingUp || isStartAsked { put(.end(reason)) }
        // What the disk has no room for, nobody waits for who wants to go.
        if isSettingUp || (isDiskFull && reason == .requested) { end(.requested) }
    }

    func put(_ command: Command) {
        queue.put(Input(command, at: .now()))
    }

    /// Ends the recorder, once; the session stays as it is.
    mutating func end(_ reason: StopReason) {
        guard !isEnding else { return }
        isEnding = true
        put(.stopRecorder(reason))
        queue.finish()
    }
}
