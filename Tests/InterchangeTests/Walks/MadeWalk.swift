import Events
import Interchange
import Projections
import TestSupport

/// A walk that a test makes event by event.
struct MadeWalk {
    static let strap = DeviceID(address: 1, space: .public)
    private static let watch = DeviceID(address: 2, space: .public)

    private let start: Int64
    private let flags: EventFlags
    private var position: Position = 0
    private var session: Position = 0
    private var series = SessionSeries(of: .max, .walked, after: LogState())
    private var steps: UInt64 = 1_000
    /// Milliseconds since the walk began.
    private(set) var now: UInt64 = 0
    /// UTC milliseconds.
    var wall: Int64 { start + Int64(now) }

    /// Makes a log in which no walk has begun, and that has no device.
    init(from start: Int64, offsetMinutes: Int64, flags: EventFlags = .wallTrusted) throws {
        (self.start, self.flags) = (start, flags)
        try add(
            .recorderStarted(
                RecorderStarted(
                    programVersion: "1", zoneOffsetMinutes: offsetMinutes, zoneName: "X")))
    }

    /// Begins a walk with a strap and a watch at 10:00:00 in UTC+1.
    init() throws {
        try self.init(from: nineOClock, offsetMinutes: 60)
        try link()
        try chooseWatch()
        try walk(0)
        try begin()
    }

    mutating func begin() throws {
        session = position
        let provenance: Provenance = flags.contains(.simulated) ? .simulated : .walked
        series = SessionSeries(of: session, provenance, after: series.state)
        try add(.sessionStarted(SessionStarted()))
    }

    mutating func wait(_ milliseconds: UInt64) { now += milliseconds }

    mutating func add(_ event: Event) throws {
        let stamp = Stamp(boot: 1_000_000 + now, wall: wall)
        try RecordedEvent(event, at: position, stamp, flags: flags).withView { series.evolve($0) }
        position += 1
    }

    mutating func link() throws {
        try add(.linkUp(LinkUp(device: Self.strap)))
        try add(.subscribed(Subscribed(device: Self.strap)))
    }

    mutating func chooseWatch() throws {
        try add(.pedometerChosen(PedometerChosen(device: Self.watch)))
    }

    mutating func heart(_ bpm: UInt8, _ ticks: UInt16...) throws {
        var value: [UInt8] = [ticks.isEmpty ? 0x06 : 0x16, bpm]
        for each in ticks { value += [UInt8(each & 255), UInt8(each >> 8)] }
        try notify(value)
    }

    /// What the strap reports.
    mutating func notify(_ value: [UInt8]) throws {
        try add(
            .characteristicNotified(
                CharacteristicNotified(
                    device: Self.strap, characteristic: .heartRateMeasurement, value: value)))
    }

    mutating func walk(_ more: UInt64) throws {
        steps += more
        try read(steps, millimetres: steps * 1_000)
    }

    /// What the watch has counted.
    mutating func read(_ steps: UInt64, millimetres: UInt64?) throws {
        try add(
            .pedometerRead(
                PedometerRead(
                    device: Self.watch, reading: .counter(steps),
                    distanceMillimetres: millimetres)))
    }

    mutating func fix(north: Int64) throws {
        try add(
            .positionFixed(
                PositionFixed(north: 480_000_000 + north, east: -5, height: 520_050))
        )
    }

    mutating func pause(_ milliseconds: UInt64) throws {
        try add(.sessionPaused(SessionPaused()))
        wait(milliseconds)
        try add(.sessionResumed(SessionResumed()))
    }

    mutating func mark(_ text: String) throws {
        try add(.sessionMarked(SessionMarked(text: text)))
    }

    mutating func describe(_ name: String, _ note: String, _ sport: Sport) throws {
        try add(
            .sessionDescribed(
                SessionDescribed(session: session, sessionName: name, note: note, sport: sport)))
    }

    /// Ends it.
    mutating func file() throws -> WalkFile {
        try add(.sessionEnded(SessionEnded()))
        let state = series.state
        guard let report = state.sessionReport(session, at: state.lastMoment) else {
            preconditionFailure("The walk has not begun.")
        }
        return WalkFile(report, series)
    }
}

extension WalkFile {
    /// All of what is written.
    func bytes(_ format: WalkFormat, _ rows: Rows = .seconds) -> [UInt8] {
        var bytes: [UInt8] = []
        write(format, rows: rows) { bytes += $0 }
        return bytes
    }

    /// What of it a format does not hold.
    func losses(_ format: WalkFormat, rows: Rows = .seconds) -> [(what: String, count: UInt64)] {
        write(format, rows: rows) { _ in }
    }
}
