import BluetoothCentral
import Events
import Projections
import Recording
import TestSupport

/// Plays a history: a machine, a disk, bluetoothd with straps, people, and the real recorder.
///
/// All that is random follows from the history's seed, so a history is the same each time.
final class World {
    let timeline: Timeline
    let computer: Computer
    let disk: Disk
    let witness: Witness
    var generator: SeededGenerator
    var bluetooth: Bluetooth
    /// Who records; nil for nobody.
    var process: RecorderProcess?
    /// A page that prepares a walk.
    var page: PageProcess?
    /// Who wants to record, and since when they have waited for the page.
    var awaited: (start: SessionStart, since: UInt64)?
    /// Other processes that are about to append.
    var commands: [CommandProcess] = []
    /// When whoever holds the right to write, and does nothing with it, lets it go.
    var writerHeldUntil: UInt64?
    /// When heart rates must come again, because all is well for long enough; nil for never.
    var recoveryAt: UInt64?
    /// What the machine's step counter has counted since the boot.
    var steps: UInt64 = 0
    /// What keeps writers waiting.
    var trouble = DiskTrouble()
    /// The straps that the log forgot and has not paired since: for a day they are left alone.
    var forgotten: Set<Int> = []
    /// How many readings the central has reported.
    var owedCount = 0
    private var lastNumber = 0
    /// How many moments there were in the present second.
    private var moments = (second: UInt64(0), count: 0)
    /// Is told everything that happens, in words; nil for nobody.
    private let trace: ((String) -> Void)?

    /// The machine's step counter.
    static let counter = DeviceID(address: 7, space: .kernel)
    /// Who writes and is no program of ours.
    static let otherWriter = -1
    /// How often Bluetooth and the recorder may answer each other at one moment.
    static let roundLimit = 10_000
    /// How many moments a second may have; a sync takes one millisecond at least.
    static let momentLimit = 10_000
    /// How many calls may wait for bluetoothd: for each device a link and its characteristics.
    static let callLimit = 64
    /// How many tasks may wait for a time: some for each process.
    static let sleeperLimit = 200
    /// How long after all is well values may take: 30 s of pause, 42 s of an attempt that was
    /// begun in vain, the minute after which services that were not found are asked for anew.
    static let recoveryMilliseconds: UInt64 = 190_000
    /// How long values may take after the adapter was off for a while, and nothing else was wrong.
    static let returnMilliseconds: UInt64 = 10_000
    /// How long an end or a command may take, with a disk that needs seconds for each sync.
    static let endingMilliseconds: UInt64 = 60_000
    /// How long a page may take to leave for a recorder.
    static let leavingMilliseconds: UInt64 = 20_000
    /// How long after its time a session may go on: 10 s in which a recorder whose log has failed
    /// leaves its devices, and some to notice.
    static let overtimeMilliseconds: UInt64 = 15_000

    init(seed: UInt64, trace: ((String) -> Void)? = nil) {
        self.trace = trace
        generator = SeededGenerator(seed: seed ^ 0x5EED)
        timeline = Timeline(seed: seed)
        computer = Computer(timeline)
        disk = Disk()
        witness = Witness(disk, timeline)
        bluetooth = Bluetooth([
            SimulatedStrap(
                BluetoothAddress(0xC4_00_00_00_00_01), name: "Strap One",
                measurement: .heartRateMeasurement),
            SimulatedStrap(
                BluetoothAddress(0xC4_00_00_00_00_02), name: "Strap Two",
                measurement: .heartRateMeasurement),
            SimulatedStrap(
                BluetoothAddress(0xC4_00_00_00_00_03), name: "Foot Pod",
                measurement: .runningSpeedCadenceMeasurement),
        ])
        computer.boot(&generator)
    }

    /// Plays a history to its end, or until a promise is broken.
    func play(_ history: History) -> Violation? {
        let end = history.hours * 3_600_000
        var rest = history.acts[...]
        while witness.violation == nil {
            let due = min(rest.first?.at ?? .max, nextDue ?? .max)
            guard due <= end else { break }
            pass(to: max(due, timeline.now))
            while let next = rest.first, next.at <= timeline.now, witness.violation == nil {
                rest.removeFirst()
                take(next.act)
                settle()
            }
        }
        if let worn = history.worn, witness.violation == nil { checkWalks(worn) }
        finish()
        return witness.violation
    }

