import BluetoothCentral
import Deciding
import Events
import Projections
import Testing

@testable import Recording

@Suite("Walks that begin and end with the strap being worn")
struct WearTests {
    private typealias Walk = RecordingLifeTests.Walk

    /// A recorder whose strap is paired, linked and not worn yet, or was then worn so long.
    private static func waiting(
        goal: Goal = Goal(), thenWorn seconds: Int = 0
    ) async throws -> Walk {
        var walk = try await Walk.begun(SessionPlan(goal: goal, begins: .wheneverWorn))
        try await walk.find()
        try await walk.link()
        try await walk.happens(.reported(.valueRead(Walk.strap, .batteryLevel, [87])))
        try await walk.send(worn: false)
        try await walk.send(worn: true, seconds: seconds)
        return walk
    }

    @Test("begins with contact, ends after five minutes without, and begins again")
    func twice() async throws {
        var walk = try await Self.waiting()
        #expect(walk.said.contains { $0.hasPrefix("A walk begins when the strap is worn") })
        for number in 1...2 {
            try await walk.send(worn: false, seconds: 400)
            #expect(walk.life.phase == .settingUp)
            try await walk.send(worn: true, seconds: 60)
            #expect(walk.sessions == [number, number - 1])
            try await walk.send(worn: false, seconds: 299)
            #expect(walk.sessions == [number, number - 1], "too early")
            try await walk.send(worn: false, seconds: 2)
            #expect(walk.sessions == [number, number])
        }
        #expect(!walk.isFinished)
        let ends = walk.life.state.own.sessions.ended.map { $0.endReason?.known }
        #expect(ends == [.takenOff, .takenOff])
    }

    @Test("goes on over a contact or a link that is lost for less than five minutes")
    func interrupted() async throws {
        var walk = try await Self.waiting(thenWorn: 10)
        try await walk.send(worn: false, seconds: 290)
        try await walk.send(worn: true, seconds: 10)
        try await walk.loseLink()
        try await walk.pass(290)
        try await walk.link()
        try await walk.send(worn: true, seconds: 10)
        #expect(walk.sessions == [1, 0])
        try await walk.loseLink()
        try await walk.pass(301)
        #expect(walk.sessions == [1, 1])
    }

    @Test("begins no other walk until the strap was taken off, if somebody ends one")
    func stopped() async throws {
        var walk = try await Self.waiting(thenWorn: 10)
        try await walk.happens(.asked(.command(.end())))
        #expect(walk.sessions == [1, 1] && !walk.isFinished)
        try await walk.send(worn: true, seconds: 600)
        try await walk.send(worn: false, seconds: 50)
        try await walk.send(worn: true, seconds: 10)
        #expect(walk.sessions == [1, 1])
        try await walk.send(worn: false, seconds: 70)
        try await walk.send(worn: true, seconds: 10)
        #expect(walk.sessions == [2, 1])
    }

    @Test("ends where the machine fell asleep, and begins another walk after it")
    func asleep() async throws {
        var walk = try await Self.waiting(thenWorn: 60)
        walk.second += 8 * 3_600
        try await walk.send(worn: true, seconds: 10)
        #expect(walk.sessions == [2, 1])
        let first = try #require(walk.life.state.sessionReports(at: walk.life.moment).first)
        #expect((59_000...60_000).contains(first.elapsedMilliseconds))
    }

