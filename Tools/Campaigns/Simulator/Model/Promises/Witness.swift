import Certification
import EventStore
import Events
import Projections
import Recording

/// Reads the log from the disk, on its own, after each step, and holds everything against it.
final class Witness {
    let disk: Disk
    let log: StoredLog
    /// The state after every durable event.
    private(set) var state = LogState()
    /// What its events add up to, by a second calculation.
    private var certifier = StepsCertifier()
    /// The last events, to hold scenes against.
    private var recent: [RecordedEvent] = []
    /// What was displayed at most, by date.
    private var displayed: [CivilDate: UInt64] = [:]
    /// Where the time of each session went.
    private var accounts = SessionAccounts()
    /// Which heart rates came in the open session.
    private var hearts = HeartAccounts()
    /// What the recorder must record, in this order.
    private var owed: ArraySlice<Reading> = []
    /// How many of these may be missing, because the recorder says so.
    ///
    /// Once a reading is recorded that was reported after it said so, all of them have been passed:
    /// of what is lost after that another event tells.
    private var admittedLosses: UInt64 = 0
    private var admittedAt: UInt64 = 0
    /// When the last heart rate that is recorded was reported.
    private(set) var lastHeartAt: UInt64 = 0
    /// When the machine was booted.
    var bootedAt: UInt64 = 0
    /// When the recorder stopped, on the boot clock; nil while it goes on.
    private(set) var stoppedAtBoot: UInt64?
    /// The event that says so.
    private var stopPosition: Position?
    /// The position after the last event that the recorder's front was shown.
    private var shownNext: Position?
    /// How far the front had come when it was behind, and since when.
    private var lag: (next: Position, since: UInt64)?
    /// The position of the first event that the recorder can have appended; nil for nobody records.
    private var firstNext: Position?
    private var scenes: UInt64 = 0
    private(set) var readings: UInt64 = 0
    private(set) var violation: Violation?
    var now: UInt64 = 0

    /// A reading as it must stand in the log.
    struct Reading: Hashable {
        var device: UInt64
        var bytes: [UInt8]
        var reportedAt: UInt64
    }

    /// The most events that a scene may be behind.
    private static let recentLimit = 50_000
    /// The most readings that wait for the log.
    private static let queueLimit = 60_000
    /// How long what is durable may take to be shown.
    private static let lagMilliseconds: UInt64 = 5_000

    init(_ disk: Disk, _ timeline: Timeline) {
        self.disk = disk
        log = StoredLog(disk, timeline, process: 0)
    }

    var next: Position { state.next }

    func complain(_ promise: Promise, _ detail: @autoclosure () -> String) {
        guard violation == nil else { return }
        violation = Violation(promise: promise, at: now, detail: detail())
    }

    // MARK: - The log

    /// Reads what is new.
    ///
    /// - Returns: The new events.
    @discardableResult
    func follow() -> [RecordedEvent] {
        guard next < disk.next else { return [] }
        var fresh: [RecordedEvent] = []
        do throws(EventLogError) {
            try log.read(from: next) { event in
                state.evolve(event)
                certify(event)
                fresh.append(event.recorded)
                return true
            }
        } catch {
            complain(.durable, "the log cannot be read: \(error)")
        }
        for recorded in fresh {
            receive(recorded)
            if let complaint = accounts.take(recorded, state.own.sessions) {
                complain(.parts, complaint)
            }
            if let complaint = hearts.take(recorded.event, state.own.sessions) {
                complain(.counted, complaint)
            }
        }
        checkQueue(fresh)
        recent += fresh
        if recent.count > 2 * Self.recentLimit {
            recent.removeFirst(recent.count - Self.recentLimit)
        }
        checkNumbers()
        return fresh
    }

    /// What is displayed is what was walked, by a second calculation.
    private func certify(_ event: borrowing EventView) {
        do throws(CounterExample) {
            try certifier.take(event) { state.own.steps[$0]?.displayed }
        } catch {
            complain(
                .steps, "\(error.date): \(error.displayed) displayed, \(error.expected) walked")
        }
    }

    private func checkNumbers() {
        if let day = state.own.steps.current {
            let most = displayed[day.date] ?? 0
            if day.displayed < most {
                complain(.steps, "\(day.date): \(day.displayed) after \(most)")
            }
            displayed[day.date] = max(most, day.displayed)
        }
        if let complaint = accounts.grow(state.own.sessions.open) { complain(.parts, complaint) }
    }