    /// Tells what happens.
    func tell(_ words: @autoclosure () -> String) {
        trace?("\(TimedAct.time(timeline.now))  \(words())")
    }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// When something happens by itself.
    private var nextDue: UInt64? {
        var dues = [
            timeline.nextWake, bluetooth.nextDue, writerHeldUntil, recoveryAt,
            commands.map(deadline(of:)).min(), leavingDeadline,
        ]
        if let process {
            let deadline = process.central.nextDeadlineMilliseconds
            dues += [
                process.nextTick, process.busBackAt,
                process.endAskedAt.map { $0 + Self.endingMilliseconds },
            ]
            if process.busBackAt == nil {
                dues.append(deadline.map(computer.time(ofBootMilliseconds:)))
            }
        }
        return dues.compactMap { $0 }.min()
    }

    /// Lets time pass until something happens, and everything that comes of it.
    func pass(to time: UInt64) {
        timeline.advance(to: time)
        witness.now = time
        countMoment()
        if let until = writerHeldUntil, until <= time {
            writerHeldUntil = nil
            disk.release(Self.otherWriter)
        }
        bluetooth.pass(to: time)
        if let process { pass(time, for: process) }
        recordIfPageHasLeft()
        settle()
        checkTime(time)
    }

    /// What is due in the past, or at once, again and again keeps time from passing.
    private func countMoment() {
        let second = timeline.now / 1_000
        moments = (second, second == moments.second ? moments.count + 1 : 1)
        guard moments.count > Self.momentLimit else { return }
        witness.complain(.rest, "\(moments.count) moments in one second")
    }

    private func pass(_ time: UInt64, for process: RecorderProcess) {
        // As its service does, a recorder at rest lets time pass seldom, until something begins.
        let interval: UInt64 = process.recorder?.isResting ?? false ? 10_000 : 1_000
        if process.nextTick <= time || process.nextTick > time + interval {
            process.nextTick = time + interval
            let since = disk.writingSince(otherThan: process.number)
            let isLong = since.map { time - min($0, time) > 3_000 } ?? false
            process.recorder?.note(.ticked(awaitedWriter: isLong ? "another program writes" : nil))
            if isLong, process.endAskedAt != nil || process.beganAt == nil {
                process.mayGiveUp = true
            }
            readCounter(for: process)
        }
        passBluetooth(time, for: process)
    }

    /// The machine counts the walker's steps, and is read as time passes; now and then it shows one
    /// bit otherwise, nothing, or for good what it showed a while ago.
    private func readCounter(for process: RecorderProcess) {
        guard process.sensor.wish.counters.contains(Self.counter), let inbox = process.sensor.inbox
        else { return }
        steps += generator.below(3)
        var shown = steps
        switch generator.below(200) {
        case 0: shown ^= 1 << (5 + generator.below(27))
        case 1: shown = 0
        case 2:
            steps -= min(steps, generator.below(300))
            shown = steps
        case 3 where steps < 1 << 31: steps = 1 << 32 - 1 - generator.below(20)
        default: steps %= 1 << 32
        }
        let event = PedometerRead(device: Self.counter, reading: .counter(shown))
        inbox.put(Arrived(.read(.record(.pedometerRead(event))), at: computer.arrival()))
    }

    // MARK: - Coming to rest

    /// Everything that can happen now happens; then it is held against the promises.
    func settle() {
        var rounds = 0
        repeat {
            rounds += 1
            guard timeline.settle(), rounds < Self.roundLimit else {
                return witness.complain(.rest, "something goes on and on without time passing")
            }
        } while moveBluetooth()
        for event in witness.follow() {
            tell("\(event.header.position) \(Trace.words(event.event))")
            noteForgotten(event.event)
            noteSession(event.event)
        }
        commands.removeAll { command in
            guard let answer = command.takeAnswer() else { return false }
            hold(answer, of: command)
            command.close(&generator)
            return true
        }
        checkBounds()
        guard let process else { return }
        for scene in process.takeScenes() {
            witness.see(scene)
            for news in scene.news { tell("\(Trace.words(news))") }
            if case .ending = scene.phase, process.endAskedAt == nil {
                process.endAskedAt = timeline.now
            }
        }
        witness.hold(process.takeAcknowledged(), of: process.log)
        if process.frontPauseMilliseconds == 0 {
            witness.checkFront(
                since: trouble.hinderedAt, appendMilliseconds: trouble.appendMilliseconds)
        }
        if let result = process.result { end(process, result) }
    }

