import Deciding
import Events
import Projections
import TestSupport
import Testing

/// A log under construction with the state that its events fold to, and a clock to write it by.
///
/// It starts at 09:00 UTC on 2026-03-01, which is the local time until a zone is told.
struct Tape {
    static let start: Int64 = 1_772_355_600_000

    var state: LogState
    var recorded: [RecordedEvent] = []
    var bootMilliseconds: UInt64 = 1_000_000
    var wallMilliseconds = Tape.start
    var bootNumber: UInt32 = 0
    var flags: EventFlags = [.wallTrusted]
    /// The last count of each counter, and when it was read.
    private var counts: [DeviceID: (count: UInt64, at: UInt64)] = [:]

    init(rules: Rules = Rules()) {
        state = LogState(rules: rules)
    }

    /// A tape whose counter has shown these counts, in order.
    init(counting counts: UInt64...) {
        self.init()
        for shown in counts { count(shown) }
    }

    /// A tape whose session has just begun.
    static func walking(rules: Rules = Rules()) throws(Refusal) -> Tape {
        var tape = Tape(rules: rules)
        try tape.command(.start())
        return tape
    }

    /// A tape whose strap is linked, and whose session has just begun then.
    static func walkingLinked() throws(Refusal) -> Tape {
        var tape = Tape()
        tape.linkUp()
        try tape.command(.start())
        return tape
    }

    var stamp: Stamp {
        Stamp(boot: bootMilliseconds, wall: wallMilliseconds, number: bootNumber)
    }

    var moment: Moment { Moment(stamp, flags) }
    var own: SourceState { state.own }
    var today: UInt64 { state.own.stepsToday(at: moment) }

    /// Lets time pass on both clocks.
    mutating func wait(_ milliseconds: UInt64) {
        bootMilliseconds += milliseconds
        wallMilliseconds += Int64(milliseconds)
    }

    /// Goes on in another boot, so many milliseconds after its beginning.
    mutating func reboot(_ milliseconds: UInt64 = 5_000) {
        bootNumber += 1
        bootMilliseconds = milliseconds
    }

    /// Appends an event as it is, past the decider.
    @discardableResult
    mutating func append(_ event: Event, source: UInt32 = 0) -> Position {
        let position = state.head.map { $0 + 1 } ?? 0
        let recorded = RecordedEvent(event, at: position, stamp, flags: flags, source: source)
        state.take(recorded)
        self.recorded.append(recorded)
        return position
    }

    /// Decides a command and appends what comes of it, with what its events claim.
    @discardableResult
    mutating func command(_ command: Command) throws(Refusal) -> [Event] {
        var draft = Draft(state, Machine(bootID: []) { _ in (0, "") }, isRecorderAlive: true)
        try draft.decide(command, at: moment)
        state = draft.state
        recorded += draft.events
        return draft.events.map(\.event)
    }

    /// The code with which a command is refused, or nil if its events are appended.
    mutating func refusal(of command: Command) -> Refusal.Code? {
        do throws(Refusal) {
            try self.command(command)
            return nil
        } catch {
            return error.code
        }
    }

    /// Appends a heart-rate value, after some milliseconds and with some until what is next.
    @discardableResult
    mutating func heart(
        _ bpm: UInt16, contact: UInt8 = 3, rr: [UInt16] = [], device: DeviceID = strap,
        source: UInt32 = 0, after milliseconds: UInt64 = 0, lasting: UInt64 = 0
    ) -> Position {
        wait(milliseconds)
        defer { wait(lasting) }
        let value = heartValue(bpm, contact, rr)
        return append(.notified(device, value), source: source)
    }

    /// Records an input through the decider, which refuses none that is within its limits.
    mutating func record(_ event: Event) {
        do throws(Refusal) {
            try command(.record(event))
        } catch {
            Issue.record(error)
        }
    }

    /// Records a counter's reading after some milliseconds, and once legs can have come there from
    /// the one before; if any count is believed, without that.
    mutating func count(
        _ count: UInt64, distance: UInt64? = nil, device: DeviceID = pedometer,
        after milliseconds: UInt64 = 0
    ) {
        wait(milliseconds)
        if let before = counts.updateValue((count, bootMilliseconds), forKey: device) {
            let steps = count < before.count ? count : count - before.count
            let needed = min(steps, Plausibility.stepsPerDay) * 1_000 / Plausibility.stepsPerSecond
            let passed = bootMilliseconds - min(bootMilliseconds, before.at)
            if !state.rules.countImplausible, steps > Plausibility.stepsMargin, needed > passed {
                wait(needed - passed)
            }
            counts[device]?.at = bootMilliseconds
        }
        record(.counted(device, count, distance: distance))
    }

