import Events
import Projections
import TestSupport
import Testing

@Suite("Sessions")
struct SessionTests {
    @Test("S1: nonsense is refused, and no event comes of it")
    func stateMachine() throws {
        var tape = Tape()
        for command in [Command.pause, .resume, .end(), .mark("here")] {
            #expect(tape.refusal(of: command) == .noSession)
        }
        try tape.command(.start())
        #expect(tape.refusal(of: .start()) == .sessionOpen)
        #expect(tape.refusal(of: .resume) == .notPaused)
        try tape.command(.pause)
        #expect(tape.refusal(of: .pause) == .alreadyPaused)
        try tape.command(.mark("a bench"))
        try tape.command(.end())
        #expect(tape.refusal(of: .end()) == .noSession)
        #expect(tape.session.state == .ended)
        #expect(tape.session.marks == 1)
        #expect(tape.state.findings.total == 0)
        #expect(Refusal(.alreadyPaused).description.contains("resume"))
    }

    @Test("S1: session events out of place are findings, and change nothing")
    func outOfPlace() throws {
        var tape = Tape()
        tape.append(.sessionPaused(SessionPaused()))
        tape.append(.sessionEnded(SessionEnded()))
        try tape.command(.start())
        tape.append(.sessionStarted(SessionStarted()))
        tape.append(.sessionResumed(SessionResumed()))
        #expect(tape.state.findings.total == 4)
        #expect(tape.state.findings.kept.map(\.position) == [0, 1, 3, 4])
        #expect(tape.own.sessions.all.count == 1)
    }

    @Test("S4, S8: a pause ends the session's stream, the day goes on, a resume adds to it")
    func pedometerStreams() throws {
        var tape = Tape(counting: 1_000)
        tape.wait(1_000)
        try tape.command(.start())
        for reading in [1_002, 1_010, 1_020] { tape.count(UInt64(reading), after: 1_000) }
        #expect(tape.session.steps == 20)
        try tape.command(.pause)
        for reading in [1_025, 1_100] { tape.count(UInt64(reading), after: 1_000) }
        #expect(tape.session.steps == 20)
        try tape.command(.resume)
        tape.count(1_103, after: 1_000)
        #expect(tape.session.steps == 23)
        #expect(tape.today == 103)
        try tape.command(.end())
        tape.count(1_200)
        #expect(tape.session.steps == 23)
        #expect(tape.session.stepsBaseline == 0)
        #expect(tape.session.stepsToday == 103)
        #expect(tape.today == 200)
    }

    @Test("S8: what was walked unread before the start or in the pause is not the session's")
    func unreadSteps() throws {
        var tape = Tape(counting: 1_000)
        tape.wait(600_000)
        try tape.command(.start())
        tape.count(1_500, after: 1_000)
        #expect(tape.session.steps == 0)
        tape.count(1_502, after: 1_000)
        try tape.pause(for: 2_000)
        tape.count(1_506, after: 1_000)
        tape.count(1_508, after: 1_000)
        #expect(tape.session.steps == 4)
        #expect(tape.today == 508)
    }

    @Test("S7: steps walked while the recorder was cut off are the session's")
    func stepsThroughCrash() throws {
        var tape = Tape(counting: 10)
        try tape.command(.start())
        tape.count(20)
        tape.wait(120_000)
        try tape.command(.startRecorder(programVersion: "1", zoneOffsetMinutes: 60, zoneName: ""))
        tape.count(200)
        #expect(tape.session.steps == 190)
    }

    @Test("S9: distance by the pedometer, else by stride, each for its interval")
    func distance() throws {
        var tape = Tape()
        try tape.command(.setProfile(Profile(heightMillimetres: 1_800)))
        tape.count(0, distance: 0)
        try tape.command(.start())
        tape.count(10, distance: 7_300, after: 2_000)
        #expect(tape.session.distanceMillimetres == 7_300)
        #expect(tape.session.distanceSource == .pedometer)
        tape.count(20, after: 2_000)
        // The pedometer may still tell the 10 steps.
        #expect(tape.session.distanceMillimetres == 7_300)
        // 10 steps x 1,800 mm x 0.415.
        #expect(tape.session.way.measured[.steps] == 2 * 7_470)
        tape.count(30, distance: 20_000, after: 2_000)
        #expect(tape.session.distanceMillimetres == 20_000)
        #expect(tape.session.distanceSource == .pedometer)
    }

