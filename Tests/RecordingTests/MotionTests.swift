import Deciding
import Events
import Projections
import Testing

@testable import Recording
@testable import Words

@Suite("Laps, pauses and alerts that come by themselves")
struct MotionTests {
    private typealias Walk = RecordingLifeTests.Walk

    private static func walking(
        limits: HeartLimits? = nil, _ settings: String...
    ) async throws -> Walk {
        var walk = try await Walk.begun(SessionPlan(source: .simulation, limits: limits))
        var preferences = Preferences()
        for setting in settings { _ = try preferences.set(setting) }
        try await walk.happens(
            .asked(.command(.setWalker(Profile(), Walker(), preferences))))
        return walk
    }

    private static func count(_ steps: UInt64, metres: UInt64) -> Happening {
        .read(.record(counted(steps, metres: metres)))
    }

    private static func fix(_ metresNorth: Int64, error: UInt64? = nil) -> Happening {
        let fix = PositionFixed(
            latitudeE7: 500_000_000 + metresNorth * 10_000_000 / 111_195, longitudeE7: 0,
            accuracyMillimetres: error.map { $0 * 1_000 })
        return .read(.record(.positionFixed(fix)))
    }

    private static func kinds(_ walk: Walk) throws -> [EventKind] {
        try walk.kinds.filter { $0 == .standstillBegan || $0 == .standstillEnded }
    }

    @Test("a walk pauses after twenty seconds without a step, and goes on with the next one")
    func standstill() async throws {
        var walk = try await Self.walking("auto-pause=on")
        try await walk.goThirtySeconds()
        try await walk.hear(Self.count(60, metres: 30), seconds: 18)
        #expect(try Self.kinds(walk).isEmpty, "too early")
        try await walk.hear(Self.count(60, metres: 30), seconds: 30)
        #expect(try Self.kinds(walk) == [.standstillBegan])
        #expect(walk.life.state.own.sessions.isPaused)
        #expect(!walk.life.state.own.sessions.isAtRest && walk.wish.positions, "it is listened")
        try await walk.happens(Self.count(62, metres: 31))
        #expect(try Self.kinds(walk) == [.standstillBegan, .standstillEnded])
        #expect(!walk.life.state.own.sessions.isPaused)
    }

    @Test("nobody who is not heard stands still, nor who did not ask for it")
    func unheard() async throws {
        var silent = try await Self.walking("auto-pause=on")
        try await silent.happens(Self.count(10, metres: 5))
        try await silent.pass(300)
        #expect(try Self.kinds(silent).isEmpty)
        var unasked = try await Self.walking()
        try await unasked.hear(Self.count(10, metres: 5), seconds: 300)
        #expect(try Self.kinds(unasked).isEmpty)
    }

    @Test("a receiver that wanders stands still; ten metres further it walks")
    func positions() async throws {
        var walk = try await Self.walking("auto-pause=on")
        for second in 0..<40 {
            try await walk.hear(Self.fix(Int64(second % 3) * 4), seconds: 1)
        }
        #expect(try Self.kinds(walk) == [.standstillBegan])
        for metres in [3, 6, 9] {
            try await walk.hear(Self.fix(Int64(metres)), seconds: 1)
        }
        #expect(try Self.kinds(walk) == [.standstillBegan])
        try await walk.happens(Self.fix(20))
        #expect(try Self.kinds(walk) == [.standstillBegan, .standstillEnded])
    }

    @Test("a slow walker does not stand still, however far off the receiver may be")
    func slowly() async throws {
        for (speed, error) in [(8, 5), (8, 14), (8, 40), (14, 10), (14, 15), (14, 50)] {
            var walk = try await Self.walking("auto-pause=on")
            for second in 0..<90 {
                let fix = Self.fix(Int64(second * speed / 10), error: UInt64(error))
                try await walk.hear(fix, seconds: 1)
            }
            #expect(try Self.kinds(walk).isEmpty, "\(speed) dm/s, within \(error) m")
        }
    }