    @Test("goes on after a restart within five minutes, and ends the walk after a longer one")
    func restarted() async throws {
        for (seconds, counts) in [(200, [1, 0]), (400, [1, 1])] {
            var walk = try await Self.waiting(thenWorn: 60)
            try await walk.happens(.signalled(.termination))
            #expect(walk.sessions == [1, 0], "a signal leaves it open")
            walk.life = RecordingLife(SessionPlan(begins: .wheneverWorn), machine: machine)
            walk.second += UInt64(seconds)
            try await walk.begin()
            #expect(walk.sessions == counts)
            let report = try #require(walk.life.state.sessionReports(at: walk.life.moment).first)
            if counts[1] == 1 { #expect(report.elapsedMilliseconds < 61_000) }
        }
    }

    @Test("goes on over a pause of up to an hour, after which the strap has time to come back")
    func paused() async throws {
        var walk = try await Self.waiting(thenWorn: 10)
        try await walk.happens(.asked(.command(.pause)))
        try await walk.pass(3_500)
        #expect(walk.sessions == [1, 0])
        try await walk.happens(.asked(.command(.resume)))
        try await walk.pass(290)
        try await walk.send(worn: true, seconds: 10)
        #expect(walk.sessions == [1, 0])
        try await walk.happens(.asked(.command(.pause)))
        try await walk.pass(3_601)
        #expect(walk.sessions == [1, 1])
        #expect(walk.life.state.own.sessions.ended.last?.endReason?.known == .leftPaused)
        // Whoever has paused it does not want another one at once.
        try await walk.send(worn: true, seconds: 10)
        #expect(walk.sessions == [1, 1])
        try await walk.send(worn: false, seconds: 75)
        try await walk.send(worn: true, seconds: 10)
        #expect(walk.sessions == [2, 1])
    }

    @Test("ends a pause after an hour also where the machine slept meanwhile")
    func pausedAsleep() async throws {
        var walk = try await Self.waiting(thenWorn: 10)
        try await walk.happens(.asked(.command(.pause)))
        for (minutes, counts) in [(20, [1, 0]), (30, [1, 0]), (15, [1, 1])] {
            walk.second += UInt64(minutes * 60)
            try await walk.pass(1)
            #expect(walk.sessions == counts, "\(minutes)")
        }
    }

    @Test("judges a walk that was left by its own last moment, whatever others append")
    func restartedBesideOthers() async throws {
        var walk = try await Self.waiting(thenWorn: 60)
        try await walk.happens(.signalled(.termination))
        walk.second += 200
        let other = DeviceID(address: 0xC400_0000_0002, space: .random)
        _ = try await walk.appender.record([
            Input(.pair(other, name: "Other", roles: .heart), at: walk.now)
        ])
        walk.life = RecordingLife(SessionPlan(begins: .wheneverWorn), machine: machine)
        walk.second += 200
        try await walk.begin()
        #expect(walk.sessions == [1, 1])
    }

    @Test("wants no positions until a walk begins, and shows the last walk when it ends itself")
    func waits() async throws {
        var walk = try await Self.waiting()
        #expect(!walk.wish.positions)
        try await walk.send(worn: true, seconds: 10)
        #expect(walk.wish.positions)
        try await walk.send(worn: false, seconds: 301)
        #expect(!walk.wish.positions && walk.life.session == nil)
        try await walk.happens(.signalled(.interrupt))
        #expect(walk.life.session == walk.life.state.own.sessions.ended.last?.position)
    }

    @Test("ends with Ctrl-C, also while no strap is worn")
    func interrupt() async throws {
        var walk = try await Self.waiting(thenWorn: 10)
        try await walk.happens(.signalled(.interrupt))
        #expect(walk.sessions == [1, 1] && walk.isFinished)
        var idle = try await Self.waiting()
        try await idle.happens(.signalled(.interrupt))
        #expect(idle.sessions == [0, 0] && idle.isFinished)
    }

    @Test("begins without a goal that is not possible, and says so")
    func impossibleGoal() async throws {
        let walk = try await Self.waiting(goal: Goal(kind: .daily, target: 0), thenWorn: 10)
        #expect(walk.sessions == [1, 0])
        #expect(walk.said.contains(Refusal(.noDailyGoal).description))
    }
}

extension RecordingLifeTests.Walk {
    /// How many walks have begun, and how many of them have ended.
    fileprivate var sessions: [Int] {
        let sessions = life.state.own.sessions
        return [sessions.ended.count + (sessions.open == nil ? 0 : 1), sessions.ended.count]
    }

    /// Lets time pass in which the strap sends, with contact or without.
    fileprivate mutating func send(worn: Bool, seconds: Int = 1) async throws {
        for second in 0..<seconds {
            try await hear([worn ? 0x06 : 0x04, UInt8(70 + second % 3)])
            try await pass(1)
        }
    }
}
