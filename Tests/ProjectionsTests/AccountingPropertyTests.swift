import Events
import Projections
import TestSelection
import Testing

/// What holds after every event of any log.
@Suite("A session's parts only grow")
struct AccountingPropertyTests {
    @Test("S6: after every event of random hostile logs", arguments: sample(0..<40, 4))
    func hostileLogs(group: UInt64) throws {
        for seed in group * 10..<(group + 1) * 10 {
            var log = HostileLog(seed: seed)
            var growth = Growth(name: "seed \(seed)")
            for _ in 0..<160 { try growth.take(log.next()) }
        }
    }

    @Test("S6: a boot after a stretch of steps alone takes nothing back")
    func bootBehindSteps() throws {
        var log = HostileLog(seed: 0)
        var growth = Growth(name: "the log")
        try growth.take(log.append(.linkUp(LinkUp(device: strap))))
        try growth.take(log.append(.sessionStarted(SessionStarted())))
        try growth.take(log.append(log.heart(80)))
        log.wait(1_000)
        try growth.take(log.append(log.heart(80)))
        log.wait(20_000)
        try growth.take(log.append(log.count(10)))
        log.wait(60_000)
        log.boot()
        try growth.take(log.append(.bootBegan(log.bootBegan)))
        let accounting = growth.tape.session.accounting
        #expect(accounting.freshMilliseconds == 6_000)
        #expect(accounting.silentMilliseconds == 15_000)
        // The recorder was there at 21 s; its link ended then.
        #expect(accounting.heldMilliseconds == 10_000)
        #expect(accounting.disconnectedMilliseconds == 50_000)
    }

    @Test("S5: a single sample keeps its mean", arguments: [true, false])
    func singleSample(boots: Bool) throws {
        var log = HostileLog(seed: 0)
        var growth = Growth(name: "boots \(boots)")
        try growth.take(log.append(.sessionStarted(SessionStarted())))
        try growth.take(log.append(log.heart(80)))
        log.wait(21_000)
        if boots {
            log.boot()
            try growth.take(log.append(.bootBegan(log.bootBegan)))
        } else {
            try growth.take(log.append(.recorderStarted(log.recorderStarted)))
        }
        #expect(growth.tape.session.heartRate.mean?.description == "80.00")
        #expect(growth.tape.session.heartRate.timeWeightedMean?.description == "80.00")
        #expect(growth.tape.session.accounting.heldMilliseconds == 10_000)
    }
}

/// Takes events in, and holds each session's report against the one after the event before.
private struct Growth {
    let name: String
    var tape = Tape()
    private var line = ElapsedLine()
    private var starts: [Position: UInt64] = [:]
    private var before: [Position: SessionReport] = [:]
    /// The sessions that nobody recorded at some time.
    private var left: Set<Position> = []
    /// The session that stood still after the event before, however it was shown.
    private var stood: Position?

    init(name: String) {
        self.name = name
    }

    mutating func take(_ event: RecordedEvent) throws {
        let stamp = event.header.stamp
        (tape.bootMilliseconds, tape.wallMilliseconds) = (
            stamp.bootMilliseconds, stamp.wallMilliseconds
        )
        (tape.bootNumber, tape.flags) = (stamp.bootNumber, event.header.flags)
        let position = tape.append(event.event)
        line.advance(to: stamp, isTrusted: event.header.flags.contains(.wallTrusted))
        for report in tape.state.sessionReports(at: tape.moment) {
            let start = starts[report.position] ?? line.milliseconds
            starts[report.position] = start
            try check(report, after: position, elapsed: line.milliseconds - start)
            before[report.position] = report
        }
        let open = tape.state.own.sessions.open
        stood = open?.endedAt != nil ? open?.position : nil
    }

    private mutating func check(
        _ report: SessionReport, after position: Position, elapsed: UInt64
    ) throws {
        let place: Comment = "\(name), session \(report.position) after position \(position)"
        let earlier = before[report.position]
        let parts = report.accounting.durations
        // What nobody records stands still, and may end so: also where a recorder has begun, and
        // recorded nothing.
        let isLeft =
            report.leftAtMilliseconds != nil
            || report.state == .ended && parts.reduce(0, +) != elapsed
        if isLeft { left.insert(report.position) }
        if earlier?.state == .ended {
            try #require(report == earlier, place)
        } else if isLeft {
            try #require(parts.reduce(0, +) <= elapsed, place)
        } else {
            try #require(parts.reduce(0, +) == elapsed, place)
        }
        try #require(parts.reduce(0, +) == report.elapsedMilliseconds, place)
        let (active, paused) = (report.activeMilliseconds, report.pausedMilliseconds)
        try #require(active + paused == report.elapsedMilliseconds, place)
        if report.heartRate.samples > 0 {
            try #require(report.heartRate.mean != nil, place)
            try #require(report.heartRate.timeWeightedMean != nil, place)
        }
        let up = parts[0] + parts[2] + parts[3]
        // What links did while nobody recorded is in no part.
        if report.pausedMilliseconds == 0, !left.contains(report.position) {
            try #require(report.link.upMilliseconds == up, place)
        }
        // A recorder that began, and recorded nothing, leaves it where it was.
        guard let earlier, !isLeft, stood != report.position else { return }
        for (part, last) in zip(parts, earlier.accounting.durations) {
            try #require(part >= last, place)
        }
        try #require(report.steps >= earlier.steps, place)
        let distances = (earlier.distanceMillimetres ?? 0, report.distanceMillimetres ?? 0)
        try #require(distances.0 <= distances.1, place)
        try #require(report.link.upMilliseconds >= earlier.link.upMilliseconds, place)
    }
}

extension Accounting {
    /// Fresh, held, silent, no contact, disconnected, paused.
    fileprivate var durations: [UInt64] {
        [
            freshMilliseconds, heldMilliseconds, silentMilliseconds, noContactMilliseconds,
            disconnectedMilliseconds, pausedMilliseconds,
        ]
    }
}

/// The fold time as ARCHITECTURE says it, in the test's own words: the boot clock within a boot,
/// and what trusted wall clocks tell between two.
private struct ElapsedLine {
    private(set) var milliseconds: UInt64 = 0
    private var last: Stamp?
    private var ahead: Int64?

    mutating func advance(to stamp: Stamp, isTrusted: Bool) {
        if let last, last.bootNumber == stamp.bootNumber {
            let boot = max(last.bootMilliseconds, stamp.bootMilliseconds)
            milliseconds += boot - last.bootMilliseconds
            self.last?.bootMilliseconds = boot
        } else {
            if let last, let ahead, isTrusted {
                let went = stamp.wallMilliseconds - ahead - Int64(last.bootMilliseconds)
                milliseconds += UInt64(max(0, went))
            }
            last = stamp
            ahead = nil
        }
        if isTrusted { ahead = stamp.wallMilliseconds - Int64(stamp.bootMilliseconds) }
    }
}
