import Events
import Foundation
import Projections
import TestSupport
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

    private static func fix(
        _ metresNorth: Int64, error: UInt64? = nil, speed: UInt64? = nil
    ) -> Happening {
        fix(Double(metresNorth), 0, error: error, speed: speed)
    }

    /// Metres north and east, the error in metres, the speed in millimetres a second.
    private static func fix(
        _ north: Double, _ east: Double, error: UInt64?, speed: UInt64?
    ) -> Happening {
        let fix = PositionFixed(
            latitudeE7: 500_000_000 + Int64(north * 89.93), longitudeE7: Int64(east * 139.9),
            accuracyMillimetres: error.map { $0 * 1_000 }, speedMillimetresPerSecond: speed)
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

    @Test("a receiver without speeds that wanders stands still; twenty metres further it walks")
    func positions() async throws {
        var walk = try await Self.walking("auto-pause=on")
        for second in 0..<75 { try await walk.hear(Self.fix(Int64(second % 3) * 4), seconds: 1) }
        #expect(try Self.kinds(walk) == [.standstillBegan])
        for metres in [3, 6, 9] { try await walk.hear(Self.fix(Int64(metres)), seconds: 1) }
        #expect(try Self.kinds(walk) == [.standstillBegan])
        try await walk.happens(Self.fix(30))
        #expect(try Self.kinds(walk) == [.standstillBegan, .standstillEnded])
    }

    /// Millimetres a second, the error in metres, the radius of a circle, whether speeds are told.
    private static let walks: [(speed: Double, error: UInt64?, radius: Double?, tells: Bool)] = [
        (450, 4, nil, true), (450, 30, nil, true), (350, nil, nil, true), (1_400, 4, 4, true),
        (800, 8, 2, true), (400, 5, nil, false), (400, 14, nil, false), (450, 40, nil, false),
        (1_400, 50, nil, false), (1_400, nil, 25, false),
    ]

    @Test("whoever moves does not stand still, slowly or in circles", arguments: walks.indices)
    func moves(index: Int) async throws {
        let (speed, error, radius, tells) = Self.walks[index]
        var walk = try await Self.walking("auto-pause=on")
        for second in 0..<240 {
            let way = speed * Double(second) / 1_000
            let (north, east) = radius.map { ($0 * cos(way / $0), $0 * sin(way / $0)) } ?? (way, 0)
            let told = tells ? UInt64(speed) : nil
            try await walk.hear(Self.fix(north, east, error: error, speed: told), seconds: 1)
        }
        #expect(try Self.kinds(walk).isEmpty)
    }

    @Test("an hour at a table is a pause, however far the receiver wanders", arguments: [6, 8, 12])
    func atRest(wander: Double) async throws {
        var walk = try await Self.walking("auto-pause=on")
        var random = SeededGenerator(seed: UInt64(wander))
        var (north, east, paused) = (0.0, 0.0, 0)
        func step() -> Double {
            (0..<12).reduce(-6) { sum, _ in sum + .random(in: 0..<1, using: &random) }
        }
        for _ in 0..<3_600 {
            north = 0.985 * north + wander * 0.1725 * step()
            east = 0.985 * east + wander * 0.1725 * step()
            let fix = Self.fix(north, east, error: UInt64(wander) * 2 + 1, speed: 100)
            try await walk.hear(fix, seconds: 1)
            paused += walk.life.state.own.sessions.isPaused ? 1 : 0
        }
        #expect(paused > 3_000, "\(paused) s of an hour")
    }

    @Test("who walks on after a pause by itself is seen within five fixes that tell a speed")
    func walksOn() async throws {
        var walk = try await Self.walking("auto-pause=on")
        try await walk.hear(Self.fix(0, error: 8, speed: 1_200), seconds: 10)
        try await walk.hear(Self.fix(0, error: 8, speed: 50), seconds: 20)
        #expect(try Self.kinds(walk).isEmpty)
        try await walk.hear(Self.fix(0, error: 8, speed: 50), seconds: 8)
        try await walk.hear(Self.fix(1, error: 8, speed: 900), seconds: 1)
        #expect(try Self.kinds(walk) == [.standstillBegan], "one fast fix is none")
        try await walk.hear(Self.fix(3, error: 8, speed: 900), seconds: 4)
        #expect(try Self.kinds(walk) == [.standstillBegan, .standstillEnded])
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

    /// Values second by second: `-` none, `0` zero, `n` no contact, `l` a loss of the link, `+`
    /// above the limit, `.` within.
    private static let seconds: [(values: String, alerts: Int)] = [
        ("........+l-------------------........", 0), ("+-------------", 0),
        ("+l+l+l+l+l+l+l+l", 0),
        ("+++++++++++", 1), ("++++++++++.++++++++++", 0), (String(repeating: "+0", count: 12), 1),
        (String(repeating: "+n", count: 12), 1), (String(repeating: "++0", count: 8), 1),
        ("+++++00000+++++", 0), ("+++++----+++++", 1), ("+++++------+++++++", 0),
        ("+++++000000000+++++++", 0), ("nnnnnnnnnnnnnnnn", 0),
    ]

    @Test("ten seconds of measured values alert, and nothing else does", arguments: seconds.indices)
    func evidence(index: Int) async throws {
        let (values, alerts) = Self.seconds[index]
        var walk = try await Self.walking(limits: HeartLimits("above=150"))
        for value in values {
            switch value {
            case "+": try await walk.happens(.read(.record(notified([0x06, 190]))))
            case ".": try await walk.happens(.read(.record(notified([0x06, 90]))))
            case "0": try await walk.happens(.read(.record(notified([0x06, 0]))))
            case "n": try await walk.happens(.read(.record(notified([0x04, 190]))))
            case "l":
                let loss = LinkLost(device: strap, cause: .timeout, reason: nil)
                try await walk.happens(.read(.record(.linkLost(loss))))
            default: break
            }
            try await walk.pass(1)
        }
        #expect(walk.alerts.count == alerts, "\(values)")
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
        for second in 0..<40 { try await walk.hear(Self.fix(Int64(second) * 2), seconds: 1) }
        #expect(pace().map { (490...510).contains($0 / 1_000) } == true)
        for second in 0..<60 { try await walk.hear(Self.fix(80 + Int64(second)), seconds: 1) }
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