    @Test("S9, S10: without a height there is no distance by stride; 70 kg is assumed and said")
    func withoutProfile() throws {
        var tape = Tape(counting: 0)
        try tape.command(.start())
        tape.count(1_000)
        #expect(tape.session.distanceMillimetres == nil)
        #expect(tape.session.distanceSource == nil)
        #expect(tape.session.energyCalories == 40_000)
        #expect(tape.session.isWeightAssumed)
    }

    @Test("S10: energy is scaled by weight, rounded half up")
    func energy() throws {
        var tape = Tape()
        try tape.command(.setProfile(Profile(weightGrams: 75_000)))
        tape.count(0)
        try tape.command(.start())
        tape.count(333)
        // 333 x 40 x 75 / 70 = 14,271.43.
        #expect(tape.session.energyCalories == 14_271)
        #expect(!tape.session.isWeightAssumed)
    }

    @Test("S11: the daily goal asks for what is missing, and is refused when nothing is")
    func dailyGoal() throws {
        var tape = Tape()
        let daily = Command.start(goal: Goal(kind: .daily))
        #expect(tape.refusal(of: daily) == .noDailyGoal)
        try tape.command(.setProfile(Profile(dailyGoalSteps: 8_000)))
        try tape.command(.healthTotal(5_000))
        try tape.command(daily)
        #expect(tape.session.goal == Goal(kind: .daily, target: 3_000))
        #expect(tape.session.stepsBaseline == 5_000)
        try tape.command(.end())
        try tape.command(.healthTotal(8_000))
        #expect(tape.refusal(of: daily) == .dailyGoalReached)
    }

    @Test("S11: turn-around and goal are claimed once each, with the event that made them")
    func claims() throws {
        var tape = Tape(counting: 0)
        try tape.command(.start(goal: Goal(kind: .steps, target: 101), outAndBack: true))
        for reading: UInt64 in stride(from: 10, through: 150, by: 10) {
            tape.count(reading, after: 2_000)
        }
        try tape.command(.end())
        let claims = tape.recorded.filter {
            $0.header.kind == .goalReached || $0.header.kind == .turnAroundReached
        }
        #expect(claims.map(\.header.kind) == [.turnAroundReached, .goalReached])
        for claim in claims {
            let cause = tape.recorded[Int(claim.header.position) - 1]
            #expect(cause.header.kind == .pedometerRead)
        }
        #expect(tape.session.isGoalReached)
        #expect(tape.session.isTurnAroundReached)
    }

    @Test("S11: a duration is reached by time, without pauses")
    func durationGoal() throws {
        var tape = Tape()
        try tape.command(.start(goal: Goal(kind: .duration, target: 10_000)))
        tape.wait(6_000)
        try tape.command(.pause)
        tape.wait(60_000)
        let resumed = try tape.command(.resume)
        #expect(resumed.count == 1)
        tape.wait(4_000)
        let marked = try tape.command(.mark())
        #expect(marked.map(\.kind) == [.sessionMarked, .goalReached])
    }

    @Test("S11: a duration that is full at the end is reached at the end")
    func durationGoalAtEnd() throws {
        var tape = Tape()
        try tape.command(.start(goal: Goal(kind: .duration, target: 10_000)))
        tape.wait(10_000)
        #expect(tape.session.isGoalReached)
        let ended = try tape.command(.end(.durationReached))
        #expect(ended.map(\.kind) == [.sessionEnded, .goalReached])
        #expect(tape.own.sessions.ended.first?.goalReachedPosition == 1)
    }

    @Test("S11: a goal without target and out-and-back without goal are refused")
    func emptyGoals() {
        var tape = Tape()
        #expect(tape.refusal(of: .start(goal: Goal(kind: .distance))) == .goalWithoutTarget)
        #expect(tape.refusal(of: .start(outAndBack: true)) == .outAndBackWithoutGoal)
    }

    @Test("an import has sessions of its own and leaves the live one alone")
    func importedSession() throws {
        var tape = try Tape.walking()
        tape.heart(80)
        let position = tape.append(.sessionStarted(SessionStarted()), source: 1)
        tape.heart(150, source: 1)
        tape.append(.sessionPaused(SessionPaused()), source: 1)
        #expect(tape.session.state == .running)
        #expect(tape.session.heartRate.sum == 80)
        let imported = tape.state.sessionReport(position, at: tape.moment)
        #expect(imported?.provenance == .imported(1))
        #expect(imported?.heartRate.sum == 150)
    }
}
