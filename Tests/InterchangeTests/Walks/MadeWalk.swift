import Events
import Interchange
import Projections

/// A walk that a test makes event by event, from 10:00:00 on in UTC+1.
struct MadeWalk {
    private static let strap = DeviceID(address: 1, space: .public)
    private static let watch = DeviceID(address: 2, space: .public)
    /// 2026-03-01 09:00:00 UTC.
    private static let wall: Int64 = 1_772_355_600_000

    private var position: Position = 0
    private var session: Position = 0
    private var series = SessionSeries(of: .max, .walked, after: LogState())
    private var steps: UInt64 = 1_000
    /// Milliseconds since the walk began.
    private(set) var now: UInt64 = 0

    init() throws {
        let zone = RecorderStarted(programVersion: "1", zoneOffsetMinutes: 60, zoneName: "CET")
        try add(.recorderStarted(zone))
        try add(.linkUp(LinkUp(device: Self.strap)))
        try add(.subscribed(Subscribed(device: Self.strap)))
        try add(.pedometerChosen(PedometerChosen(device: Self.watch)))
        try walk(0)
        session = position
        series = SessionSeries(of: session, .walked, after: series.state)
        try add(.sessionStarted(SessionStarted()))
    }

    mutating func wait(_ milliseconds: UInt64) { now += milliseconds }

    mutating func add(_ event: Event) throws {
        let header = EventHeader(
            position: position, source: 0,
            stamp: Stamp(
                bootMilliseconds: 1_000_000 + now, wallMilliseconds: Self.wall + Int64(now),
                bootNumber: 0),
            flags: .wallTrusted, kind: event.kind, version: 1)
        position += 1
        try RecordedEvent(header: header, event: event).withView { series.evolve($0) }
    }

    mutating func heart(_ bpm: UInt8, _ ticks: UInt16...) throws {
        var value: [UInt8] = [ticks.isEmpty ? 0x06 : 0x16, bpm]
        for each in ticks { value += [UInt8(each & 255), UInt8(each >> 8)] }
        try add(
            .characteristicNotified(
                CharacteristicNotified(
                    device: Self.strap, characteristic: .heartRateMeasurement, value: value)))
    }

    mutating func walk(_ more: UInt64) throws {
        steps += more
        try add(
            .pedometerRead(
                PedometerRead(
                    device: Self.watch, reading: .counter(steps),
                    distanceMillimetres: steps * 1_000)))
    }

    mutating func fix(north: Int64) throws {
        try add(
            .positionFixed(
                PositionFixed(
                    latitudeE7: 480_000_000 + north, longitudeE7: -5, altitudeMillimetres: 520_050))
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
        guard let report = series.state.sessionReport(session, at: series.state.lastMoment) else {
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