    @Test("a standstill of which nothing is heard for five minutes is over")
    func gone() async throws {
        var walk = try await Self.walking("auto-pause=on")
        try await walk.hear(Self.count(10, metres: 5), seconds: 30)
        try await walk.pass(280)
        #expect(try Self.kinds(walk) == [.standstillBegan])
        try await walk.pass(30)
        #expect(try Self.kinds(walk) == [.standstillBegan, .standstillEnded])
    }

    @Test("a recorder that goes on with a walk does not pause it at once")
    func continued() async throws {
        var walk = try await Self.walking("auto-pause=on")
        try await walk.goThirtySeconds()
        try await walk.happens(.asked(.leave))
        walk.life = RecordingLife(SessionPlan(source: .simulation), machine: machine)
        walk.second += 600
        try await walk.begin()
        try await walk.hear(Self.count(60, metres: 30), seconds: 15)
        #expect(try Self.kinds(walk).isEmpty)
    }

    @Test("laps by themselves go on after one by hand, a pause, and in the next walk")
    func lapsGoOn() async throws {
        var walk = try await Self.walking("auto-lap=100m")
        var metres: UInt64 = 0
        func go(_ seconds: Int) async throws {
            for _ in 0..<seconds {
                metres += 10
                try await walk.happens(Self.count(metres, metres: metres))
                try await walk.pass(5)
            }
        }
        try await walk.happens(Self.count(0, metres: 0))
        try await go(9)
        try await walk.happens(.asked(.command(.pause)))
        try await go(5)
        #expect(walk.life.state.own.sessions.open?.laps.ended == 0)
        try await walk.happens(.asked(.command(.resume)))
        try await go(40)
        #expect(walk.life.state.own.sessions.open?.laps.ended ?? 0 >= 3)
    }

    @Test("a pause by hand lasts, also where it was one by itself")
    func byHand() async throws {
        var walk = try await Self.walking("auto-pause=on")
        try await walk.hear(Self.count(10, metres: 5), seconds: 30)
        #expect(try Self.kinds(walk) == [.standstillBegan])
        try await walk.happens(.asked(.command(.pause)))
        #expect(walk.life.state.own.sessions.isAtRest)
        #expect(walk.life.state.own.sessions.open?.pauses == 1, "it is one pause")
        try await walk.happens(Self.count(20, metres: 10))
        #expect(try Self.kinds(walk) == [.standstillBegan])
        #expect(walk.life.state.own.sessions.isAtRest)
        try await walk.happens(.asked(.command(.resume)))
        #expect(!walk.life.state.own.sessions.isPaused)
    }

    @Test("a lap ends where it is long enough, by hand also before")
    func laps() async throws {
        var walk = try await Self.walking("auto-lap=100m")
        try await walk.happens(Self.count(0, metres: 0))
        for second in 1...60 {
            try await walk.pass(5)
            try await walk.happens(Self.count(UInt64(second) * 10, metres: UInt64(second) * 7))
            if second == 20 { try await walk.happens(.asked(.command(.lap()))) }
        }
        // At 105 m, by hand at 140 m, then at 245, 350 and so on.
        let laps = walk.life.state.own.sessions.open?.laps
        #expect(laps?.ended == 4)
        #expect(laps?.begun.millimetres == 350_000)
        #expect(laps?.last.millimetres == 105_000 && laps?.last.milliseconds == 75_000)
        #expect(laps?.sentence(.metric) == "Lap 4: 1:15, 0.11 km, 11:54 /km.")
    }

