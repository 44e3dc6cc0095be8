import Events
import Projections
import TestSelection
import TestSupport
import Testing

@Suite("Where the time of a session goes")
struct AccountingTests {
    @Test("S6: every link state, worked by hand")
    func everyState() throws {
        var tape = try Tape.walking()
        tape.wait(3_000)  // Before the first connection: disconnected.
        tape.linkUp()
        tape.wait(1_000)  // No value yet: silent.
        tape.heart(80)
        tape.wait(1_000)  // Fresh.
        tape.heart(80)
        tape.wait(7_000)  // 5 s fresh, 2 s silent.
        tape.heart(0)
        tape.wait(2_000)  // No contact.
        tape.heart(90, contact: 2)
        tape.wait(2_000)  // No contact.
        tape.heart(80)
        tape.wait(1_000)  // Fresh.
        tape.linkLost()
        tape.wait(12_000)  // 10 s held, 2 s disconnected.
        tape.linkUp()
        tape.heart(80)
        tape.wait(500)  // Fresh.
        try tape.pause(for: 9_000)
        tape.wait(100)  // The last value is 9.5 s old: silent.
        let report = tape.session
        let parts: [String: UInt64] = [
            "disconnected": 5_000, "silent": 3_100, "fresh": 7_500, "noContact": 4_000,
            "held": 10_000, "paused": 9_000,
        ]
        #expect(report.accounting.parts == parts)
        #expect(report.elapsedMilliseconds == 38_600)
        #expect(report.activeMilliseconds == 29_600)
    }

    @Test("S6: a clock step bends no duration")
    func clockStep() throws {
        var tape = try Tape.walking()
        tape.wait(1_000)
        tape.wallMilliseconds -= 7_200_000
        tape.heart(80)
        tape.wait(1_000)
        #expect(tape.session.elapsedMilliseconds == 2_000)
    }

    @Test("S6, S7: across a reboot the trusted wall clock tells the time")
    func reboot() throws {
        var tape = try Tape.walking()
        tape.heart(80)
        tape.heart(81, after: 1_000)
        tape.wait(60_000)
        tape.reboot()
        try tape.command(
            .beginBoot(
                bootID: [UInt8](repeating: 7, count: 16), zoneOffsetMinutes: 60, zoneName: ""))
        #expect(tape.session.elapsedMilliseconds == 61_000)
        // The same without trust adds nothing.
        tape.wait(60_000)
        tape.reboot()
        tape.flags = []
        tape.heart(80)
        #expect(tape.session.elapsedMilliseconds == 61_000)
    }

    @Test("S7: a recorder that was cut off finds the session open and the link down")
    func cutOff() throws {
        var tape = Tape()
        try tape.command(.startRecorder(programVersion: "1", zoneOffsetMinutes: 60, zoneName: ""))
        try tape.command(.start())
        tape.linkUp()
        tape.heart(80)
        tape.wait(60_000)
        try tape.command(.startRecorder(programVersion: "1", zoneOffsetMinutes: 60, zoneName: ""))
        #expect(tape.own.sessions.open?.state == .running)
        #expect(tape.own.devices.strap?.link.isUp == false)
        tape.wait(3_000)
        // The link ended when the recorder was heard of last: held, then disconnected.
        #expect(tape.session.accounting.parts == ["held": 10_000, "disconnected": 53_000])
        #expect(ConnectionView(tape.state, at: tape.moment).heartRateBPM == nil)
    }

    /// Where the time went of a session that was heard of for 2 s, and begins again 40 s later.
    private static let foundLate: [String: UInt64] = [
        "fresh": 2_000, "held": 10_000, "disconnected": 30_000,
    ]

    /// A recorder that has begun a session, and a first value.
    private func recording() throws -> Tape {
        var tape = Tape()
        try tape.command(.startRecorder(programVersion: "1", zoneOffsetMinutes: 60, zoneName: ""))
        try tape.command(.start())
        tape.heart(80)
        return tape
    }

    @Test("S6: a recorder that stops leaves its links at that moment")
    func stopped() throws {
        var tape = try recording()
        tape.wait(3_000)
        try tape.command(.stopRecorder(.requested))
        tape.wait(60_000)
        try tape.command(.startRecorder(programVersion: "1", zoneOffsetMinutes: 60, zoneName: ""))
        let parts: [String: UInt64] = ["fresh": 3_000, "held": 10_000, "disconnected": 50_000]
        #expect(tape.session.accounting.parts == parts)
    }