    /// Records some readings of the pedometer, one after another.
    mutating func count(each counts: UInt64...) {
        for shown in counts { count(shown) }
    }

    /// Pauses the session for some milliseconds.
    mutating func pause(for milliseconds: UInt64) throws(Refusal) {
        try command(.pause)
        wait(milliseconds)
        try command(.resume)
    }

    /// Records a characteristic's value of a pedometer.
    mutating func pedometerValue(
        _ code: CharacteristicCode, _ value: [UInt8], device: DeviceID = pedometer
    ) {
        record(
            .pedometerRead(PedometerRead(device: device, reading: .characteristic(code, value))))
    }

    mutating func linkUp(_ device: DeviceID = strap) {
        append(.linkUp(LinkUp(device: device)))
    }

    mutating func linkLost(_ device: DeviceID = strap) {
        append(.linkLost(LinkLost(device: device)))
    }

    /// What the figures of the session that an event began are made of.
    func series(of session: Position = 0, rules: Rules = Rules()) throws -> SessionSeries {
        var series = SessionSeries(
            of: session, recorded[Int(session)].header.provenance,
            after: LogState(folding: recorded.prefix(Int(session)), rules: rules))
        for event in recorded.dropFirst(Int(session)) { try event.withView { series.evolve($0) } }
        series.excludedStraps = state.sessionReport(session, at: moment)?.excludedStraps ?? []
        return series
    }

    /// Explains the number of a date.
    func explanation(of date: CivilDate) throws -> StepsExplanation {
        var explanation = StepsExplanation(of: date, rules: state.rules)
        for event in recorded { try event.withView { explanation.evolve($0) } }
        return explanation
    }

    /// The report of the last live session, as of now.
    var session: SessionReport {
        guard
            let report = state.sessionReports(at: moment).last(where: { $0.provenance == .walked })
        else {
            preconditionFailure("the test began no session")
        }
        return report
    }
}

extension Rules {
    /// The recorder's rules but for one.
    init<Value>(_ rule: WritableKeyPath<Rules, Value>, _ value: Value) {
        self.init()
        self[keyPath: rule] = value
    }

    /// The recorder's rules with these settings, as they are written.
    init(settings: [String]) throws(RuleError) {
        self.init()
        for setting in settings { try set(setting) }
    }

    init(setting: String) throws(RuleError) { try self.init(settings: [setting]) }
}

extension LogState {
    /// The state that these events fold to.
    init(folding events: some Sequence<RecordedEvent>, rules: Rules = Rules()) {
        self.init(rules: rules)
        for event in events { take(event) }
    }

    /// Folds an event that the test made within its limits.
    mutating func take(_ recorded: RecordedEvent) {
        do throws(FieldError) {
            try evolve(recorded)
        } catch {
            Issue.record(error)
        }
    }
}

extension EventBatch {
    /// The events as a log holds them.
    init(of events: some Sequence<RecordedEvent>) throws {
        self.init()
        for recorded in events {
            let payload = try recorded.event.encodedPayload()
            try append(recorded.header, payload: payload.span)
        }
    }
}

let strap = DeviceID(address: 0xC400_0000_0001, space: .random)
let otherStrap = DeviceID(address: 0xC400_0000_0002, space: .random)
let pedometer = DeviceID(address: 1, space: .kernel)
let watch = DeviceID(address: 0xC400_0000_0009, space: .random)

/// The bytes of a heart-rate value with 16 bits of BPM.
func heartValue(_ bpm: UInt16, _ contact: UInt8, _ rr: [UInt16]) -> [UInt8] {
    var value = [contact << 1 | (rr.isEmpty ? 0 : 16) | 1]
    for number in [bpm] + rr {
        value.append(UInt8(number & 0xFF))
        value.append(UInt8(number >> 8))
    }
    return value
}

extension Accounting {
    /// The milliseconds of each part that is not empty.
    var parts: [String: UInt64] {
        let all = [
            "fresh": freshMilliseconds, "held": heldMilliseconds, "silent": silentMilliseconds,
            "noContact": noContactMilliseconds, "disconnected": disconnectedMilliseconds,
            "paused": pausedMilliseconds,
        ]
        return all.filter { $0.value > 0 }
    }
}
