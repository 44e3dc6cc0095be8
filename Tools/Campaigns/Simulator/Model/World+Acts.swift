import BluetoothCentral
import Clocks
import Deciding
import Events
import Projections
import Recording

/// What people and the world do.
extension World {
    func take(_ act: Act) {
        tell("--- \(act)")
        noteDisk()
        // Whatever happens may be a reason why no values come.
        recoveryAt = nil
        defer { noteDisk() }
        switch act {
        case .record(let start): record(start)
        case .prepare(let milliseconds): prepare(milliseconds)
        case .press(let key): press(key)
        case .leave(let key, let after): press(key, leavingAfter: after)
        case .interrupt: signal(.interrupt)
        case .terminate: signal(.termination)
        case .kill: kill()
        case .endAll: signal(.interrupt)
        case .command(let command): run(.command(command))
        case .forget(let strap):
            run(.command(.forget(id(strap))))
        case .pair(let strap):
            let device = bluetooth.straps[strap]
            let roles: Roles =
                device.measurement == .runningSpeedCadenceMeasurement ? .footPod : .heart
            run(.command(.pair(id(strap), name: device.name, roles: roles)))
        case .health(let steps, let age): postHealth(steps, age)
        case .losePower(let down, let losesClock): losePower(down, losesClock)
        case .sleep(let milliseconds): sleep(milliseconds)
        case .setClock(let milliseconds, let isTrusted):
            computer.setClock(by: milliseconds, isTrusted: isTrusted)
        case .travel(let minutes): computer.travel(toMinutesEast: minutes)
        case .disk(let mood): disk.turn(mood)
        case .slowDisk(let milliseconds): disk.slow(toMilliseconds: milliseconds)
        case .holdWriter(let milliseconds): holdWriter(milliseconds)
        case .daemon(let isUp): if isUp { bluetooth.start() } else { bluetooth.crash() }
        case .restartDaemon: bluetooth.restart()
        case .remove(let strap): bluetooth.forget(strap)
        case .stopScan: bluetooth.stopScan()
        case .loseBus: if let process { loseBus(process) }
        case .power(let isOn): bluetooth.power(isOn)
        case .cyclePower(let down): cyclePower(down)
        case .plug(let isIn): bluetooth.plug(isIn)
        case .range(let strap, let isIn): bluetooth.setRange(strap, isInRange: isIn)
        case .dropLink(let strap): bluetooth.dropLink(strap)
        case .weaken(let strap, let attempts): bluetooth.straps[strap].weakAttempts = attempts
        case .contact(let strap, let hasContact): bluetooth.straps[strap].hasContact = hasContact
        case .copies(let strap, let isCopied): bluetooth.straps[strap].isCopied = isCopied
        case .flood(let strap, let count): bluetooth.flood(strap, count)
        case .illFormed(let strap): bluetooth.straps[strap].isIllFormed = true
        case .mood(let mood): bluetooth.moods.insert(mood)
        case .heal: heal()
        }
    }

    private func id(_ strap: Int) -> DeviceID {
        DeviceID(address: bluetooth.straps[strap].address.value, space: .random)
    }

    // MARK: - Recording

    /// A page prepares a walk, for a while.
    private func prepare(_ milliseconds: UInt64) {
        guard process == nil, page == nil else { return }
        let page = PageProcess(nextNumber(), computer, disk, timeline)
        self.page = page
        page.start(timeline, for: milliseconds)
    }

    /// A page that is asked to leaves within ``leavingMilliseconds``.
    private func record(_ start: SessionStart) {
        guard process == nil, awaited == nil else { return }
        if disk.isRecorderAlive {
            awaited = (start, timeline.now)
            disk.isRecorderRequested = true
        } else {
            begin(start)
        }
    }

    /// Begins to record if that waits for a page, which has left.
    func recordIfPageHasLeft() {
        if let page, page.isOver {
            page.log.close(&generator)
            self.page = nil
        }
        guard let (start, _) = awaited, !disk.isRecorderAlive else { return }
        awaited = nil
        disk.isRecorderRequested = false
        begin(start)
    }

    /// The page is gone at once, and so is whoever waits for it.
    func losePage() {
        awaited = nil
        disk.isRecorderRequested = false
        guard let page else { return }
        page.kill()
        page.log.close(&generator)
        disk.unlockRecorder(page.number)
        self.page = nil
    }