    /// A session whose recorder died after an event, and what is shown of it 40 s later.
    private func dead(
        _ last: (inout Tape) -> Void
    ) throws -> (tape: Tape, shown: SessionReport) {
        var tape = try recording()
        last(&tape)
        tape.wait(40_000)
        let state = tape.state.withoutRecorder()
        return (tape, try #require(state.sessionReports(at: tape.moment).last))
    }

    @Test("S6: beside a dead recorder a session stands still; the next start tells of the gap")
    func besideDeadRecorder() throws {
        var (tape, beside) = try dead { $0.count(3, after: 2_000) }
        try tape.command(.startRecorder(programVersion: "1", zoneOffsetMinutes: 60, zoneName: ""))
        #expect(beside.accounting.parts == ["fresh": 2_000])
        #expect(tape.session.accounting.parts == Self.foundLate)
    }

    @Test("S6: a recorder that is found dead ended its links when it was heard of last")
    func foundDead() throws {
        var (tape, shown) = try dead { $0.heart(81, after: 2_000) }
        try tape.command(.stopRecorder(.foundDead))
        #expect(tape.session.accounting == shown.accounting)
        #expect(tape.session.elapsedMilliseconds == 2_000)
        try tape.command(.mark())
        #expect(tape.session.accounting.parts == Self.foundLate)
        #expect(!tape.own.recorder.isRecording)
        tape.wait(20_000)
        try tape.command(.startRecorder(programVersion: "1", zoneOffsetMinutes: 60, zoneName: ""))
        #expect(tape.session.accounting.disconnectedMilliseconds == 50_000)
    }

    @Test("S6: a new origin ends the links when they were heard of last, and leaves a session open")
    func newOrigin() throws {
        var (tape, shown) = try dead { $0.heart(81, after: 2_000) }
        tape.append(.originBegan(OriginBegan(cause: .restored)))
        tape.append(.noted(Noted(text: "here")))
        #expect(tape.own.sessions.open != nil)
        #expect(shown.elapsedMilliseconds == 2_000)
        #expect(tape.session.accounting.parts == Self.foundLate)
        // The recorder of the backup is dead, which who appends next says.
        #expect(tape.own.recorder.isRecording)
    }

    /// A second opinion in another style: classifies every 50 ms by looking back at the events.
    private struct Instants {
        var linkChanges: [(at: UInt64, isUp: Bool)] = []
        var values: [(at: UInt64, hasPulse: Bool)] = []
        var pauses: [(at: UInt64, isPaused: Bool)] = []

        func parts(from start: UInt64, to end: UInt64) -> [String: UInt64] {
            var parts: [String: UInt64] = [:]
            for at in stride(from: start, to: end, by: 50) { parts[part(at), default: 0] += 50 }
            return parts
        }

        private func part(_ at: UInt64) -> String {
            if pauses.last(where: { $0.at <= at })?.isPaused == true { return "paused" }
            let link = linkChanges.last { $0.at <= at }
            guard link?.isUp == true else {
                return link.map { at < $0.at + 10_000 } == true ? "held" : "disconnected"
            }
            let value = values.last { $0.at <= at }
            guard let value, at < value.at + holding(at) else { return "silent" }
            return value.hasPulse ? "fresh" : "noContact"
        }

        /// For how long the last value holds: by the intervals on one link each, the first for all.
        private func holding(_ at: UInt64) -> UInt64 {
            // Of two equal values at once one may be a copy.
            var heard: [UInt64] = []
            for (index, value) in values.enumerated() where value.at <= at {
                if index > 0, values[index - 1] == value { continue }
                heard.append(value.at)
            }
            let intervals = zip(heard, heard.dropFirst()).filter { first, next in
                first >= linkChanges.last { $0.at <= next && $0.isUp }?.at ?? 0
            }.map { min($1 - $0, 30_000) }
            guard let first = intervals.first else { return 15_000 }
            let last = ([first, first, first] + intervals).suffix(4).sorted()[2]
            return last <= 3_333 ? 5_000 : max(5_000, last * 3 / 2)
        }
    }

    @Test(
        "S6: random walks agree with a classification of every instant",
        arguments: sample(0..<60, 10))
    func agreesWithInstants(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var tape = Tape()
        var instants = Instants()
        try tape.command(.start())
        let start = tape.bootMilliseconds
        var isUp = false
        for _ in 0..<120 {
            tape.wait(100 * random.below(random.below(8) == 0 ? 200 : 30))
            let at = tape.bootMilliseconds
            switch random.below(10) {
            case 0 where isUp:
                tape.linkLost()
                isUp = false
                instants.linkChanges.append((at, false))
            case 1:
                if !isUp { instants.linkChanges.append((at, true)) }
                tape.linkUp()
                isUp = true
            case 2:
                let isRunning = tape.own.sessions.open?.state == .running
                try tape.command(isRunning ? .pause : .resume)
                instants.pauses.append((at, isRunning))
            default:
                let hasPulse = random.below(4) > 0
                tape.heart(hasPulse ? 80 : 0)
                if !isUp { instants.linkChanges.append((at, true)) }
                isUp = true
                instants.values.append((at, hasPulse))
            }
        }
        tape.wait(30_000)
        let report = tape.session
        let parts = instants.parts(from: start, to: tape.bootMilliseconds)
        #expect(report.accounting.parts == parts, "seed \(seed)")
        #expect(report.elapsedMilliseconds == tape.bootMilliseconds - start, "seed \(seed)")
    }
}