    /// What has ended stays as it was.
    func checkEndedSessions() {
        if let complaint = accounts.changed(in: state.own.sessions) { complain(.parts, complaint) }
    }

    /// No more readings are appended at once than the queue has room for.
    private func checkQueue(_ fresh: [RecordedEvent]) {
        guard fresh.count > Self.queueLimit else { return }
        let count = fresh.count { $0.event.reading != nil }
        if count > Self.queueLimit { complain(.rest, "\(count) readings have waited") }
    }

    /// All days, once more: none may have fallen while another one was current.
    func checkDays() {
        for (date, most) in displayed.sorted(by: { $0.key < $1.key }) {
            let count = state.own.steps[date]?.displayed ?? 0
            if count < most { complain(.steps, "\(date): \(count) after \(most)") }
        }
    }

    /// Somebody was told that something is recorded.
    func hold(_ ranges: [Range<Position>], of log: StoredLog) {
        for range in ranges where !range.isEmpty {
            guard range.upperBound <= next, log.hasWritten(range) else {
                return complain(.durable, "\(range) is acknowledged and not durable")
            }
        }
    }

    /// A health store was told what became of its totals.
    func hold(_ receipts: [HealthReceipt], of log: StoredLog) {
        for receipt in receipts {
            let total = receipt.total
            let day = state.own.steps[total.date]
            switch receipt.outcome {
            case .taken where !log.hasWritten: complain(.durable, "\(total) is taken, not written")
            case .refused(let refusal) where refusal.code == .totalNotCredible:
                guard total.steps > Plausibility.stepsPerDay else {
                    return complain(.steps, "\(total) is refused: \(refusal)")
                }
            case .refused(let refusal):
                // By a clock that nobody trusts it may be a date to come.
                let today = state.own.steps.current?.date
                guard refusal.code == .futureDate, today.map({ $0 < total.date }) ?? true else {
                    return complain(.steps, "\(total) is refused: \(refusal)")
                }
            case .taken, .known:
                guard total.steps <= Plausibility.stepsPerDay else {
                    return complain(.steps, "\(total) is taken, and nobody walks that")
                }
                guard day?.observedTotal ?? 0 >= total.steps else {
                    return complain(.durable, "\(total) is \(receipt.outcome), and not in the log")
                }
            }
            guard day?.displayed ?? 0 >= receipt.displayed else {
                return complain(.steps, "\(receipt.displayed) are told of \(total.date)")
            }
        }
    }

    // MARK: - Readings

    /// A recorder begins.
    func beginRecorder() {
        forgetRecorder()
        firstNext = next
    }

    /// Nobody records any more: nothing is owed.
    func forgetRecorder() {
        firstNext = nil
        owed = []
        admittedLosses = 0
        stoppedAtBoot = nil
        stopPosition = nil
        shownNext = nil
        lag = nil
    }

    /// The recorder was handed a reading, whether or not there was room.
    func owe(_ device: UInt64, _ bytes: [UInt8]) {
        owed.append(Reading(device: device, bytes: bytes, reportedAt: now))
    }

    private func receive(_ recorded: RecordedEvent) {
        if case .intakeOverflowed(let event) = recorded.event, event.intake == OpenCode(.queue) {
            admittedLosses += event.lostEvents
            admittedAt = now
        }
        if case .recorderStopped(let event) = recorded.event, event.reason != OpenCode(.foundDead) {
            stoppedAtBoot = recorded.header.stamp.bootMilliseconds
            stopPosition = recorded.header.position
        }
        guard let (device, bytes) = recorded.event.reading else { return }
        readings += 1
        while let first = owed.first, first.device != device.address || first.bytes != bytes {
            guard admittedLosses > 0 else {
                return complain(
                    .delivered,
                    "event \(recorded.header.position) is \(bytes) of \(device), due is \(first)")
            }
            admittedLosses -= 1
            owed.removeFirst()
        }
        guard !owed.isEmpty else {
            return complain(
                .delivered, "event \(recorded.header.position) is \(bytes) of \(device): invented")
        }
        let reading = owed.removeFirst()
        if reading.reportedAt > admittedAt { admittedLosses = 0 }
        if case .characteristicNotified(let event) = recorded.event,
            event.characteristic == .heartRateMeasurement
        {
            lastHeartAt = reading.reportedAt
        }
    }

    /// The recorder has ended well: what it was handed before it began to end is recorded.
    func settleReadings(before time: UInt64) {
        let lost = owed.filter { $0.reportedAt < time }
        if UInt64(lost.count) > admittedLosses {
            complain(.delivered, "\(lost.count) readings are lost, first \(lost[0])")
        }
    }