    private func begin(_ start: SessionStart) {
        let plan = SessionPlan(
            source: .central(strap: start.strap.map { bluetooth.straps[$0].address.value }),
            goal: start.goal,
            begins: start.isHandsFree
                ? .wheneverWorn : start.waitsForStrap ? .withHeartRate : .atOnce,
            durationMilliseconds: start.durationMilliseconds,
            endsOpenSession: start.endsOpenSession, isWatched: start.isWatched,
            counters: [SessionPlan.StepCounter(Self.counter, name: "Step counter")],
            programVersion: "simulated")
        let process = RecorderProcess(
            nextNumber(), plan, computer, disk, timeline,
            frontPauseMilliseconds: start.frontPauseMilliseconds)
        process.endCommands = Set(commands.filter(\.asksForEnd).map(\.number))
        if !start.endsOpenSession, witness.state.own.sessions.open != nil {
            process.beganAt = timeline.now
        }
        self.process = process
        _ = disk.lockRecorder(process.number)
        witness.beginRecorder()
        process.start(timeline)
    }

    private func press(_ key: Act.Key, leavingAfter leave: UInt64? = nil) {
        guard let process else { return }
        let request: Request =
            switch key {
            case .pause: .command(.pause)
            case .resume: .command(.resume)
            case .mark: .command(.mark("here"))
            case .refresh: .command(.refresh())
            case .begin: .begin
            case .nextGoal: .nextGoal
            case .end: .command(.end())
            }
        process.ask(request, timeline, leavingAfter: leave)
        if key == .end { askToEnd() }
    }

    private func signal(_ signal: EndSignal) {
        process?.recorder?.note(.signalled(signal))
        askToEnd()
    }

    private func askToEnd() {
        guard let process else { return }
        process.isEndWanted = true
        if process.endAskedAt == nil { process.endAskedAt = timeline.now }
    }

    private func kill() {
        guard let process else { return }
        lose(process)
        witness.rebuild()
    }

    // MARK: - Elsewhere

    private func run(_ request: CommandProcess.Request) {
        let command = CommandProcess(
            nextNumber(), request, computer, disk, timeline)
        if command.asksForEnd { process?.endCommands.insert(command.number) }
        commands.append(command)
        command.start(timeline)
    }

    private func postHealth(_ steps: UInt64, _ ageMilliseconds: Int64) {
        let wall = computer.arrival().wallMilliseconds
        let date = CivilDate(
            wallMilliseconds: wall, zoneOffsetMinutes: computer.machine.zone(wall).offsetMinutes)
        let total = HealthTotal(
            date: date, steps: steps, validUntilMilliseconds: wall - ageMilliseconds)
        let report = HealthReport(origin: .push, totals: [total])
        // The port is the recorder's; without one somebody imports a file.
        run(process == nil ? .file(report) : .post(report))
    }

    private func holdWriter(_ milliseconds: UInt64) {
        guard disk.acquire(Self.otherWriter, at: timeline.now) else { return }
        writerHeldUntil = timeline.now + milliseconds
    }

    /// Where values came until now, they come again soon after the adapter is back.
    private func cyclePower(_ down: UInt64) {
        bluetooth.cyclePower(down)
        guard witness.lastHeartAt + 2_000 > timeline.now, bluetooth.moods.isEmpty else { return }
        recoveryAt = timeline.now + down + Self.returnMilliseconds
    }

    // MARK: - The machine

    private func losePower(_ downMilliseconds: UInt64, _ losesClock: Bool) {
        disk.losePower(&generator)
        loseAll()
        writerHeldUntil = nil
        disk.release(Self.otherWriter)
        bluetooth.crash()
        pass(to: timeline.now + downMilliseconds)
        computer.boot(&generator, losesClock: losesClock)
        witness.bootedAt = timeline.now
        steps = 0
        bluetooth.start()
        witness.rebuild()
    }

    /// Nothing runs meanwhile; then everything that was due happens at once.
    private func sleep(_ milliseconds: UInt64) {
        let isEnding = process?.endAskedAt != nil
        timeline.advance(to: timeline.now + milliseconds)
        witness.now = timeline.now
        // What was being written goes on only now.
        trouble.hinder(at: timeline.now)
        if isEnding { process?.endAskedAt = timeline.now }
        bluetooth.pass(to: timeline.now)
        for index in bluetooth.straps.indices { bluetooth.dropLink(index) }
    }

    private func heal() {
        bluetooth.heal()
        disk.turn(.well)
        disk.slow(toMilliseconds: 3)
        recoveryAt = timeline.now + Self.recoveryMilliseconds
    }
}
