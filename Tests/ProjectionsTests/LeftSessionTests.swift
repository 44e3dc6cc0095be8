import Events
import Projections
import TestSupport
import Testing

@Suite("Sessions that nobody records")
struct LeftSessionTests {
    /// How a session is left, and what the next who appends says of it.
    enum Leaving: CaseIterable {
        case stopped
        case foundDead
        case rebooted
        case rebootedWithoutClock
    }

    /// A session of 4 s that is left, and what is said of it ten minutes later.
    private func left(
        _ leaving: Leaving, goal: Goal = Goal(), rules: Rules = Rules()
    ) throws -> Tape {
        var tape = Tape(rules: rules)
        try tape.command(.startRecorder(programVersion: "1", zoneOffsetMinutes: 0, zoneName: ""))
        try tape.command(.start(goal: goal))
        for _ in 0..<4 {
            tape.heart(80, lasting: 1_000)
        }
        tape.heart(80)
        if leaving == .stopped { try tape.command(.stopRecorder(.requested)) }
        tape.wait(600_000)
        if leaving == .rebooted || leaving == .rebootedWithoutClock {
            tape.reboot()
            if leaving == .rebootedWithoutClock { tape.flags = [] }
            let bootID = [UInt8](repeating: 7, count: 16)
            try tape.command(.beginBoot(bootID: bootID, zoneOffsetMinutes: 0, zoneName: ""))
        }
        if leaving != .stopped { try tape.command(.stopRecorder(.foundDead)) }
        return tape
    }

    /// What comes of the log while nobody records is none of the session.
    private func hearOthers(_ tape: inout Tape) throws {
        tape.wait(300_000)
        try tape.command(.healthTotal(4_000))
        try tape.command(.setProfile(Profile(heightMillimetres: 1_800)))
        tape.wait(300_000)
    }

    @Test("S7: ends when it was recorded last, however late that is", arguments: Leaving.allCases)
    func endsWhenLeft(_ leaving: Leaving) throws {
        var tape = try left(leaving)
        try hearOthers(&tape)
        let shown = tape.session
        #expect(shown.state == .running && shown.endedAtMilliseconds == nil)
        let ended = try tape.command(.end())
        #expect(ended == [.sessionEnded(SessionEnded(reason: .atLastEvent))])
        let session = tape.session
        #expect(session.endedAtMilliseconds == Tape.start + 4_000)
        #expect(session.elapsedMilliseconds == 4_000 && session.accounting == shown.accounting)
        #expect(session.accounting.freshMilliseconds == 4_000)
        #expect(session.link.longestGapMilliseconds == 0)
        #expect(session.stepsToday == 0, "what the day displayed then")
        #expect(tape.state.findings.total == 0)
    }

    @Test("S7: goes on with the next recorder, and what was not recorded is a gap of it")
    func goesOn() throws {
        var tape = try left(.stopped)
        try hearOthers(&tape)
        try tape.command(.startRecorder(programVersion: "1", zoneOffsetMinutes: 0, zoneName: ""))
        #expect(tape.session.elapsedMilliseconds == 1_204_000)
        try tape.command(.refresh(.start))
        tape.heart(90)
        tape.heart(90, after: 1_000)
        #expect(try tape.command(.end()) == [.sessionEnded(SessionEnded())])
        let parts: [String: UInt64] = ["fresh": 5_000, "held": 10_000, "disconnected": 1_190_000]
        #expect(tape.session.accounting.parts == parts)
        #expect(tape.session.endedAtMilliseconds == Tape.start + 1_205_000)
    }

    @Test("goes on where a recorder lives on through a boot that is none of the machine's")
    func livesOn() throws {
        var tape = try left(.rebooted)
        try tape.command(.startRecorder(programVersion: "1", zoneOffsetMinutes: 0, zoneName: ""))
        tape.count(0)
        tape.bootNumber += 1
        let bootID = [UInt8](repeating: 8, count: 16)
        try tape.command(.beginBoot(bootID: bootID, zoneOffsetMinutes: 0, zoneName: ""))
        tape.count(10, after: 10_000)
        tape.wait(20_000)
        try tape.command(.stopRecorder(.requested))
        tape.wait(600_000)
        try tape.command(.end())
        #expect(tape.session.elapsedMilliseconds == 634_000)
    }

    @Test("ends when it was recorded last where the next recorder begins another")
    func anotherBegins() throws {
        var tape = try left(.stopped)
        try hearOthers(&tape)
        try tape.command(.startRecorder(programVersion: "1", zoneOffsetMinutes: 0, zoneName: ""))
        let ended = try tape.command(.end(.leftOpen))
        #expect(ended == [.sessionEnded(SessionEnded(reason: .leftOpen))])
        #expect(tape.session.elapsedMilliseconds == 4_000)
    }

    @Test("reaches no goal while nobody records it")
    func noGoal() throws {
        var tape = try left(.rebooted, goal: Goal(kind: .duration, target: 60_000))
        try hearOthers(&tape)
        #expect(!tape.session.isGoalReached)
        #expect(try tape.command(.end()).map(\.kind) == [.sessionEnded])
        #expect(!tape.session.isGoalReached)
    }

    @Test("lasts until the walker did something to it last")
    func lastAct() throws {
        var tape = try left(.stopped)
        try tape.command(.pause)
        try hearOthers(&tape)
        try tape.command(.end())
        let session = tape.session
        #expect(session.elapsedMilliseconds == 604_000 && session.pausedMilliseconds == 0)
        #expect(session.endedAtMilliseconds == Tape.start + 604_000)
    }

    @Test(
        "lasts no longer because a strap is left out of it, or of another one",
        arguments: [true, false])
    func excluded(isAnother: Bool) throws {
        var tape = Tape()
        try tape.command(.startRecorder(programVersion: "1", zoneOffsetMinutes: 0, zoneName: ""))
        try tape.command(.start())
        let first = tape.session.position
        tape.heart(80)
        try tape.command(.end())
        try tape.command(.start())
        let second = tape.session.position
        tape.heart(80)
        tape.wait(4_000)
        try tape.command(.stopRecorder(.requested))
        tape.wait(600_000)
        try tape.command(.exclude(strap, session: isAnother ? first : second, true))
        tape.wait(600_000)
        #expect(tape.session.elapsedMilliseconds == 4_000)
        try tape.command(.end())
        #expect(tape.session.elapsedMilliseconds == 4_000)
    }

    @Test("lasts until somebody ends it by the rule of version 10")
    func rule() throws {
        var tape = try left(.foundDead, rules: Rules(setting: "countUnrecorded=true"))
        try tape.command(.end())
        #expect(tape.session.elapsedMilliseconds == 604_000)
    }

    @Test(
        "S6: after a boot of which nobody knows when it was, nothing is held of a link before it",
        arguments: [false, true])
    func nothingHeld(isClean: Bool) throws {
        var tape = try left(isClean ? .stopped : .rebootedWithoutClock)
        if isClean {
            tape.reboot()
            tape.flags = []
            let bootID = [UInt8](repeating: 7, count: 16)
            try tape.command(.beginBoot(bootID: bootID, zoneOffsetMinutes: 0, zoneName: ""))
        }
        try tape.command(.end())
        try tape.command(.startRecorder(programVersion: "1", zoneOffsetMinutes: 0, zoneName: ""))
        try tape.command(.start())
        tape.wait(20_000)
        #expect(tape.session.accounting.parts == ["disconnected": 20_000])
    }
}