    @Test("who is above a limit for ten seconds is told, once a minute")
    func alerts() async throws {
        var walk = try await Self.walking(limits: HeartLimits("above=150,below=60"))
        try await walk.send(100, seconds: 30)
        #expect(walk.alerts.isEmpty)
        try await walk.send(151, seconds: 9)
        try await walk.send(150, seconds: 20)
        #expect(walk.alerts.isEmpty, "not for ten seconds, and 150 is not above 150")
        try await walk.send(160, seconds: 60)
        #expect(
            walk.alerts == ["Your heart rate has been above 150 BPM for 10 seconds: it is 160."])
        try await walk.send(165, seconds: 15)
        #expect(walk.alerts.count == 2)
        try await walk.send(50, seconds: 70)
        #expect(walk.alerts.count == 3)
        #expect(walk.alerts.last?.contains("below 60 BPM") == true)
        #expect(Scene(walk.life).alert?.number == 3)
    }

    @Test("an alert stands while the heart rate is beyond, and is silent for as long as asked")
    func quiet() async throws {
        var walk = try await Self.walking(limits: HeartLimits("above=150"))
        try await walk.send(160, seconds: 12)
        let standing = try #require(Scene(walk.life).heartAlert)
        #expect(standing.alert == .above(150) && standing.milliseconds >= 10_000)
        try await walk.happens(.asked(.quietAlerts(300_000)))
        #expect(Scene(walk.life).heartAlert == nil)
        try await walk.send(160, seconds: 290)
        #expect(walk.alerts.count == 1)
        try await walk.send(160, seconds: 20)
        #expect(walk.alerts.count == 2 && walk.alerts.last?.contains("for 5 minutes") == true)
        try await walk.send(120, seconds: 2)
        #expect(Scene(walk.life).heartAlert == nil, "it is over")
        try await walk.happens(.asked(.quietAlerts(nil)))
        try await walk.send(160, seconds: 600)
        #expect(walk.alerts.count == 2)
    }

    @Test("a pedometer that is silent for good does not keep positions from telling a standstill")
    func forgotten() async throws {
        var walk = try await Self.walking("auto-pause=on")
        try await walk.happens(Self.fix(0))
        try await walk.happens(Self.count(10, metres: 5))
        try await walk.pass(2)
        try await walk.happens(Self.count(20, metres: 10))
        try await walk.hear(Self.fix(0), seconds: 310)
        #expect(try Self.kinds(walk) == [.standstillBegan])
    }

    @Test("the pace is that of the last half minute, and none in a pause or without fixes")
    func pace() async throws {
        var walk = try await Self.walking()
        func pace() -> UInt64? {
            Scene(walk.life).pace.flatMap { Units.metric.paceMilliseconds($0, $1) }
        }
        for second in 0..<40 {
            try await walk.hear(Self.fix(Int64(second) * 2), seconds: 1)
        }
        #expect(pace().map { (490...510).contains($0 / 1_000) } == true)
        for second in 0..<60 {
            try await walk.hear(Self.fix(80 + Int64(second)), seconds: 1)
        }
        #expect(pace().map { (850...1_150).contains($0 / 1_000) } == true)
        try await walk.pass(16)
        #expect(pace() == nil, "nothing is known of now")
        try await walk.happens(.asked(.command(.pause)))
        try await walk.happens(.asked(.command(.resume)))
        try await walk.happens(Self.fix(140))
        #expect(pace() == nil)
    }

    @Test(
        "limits that cannot be read are refused",
        arguments: ["", "150", "above=", "over=1,", "above=100,below=100", "above=150,"])
    func limits(text: String) {
        #expect(HeartLimits(text) == nil)
    }
}

extension RecordingLifeTests.Walk {
    /// Hears the same every second.
    fileprivate mutating func hear(_ happening: Happening, seconds: Int) async throws {
        for _ in 0..<seconds {
            try await happens(happening)
            try await pass(1)
        }
    }

    /// Walks for thirty seconds, two steps and a metre in each.
    fileprivate mutating func goThirtySeconds() async throws {
        for second in UInt64(1)...30 {
            try await hear(.read(.record(counted(second * 2, metres: second))), seconds: 1)
        }
    }

    fileprivate mutating func send(_ bpm: UInt8, seconds: Int) async throws {
        try await hear(.read(.record(notified([0x06, bpm]))), seconds: seconds)
    }
}