    // MARK: - Scenes

    /// The recorder's front has seen a scene.
    ///
    /// - Parameter scene: The scene.
    func see(_ scene: Scene) {
        scenes += 1
        let end = scene.state.next
        guard end <= next else {
            return complain(.durable, "position \(end - 1) is shown and not durable")
        }
        // What one append brings is handed over whole when no scene waits.
        let limit = SceneFeed.limit + (scene.omitted == 0 ? Self.queueLimit : 0)
        if max(scene.events.count, scene.news.count) > limit {
            complain(.rest, "\(scene.events.count) events and \(scene.news.count) news wait")
        }
        checkEvents(scene, until: end)
        if scene.strap.heartRateBPM != nil, lastHeartAt < bootedAt {
            complain(.shown, "a heart rate is shown, and none came since the boot at \(bootedAt)")
        }
        if end == next, scenes.isMultiple(of: 64) || scene.phase == .ended(.done) {
            if scene.state != state { complain(.digests, "the recorder's state is different") }
        }
        checkElapsed(scene)
    }

    /// The parts of a session add up to the time since its start, in the boot in which it began.
    private func checkElapsed(_ scene: Scene) {
        let own = scene.state.own
        let moment = scene.moment.stamp
        guard let report = scene.report, report.state != .ended,
            report.leftAtMilliseconds == nil, let session = own.sessions.open,
            let began = accounts.began, began.session == session.position,
            began.stamp.bootNumber == moment.bootNumber,
            moment.bootMilliseconds >= own.clock.lastStamp.bootMilliseconds
        else { return }
        let elapsed = moment.bootMilliseconds - began.stamp.bootMilliseconds
        if report.elapsedMilliseconds != elapsed {
            complain(.parts, "the parts are \(report.elapsedMilliseconds) ms of \(elapsed)")
        }
    }

    /// The front is handed each event once, in order, up to the one that the state is of.
    private func checkEvents(_ scene: Scene, until end: Position) {
        let start = scene.events.first?.header.position ?? shownNext ?? end
        if let shownNext, start < shownNext || start - shownNext > scene.omitted {
            complain(.shown, "event \(start) comes after \(shownNext) were shown")
        }
        shownNext = end
        guard start + UInt64(scene.events.count) == end else {
            return complain(
                .shown, "\(scene.events.count) events from \(start) on, and the state of \(end)")
        }
        guard let oldest = recent.first else { return }
        for (index, event) in scene.events.enumerated() {
            let position = start + UInt64(index)
            guard position >= oldest.header.position else { continue }
            let place = Int(position - oldest.header.position)
            guard place < recent.count, recent[place] == event else {
                return complain(.shown, "the event shown at \(position) is not in the log")
            }
        }
    }

    /// A front that takes each scene at once is shown what is durable, soon.
    ///
    /// - Parameters:
    ///   - disturbance: When the recorder was kept from writing last.
    ///   - appendMilliseconds: How long an append of it may take.
    func checkFront(since disturbance: UInt64, appendMilliseconds: UInt64) {
        guard let shownNext = shownNext ?? firstNext, shownNext < next, stopPosition == nil
        else { return lag = nil }
        // What was durable when it began to lag must be shown in time, whatever came after it.
        if shownNext >= lag?.next ?? 0 { lag = (next, now) }
        let limit = Self.lagMilliseconds + appendMilliseconds
        guard let lag, now > max(lag.since, disturbance) + limit else { return }
        complain(.shown, "event \(shownNext) of \(lag.next) is not shown since \(lag.since) ms")
    }

    /// A recorder that has ended has shown all that it appended.
    func checkLastScene() {
        guard let stopPosition, (shownNext ?? 0) <= stopPosition else { return }
        complain(.shown, "\(shownNext ?? 0) events are shown, the last one is \(stopPosition)")
    }
}

extension Event {
    /// The bytes that a device sent, if it is a reading of one.
    fileprivate var reading: (DeviceID, [UInt8])? {
        switch self {
        case .characteristicNotified(let event): (event.device, event.value)
        case .valueCut(let event): (event.device, event.value)
        case .characteristicRead(let event): (event.device, event.value)
        case .pedometerValueCut(let event): (event.device, event.value)
        case .pedometerRead(let event):
            switch event.reading {
            case .characteristic(_, let bytes): (event.device, bytes)
            case .counter: nil
            }
        default: nil
        }
    }
}
