import EventStore
import Events
import Interchange
import Projections
import Recording

/// Reads the log from the disk, on its own, after each step, and holds everything against it.
final class Witness {
    private let disk: Disk
    private let log: StoredLog
    /// The state after every durable event.
    private(set) var state = LogState()
    /// The last events, to hold scenes against.
    private var recent: [RecordedEvent] = []
    /// What was displayed at most, by date.
    private var displayed: [CivilDate: UInt64] = [:]
    /// Where the time of each session went at least.
    private var accounting: [Position: Accounting] = [:]
    /// What the recorder must record, in this order.
    private var owed: ArraySlice<Reading> = []
    /// How many of these may be missing, because the recorder says that they are, and when it said
    /// so: whatever is reported later is recorded.
    private var admittedLosses: UInt64 = 0
    private var admittedAt: UInt64 = 0
    /// When the last heart rate that is recorded was reported.
    private(set) var lastHeartAt: UInt64 = 0
    /// When the recorder stopped, on the boot clock; nil while it goes on.
    private(set) var stoppedAtBoot: UInt64?
    /// The position after the last event that the recorder's front was shown.
    private var shownNext: Position?
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

    init(_ disk: Disk, _ timeline: Timeline) {
        self.disk = disk
        log = StoredLog(disk, timeline, process: 0)
    }

    var next: Position { state.head.map { $0 + 1 } ?? 0 }

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
                fresh.append(event.recorded)
                return true
            }
        } catch {
            complain(.durable, "the log cannot be read: \(error)")
        }
        for recorded in fresh { receive(recorded) }
        recent += fresh
        if recent.count > 2 * Self.recentLimit {
            recent.removeFirst(recent.count - Self.recentLimit)
        }
        checkNumbers()
        return fresh
    }

    private func checkNumbers() {
        if let day = state.live.steps.current {
            let most = displayed[day.date] ?? 0
            if day.displayed < most {
                complain(.steps, "\(day.date): \(day.displayed) after \(most)")
            }
            displayed[day.date] = max(most, day.displayed)
        }
        if let session = state.live.sessions.open {
            if let before = accounting[session.position],
                let part = session.accounting.shrunkPart(since: before)
            {
                complain(.parts, "\(part) of session \(session.position) shrank")
            }
            accounting[session.position] = session.accounting
        }
    }

    /// All days, once more: none may have fallen while another one was current.
    func checkDays() {
        for (date, most) in displayed.sorted(by: { $0.key < $1.key }) {
            let count = state.live.steps[date]?.displayed ?? 0
            if count < most { complain(.steps, "\(date): \(count) after \(most)") }
        }
    }

    /// Somebody was told that something is recorded.
    func hold(_ outcomes: [Outcome]) {
        for case .recorded(let range) in outcomes where range.upperBound > next {
            complain(.durable, "\(range) is acknowledged and not durable")
        }
    }

    // MARK: - Readings

    /// A recorder begins; nothing is owed by it.
    func beginRecorder() {
        owed = []
        admittedLosses = 0
        stoppedAtBoot = nil
        shownNext = nil
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
    func see(_ scene: Scene) {
        scenes += 1
        let end = scene.state.head.map { $0 + 1 } ?? 0
        guard end <= next else {
            return complain(.durable, "position \(end - 1) is shown and not durable")
        }
        checkEvents(scene)
        if end == next, scenes.isMultiple(of: 64) || scene.phase == .ended(.done) {
            if scene.state != state { complain(.digests, "the recorder's state is another one") }
        }
        checkElapsed(scene)
    }

    /// The parts of a session add up to the time since its start, in the boot in which it began.
    private func checkElapsed(_ scene: Scene) {
        let live = scene.state.live
        let moment = scene.moment.stamp
        guard let report = scene.report, report.state != .ended, let session = live.sessions.open,
            session.startedAt.bootNumber == moment.bootNumber,
            moment.bootMilliseconds >= live.clock.lastStamp.bootMilliseconds
        else { return }
        let elapsed = moment.bootMilliseconds - session.startedAt.bootMilliseconds
        if report.elapsedMilliseconds != elapsed {
            complain(.parts, "the parts are \(report.elapsedMilliseconds) ms of \(elapsed)")
        }
    }

    private func checkEvents(_ scene: Scene) {
        guard let first = scene.events.first, let oldest = recent.first else { return }
        let start = first.header.position
        if let shownNext, start < shownNext || start - shownNext > scene.omitted {
            complain(.shown, "event \(start) comes after \(shownNext - 1)")
        }
        for (index, event) in scene.events.enumerated() {
            let position = start + UInt64(index)
            guard position >= oldest.header.position else { continue }
            let place = Int(position - oldest.header.position)
            guard place < recent.count, recent[place] == event else {
                return complain(.shown, "the event shown at \(position) is not in the log")
            }
        }
        shownNext = start + UInt64(scene.events.count)
    }

    // MARK: - Digests

    /// Folds the log anew, block by block: after a crash, and at the end.
    func rebuild() {
        var rebuilt = LogState()
        do throws(EventLogError) {
            try log.fold(until: next, into: &rebuilt)
        } catch {
            complain(.durable, "the log cannot be read: \(error)")
        }
        if rebuilt.canonicalBytes() != state.canonicalBytes() {
            complain(.digests, "folded anew, the log comes to another state")
        }
    }

    /// Exports the log as JSON Lines, reads them, and replays what was read.
    func exportAndImport() throws {
        var writer = JSONLinesWriter()
        var failure: FieldError?
        try log.read { event in
            do throws(FieldError) {
                try writer.append(event)
            } catch {
                failure = error
            }
            return true
        }
        if let failure { complain(.digests, "an event cannot be exported: \(failure)") }
        var reader = JSONLinesReader()
        reader.push(writer.bytes)
        reader.finish()
        var imported = EventBatch()
        while let line = try reader.next() {
            try imported.append(line.header, payload: line.payload.span)
        }
        var replayed = LogState()
        for index in 0..<imported.count {
            imported.withEvent(at: index, from: 0) { replayed.evolve($0) }
        }
        if replayed.canonicalBytes() != state.canonicalBytes() {
            complain(.digests, "exported and imported, the log comes to another state")
        }
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

extension Accounting {
    /// The first part that is less than it was.
    fileprivate func shrunkPart(since before: Accounting) -> String? {
        let parts: [(String, KeyPath<Accounting, UInt64>)] = [
            ("fresh", \.freshMilliseconds), ("held", \.heldMilliseconds),
            ("silent", \.silentMilliseconds), ("no contact", \.noContactMilliseconds),
            ("disconnected", \.disconnectedMilliseconds), ("paused", \.pausedMilliseconds),
        ]
        return parts.first { self[keyPath: $0.1] < before[keyPath: $0.1] }?.0
    }
}