    private func noteForgotten(_ event: Event) {
        switch event {
        case .deviceForgotten(let event):
            let strap = bluetooth.straps.firstIndex { $0.address.value == event.device.address }
            if let strap { forgotten.insert(strap) }
        case .devicePaired(let event):
            let strap = bluetooth.straps.firstIndex { $0.address.value == event.device.address }
            if let strap { forgotten.remove(strap) }
        default: return
        }
    }

    /// The recorder's session begins, or has ended, here or elsewhere.
    private func noteSession(_ event: Event) {
        guard let process else { return }
        switch event {
        case .sessionStarted: if process.beganAt == nil { process.beganAt = timeline.now }
        case .sessionEnded:
            guard process.beganAt != nil, process.endAskedAt == nil,
                process.plan.begins != .wheneverWorn
            else { return }
            process.endAskedAt = timeline.now
        default: return
        }
    }

    /// What waits is bounded.
    private func checkBounds() {
        let calls = process?.openCalls.count ?? 0
        if calls > Self.callLimit { witness.complain(.rest, "\(calls) calls wait for bluetoothd") }
        let sleepers = timeline.sleeperCount
        if sleepers > Self.sleeperLimit {
            witness.complain(.rest, "\(sleepers) tasks wait for a time")
        }
    }

    /// Notes whether the disk keeps inputs waiting now.
    func noteDisk() { trouble.note(disk, isHeld: writerHeldUntil != nil, at: timeline.now) }

    // MARK: - Promises about time

    private func checkTime(_ time: UInt64) {
        noteDisk()
        if let asked = process?.endAskedAt, asked + Self.endingMilliseconds <= time {
            witness.complain(.ending, "it was to end at \(asked) ms")
        }
        if let process, process.endAskedAt == nil, let end = process.plannedEnd {
            let limit = max(end, trouble.hinderedAt) + Self.overtimeMilliseconds
            if limit + trouble.appendMilliseconds <= time {
                witness.complain(.ending, "its session was to end at \(end) ms")
            }
        }
        if let command = commands.first(where: { deadline(of: $0) <= time }) {
            witness.complain(.ending, "a command waits since \(command.startedAt) ms")
        }
        if let due = leavingDeadline, due <= time {
            witness.complain(.ending, "a page that only prepares a walk stays until \(due) ms")
        }
        guard let due = recoveryAt, due <= time else { return }
        recoveryAt = nil
        guard let process, expectsValues(process),
            witness.lastHeartAt + 5_000 < due
        else { return }
        witness.complain(.recovery, "all was well, and values were due at \(due) ms")
    }

    /// When a page must have left; nil if nobody waits for it.
    private var leavingDeadline: UInt64? {
        awaited.map {
            max($0.since, trouble.hinderedAt) + Self.leavingMilliseconds
                + trouble.appendMilliseconds
        }
    }

    /// When a command must have been answered.
    private func deadline(of command: CommandProcess) -> UInt64 {
        max(command.startedAt, trouble.hinderedAt) + Self.endingMilliseconds
    }

    /// Whether the recorder is to get values in a world that is well.
    func expectsValues(_ process: RecorderProcess) -> Bool {
        guard process.result == nil, process.endAskedAt == nil else { return false }
        guard !forgotten.isSuperset(of: [0, 1]) else { return false }
        if case .paused = witness.state.own.sessions.open?.state { return false }
        return true
    }

    /// Holds the whole log against the promises, and lets everybody go.
    private func finish() {
        if witness.violation == nil {
            witness.checkDays()
            witness.rebuild()
            do {
                try witness.exportAndImport()
            } catch {
                witness.complain(.digests, "what was exported cannot be imported: \(error)")
            }
        }
        loseAll()
        // Whoever still sleeps ends.
        for _ in 0..<Self.roundLimit {
            guard timeline.settle() else { break }
            guard let due = timeline.nextWake else { return }
            timeline.advance(to: due)
        }
        witness.complain(.rest, "somebody goes on after everybody was let go")
    }
}
