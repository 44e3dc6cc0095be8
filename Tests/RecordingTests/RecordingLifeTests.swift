import BluetoothCentral
import Clocks
import Deciding
import EventStore
import Events
import Projections
import Testing

@testable import Recording

/// The life of a recording against a log in memory: what it wants is done at once.
@Suite("The life of a recording")
struct RecordingLifeTests {
    /// A life, and a log that takes what it appends.
    struct Walk {
        var life: RecordingLife
        let appender: Appender
        let log = InMemoryEventLog()
        /// Seconds since the beginning.
        var second: UInt64 = 0
        private(set) var said: [String] = []
        /// What was told with a sound.
        private(set) var alerts: [String] = []
        private(set) var wish = SensorWish()
        private(set) var isSensing = false
        private(set) var isFinished = false
        private(set) var isAbandoned = false
        private(set) var wakes: [UInt64] = []
        /// At which seconds the log was to be sealed.
        private(set) var sealedAt: [UInt64] = []

        static let strap = BluetoothAddress(RecordingTests.strap.address)
        var sighting = DeviceSighting(
            address: strap, addressType: .random, name: "Strap", rssi: -50, services: [.heartRate])

        init(_ plan: SessionPlan) {
            life = RecordingLife(plan, machine: machine)
            appender = Appender(log, machine: machine)
        }

        /// A recorder that has begun.
        static func begun(
            _ plan: SessionPlan = SessionPlan(source: .simulation)
        ) async throws -> Walk {
            var walk = Walk(plan)
            try await walk.begin()
            return walk
        }

        var now: Arrival { arrival(after: second * 1_000) }

        mutating func happens(_ happening: Happening) async throws {
            var inputs: [Input] = []
            for action in life.handle(happening, at: now) {
                switch action {
                case .append(let input): inputs.append(input)
                case .sense: isSensing = true
                case .want(let wish): self.wish = wish
                case .say(let sentence): said.append(sentence)
                case .alert(let sentence): alerts.append(sentence)
                case .withdraw(let sentence): said.removeAll { $0 == sentence }
                case .seal: sealedAt.append(second)
                case .finish: isFinished = true
                case .abandon: isAbandoned = true
                case .wake(let milliseconds): wakes.append(milliseconds)
                }
            }
            guard !inputs.isEmpty else { return }
            let before = try log.next
            let outcomes = try await appender.record(inputs)
            let events = try log.events(in: before..<log.next)
            if !events.isEmpty { try await happens(.recorded(await appender.state, events)) }
            for (input, outcome) in zip(inputs, outcomes) {
                guard case .refused(let refusal) = outcome else { continue }
                try await happens(.refused(input.command, refusal))
            }
        }

        mutating func begin() async throws {
            try await happens(.began(await appender.state))
        }

        /// Hears a strap, and chooses it after some seconds.
        mutating func find() async throws {
            try await happens(.reported(.deviceSeen(sighting)))
            try await pass(6)
        }

        /// The strap is linked and subscribed to.
        mutating func link() async throws {
            try await happens(.reported(.linkUp(sighting)))
            try await happens(.reported(.subscribed(Self.strap, .heartRateMeasurement)))
        }

        /// Hears a value of the strap's heart rate.
        mutating func hear(_ value: [UInt8]) async throws {
            try await happens(
                .reported(.valueNotified(Self.strap, .heartRateMeasurement, value)))
        }

        /// The strap is gone.
        mutating func loseLink() async throws {
            try await happens(.reported(.linkDown(Self.strap)))
            try await happens(.reported(.linkLost(Self.strap, LinkLoss())))
        }

        mutating func pass(_ seconds: UInt64, awaiting writer: String? = nil) async throws {
            for _ in 0..<seconds {
                second += 1
                try await happens(.ticked(awaitedWriter: writer))
            }
        }

        var kinds: [EventKind] { get throws { try log.all.map(\.kind) } }
    }

    @Test("begins the session at once, and ends it and itself when that is asked")
    func whole() async throws {
        var walk = try await Walk.begun()
        #expect(walk.isSensing)
        let session = try #require(walk.life.session)
        #expect(walk.life.phase == .recording(session))
        try await walk.happens(.asked(.command(.pause)))
        try await walk.happens(.asked(.command(.pause)))
        #expect(walk.said == [Refusal(.alreadyPaused).description])
        try await walk.happens(.asked(.command(.end())))
        #expect(walk.life.phase == .ending(.requested) && walk.isFinished)
        #expect(walk.life.session == session)
        #expect(
            try walk.kinds.suffix(4) == [
                .sessionStarted, .sessionPaused, .sessionEnded, .recorderStopped,
            ])
        let end = try walk.log.next
        try await walk.happens(.read(reading(1).command))
        try await walk.pass(2)
        #expect(try walk.log.next == end, "nothing is appended once the recorder has stopped")
    }

    @Test("lets the log be sealed every 15 minutes, after a session, and when a day is over")
    func sealing() async throws {
        var walk = try await Walk.begun()
        try await walk.pass(2_000)
        #expect(walk.sealedAt.filter { $0 > 0 } == [900, 1_800])
        let midnight: UInt64 = 15 * 3_600
        walk.second = midnight + 10
        try await walk.happens(.read(.refresh()))
        #expect(walk.sealedAt.last == midnight + 10)
        try await walk.pass(10)
        try await walk.happens(.asked(.command(.end())))
        #expect(walk.sealedAt.filter { $0 > midnight + 10 } == [midnight + 20])
    }

    @Test("waits for the strap's first heart rate, with a goal that can be chosen meanwhile")
    func settingUp() async throws {
        var walk = try await Walk.begun(SessionPlan(begins: .withHeartRate))
        #expect(walk.life.phase == .settingUp && walk.isSensing)
        try await walk.pass(1)
        #expect(walk.wish.central.scanning == .services([.heartRate]))
        try await walk.happens(.asked(.choose(Goal(kind: .steps, target: 3_000), outAndBack: true)))
        try await walk.find()
        #expect(walk.wish.central.devices.map(\.address) == [Walk.strap])
        try await walk.pass(10)
        #expect(walk.wish.central.scanning == nil, "nobody is listened for while it connects")
        try await walk.link()
        #expect(walk.life.phase == .settingUp)
        try await walk.hear([0x06, 72])
        #expect(walk.life.phase == .settingUp, "its battery is told before the walk begins")
        try await walk.happens(.reported(.valueRead(Walk.strap, .batteryLevel, [87])))
        #expect(walk.said.contains("Strap is connected: 72 BPM, contact, battery 87 %."))
        let open = try #require(walk.life.state.own.sessions.open)
        #expect(walk.life.phase == .recording(open.position))
        #expect(open.goal == Goal(kind: .steps, target: 3_000))
        #expect(walk.said.contains { $0.hasPrefix("Paired Strap; it is primary.") })
        try await walk.happens(.asked(.choose(Goal(), outAndBack: false)))
        #expect(walk.life.plan.goal.kind == .steps, "the goal of a session stays")
    }

    @Test("pairs a strap that counts steps as well for both, and wants both of it from then on")
    func twoRoles() async throws {
        var walk = try await Walk.begun(SessionPlan())
        walk.sighting.services = [.heartRate, .runningSpeedAndCadence]
        try await walk.find()
        try await walk.link()
        try await walk.happens(.reported(.subscribed(Walk.strap, .runningSpeedCadenceMeasurement)))
        #expect(walk.said.contains { $0.hasPrefix("Paired Strap for heart rate and steps;") })
        let wanted: Set = [BluetoothUUID.heartRateMeasurement, .runningSpeedCadenceMeasurement]
        #expect(walk.wish.central.devices.map(\.measurements) == [wanted])
    }

    @Test("waits for a strap that is worn now, whatever the walk before it ended with")
    func secondSetUp() async throws {
        var first = try await Walk.begun(SessionPlan())
        try await first.find()
        try await first.link()
        try await first.hear([0x06, 72])
        try await first.happens(.asked(.command(.end())))
        var second = RecordingLife(SessionPlan(begins: .withHeartRate), machine: machine)
        first.second += 1
        _ = second.handle(.began(await first.appender.state), at: first.now)
        _ = second.handle(.ticked(awaitedWriter: nil), at: first.now)
        #expect(second.phase == .settingUp)
        #expect(second.strap.status == .disconnected && second.strap.heartRateBPM == nil)
    }

    @Test("ends by itself after the time that was set, counting the set-up")
    func duration() async throws {
        var walk = try await Walk.begun(
            SessionPlan(begins: .withHeartRate, durationMilliseconds: 10_000))
        #expect(walk.wakes == [10_000])
        try await walk.pass(4)
        #expect(walk.life.phase == .settingUp)
        try await walk.happens(.asked(.begin))
        #expect(walk.wakes == [10_000])
        try await walk.pass(5)
        try await walk.happens(.woke)
        #expect(!walk.isFinished, "too early")
        // No tick: what wakes it is enough.
        walk.second += 1
        try await walk.happens(.woke)
        #expect(walk.isFinished)
        #expect(try walk.kinds.suffix(2) == [.sessionEnded, .recorderStopped])

        var missed = try await Walk.begun(
            SessionPlan(begins: .withHeartRate, durationMilliseconds: 10_000))
        missed.second = 10
        try await missed.happens(.woke)
        #expect(missed.isFinished, "nobody waits for ever for a strap that does not come")
        #expect(try !missed.kinds.contains(.sessionStarted))
    }

    @Test(
        "goes on with an open session at once, or ends it and begins another",
        arguments: [(.atOnce, false), (.withHeartRate, false), (.atOnce, true)]
            as [(SessionPlan.Beginning, Bool)])
    func openSession(begins: SessionPlan.Beginning, isNew: Bool) async throws {
        var first = try await Walk.begun()
        try await first.happens(.signalled(.termination))
        #expect(try first.kinds.last == .recorderStopped)
        #expect(first.life.state.own.sessions.open != nil, "a signal leaves it open")

        var second = RecordingLife(
            SessionPlan(source: .simulation, begins: begins, endsOpenSession: isNew),
            machine: machine)
        let actions = second.handle(
            .began(await first.appender.state), at: arrival(after: 60_000))
        let starts = actions.filter { action in
            guard case .append(let input) = action else { return false }
            return if case .start = input.command { true } else { false }
        }
        #expect(starts.count == (isNew ? 1 : 0))
        let session = try #require(first.life.session)
        #expect(second.phase == (isNew ? .starting : .recording(session)))
    }

    @Test("fails when the session cannot begin, and says why")
    func refused() async throws {
        let walk = try await Walk.begun(
            SessionPlan(source: .simulation, goal: Goal(kind: .daily, target: 0)))
        #expect(walk.life.phase == .failed(Refusal(.noDailyGoal)))
        #expect(walk.isFinished && !walk.isSensing)
        #expect(try walk.kinds.last == .recorderStopped)
    }

    @Test("waits for nobody who wants to go: neither another writer nor a full disk")
    func impatient() async throws {
        var walk = try await Walk.begun()
        try await walk.pass(1, awaiting: "process 7 is stopped in the middle of a write")
        #expect(walk.said.count == 1 && !walk.isAbandoned)
        try await walk.pass(5, awaiting: "process 7 is stopped in the middle of a write")
        #expect(walk.said.count == 1, "it is said once")
        try await walk.happens(.signalled(.interrupt))
        #expect(walk.isFinished && !walk.isAbandoned, "the other write may have ended by now")
        try await walk.pass(1, awaiting: "process 7 is stopped in the middle of a write")
        #expect(walk.isAbandoned)

        // A session that could not begin has asked for the end before the write stopped.
        var failed = try await Walk.begun(
            SessionPlan(source: .simulation, goal: Goal(kind: .daily, target: 0)))
        try await failed.pass(1, awaiting: "process 7 is stopped in the middle of a write")
        #expect(failed.isAbandoned)
        _ = failed.life.handle(.logEnded(nil), at: failed.now)
        #expect(failed.life.phase == .ended(.refused(Refusal(.noDailyGoal))))

        // Somebody else's start that is refused ends nothing.
        var going = try await Walk.begun()
        let phase = going.life.phase
        try await going.happens(.refused(.start(), Refusal(.sessionOpen)))
        #expect(going.life.phase == phase && !going.isFinished)

        var full = try await Walk.begun()
        try await full.happens(.diskFull(true))
        try await full.happens(.asked(.command(.end())))
        #expect(full.isFinished)

        // The disk may turn out to be full by what is asked for.
        var late = try await Walk.begun()
        _ = late.life.handle(.asked(.command(.end())), at: late.now)
        try await late.happens(.diskFull(true))
        #expect(late.isFinished)
    }

    @Test("tells of the totals that nobody walks once for each date, and what can be done")
    func refusedTotals() async throws {
        var walk = try await Walk.begun()
        let before = walk.said.count
        for steps: UInt64 in [250_000, 250_100, 300_000] {
            try await walk.happens(.read(.healthTotal(steps, date: nil, origin: Reporter(.file))))
            let total = HealthTotal(date: CivilDate(year: 2026, month: 2, day: 27)!, steps: steps)
            try await walk.happens(.read(.news(total, origin: Reporter(.file))))
        }
        let said = walk.said.dropFirst(before)
        #expect(said.map { $0.prefix(19) } == ["2026-03-01: 250,000", "2026-02-27: 250,000"])
        #expect(said.allSatisfy { $0.contains("pulselog health TOTAL --anyway") })
        try await walk.happens(.read(.healthTotal(9_000, date: nil, origin: Reporter(.file))))
        #expect(walk.said.count == before + 2)
    }

    @Test("ends when another process ends the session")
    func elsewhere() async throws {
        var walk = try await Walk.begun()
        let before = try walk.log.next
        let other = Appender(walk.log, machine: machine)
        _ = try await other.record([Input(.end(), at: walk.now)])
        try await walk.appender.catchUp()
        let events = try walk.log.events(in: before..<walk.log.next)
        try await walk.happens(.recorded(await walk.appender.state, events))
        #expect(walk.isFinished)
    }

    @Test(
        "wants positions before and during a session, but not in a pause",
        arguments: [SessionPlan.Source.simulation, .central(strap: nil)])
    func positions(source: SessionPlan.Source) async throws {
        var walk = try await Walk.begun(SessionPlan(source: source, begins: .whenAsked))
        #expect(walk.life.phase == .settingUp && walk.wish.positions)
        try await walk.happens(.asked(.begin))
        #expect(walk.wish.positions)
        try await walk.happens(.asked(.command(.pause)))
        #expect(!walk.wish.positions)
        try await walk.happens(.asked(.command(.resume)))
        #expect(walk.wish.positions)
        try await walk.happens(.asked(.command(.end())))
        #expect(!walk.wish.positions)
    }

    @Test("shows no reception before a source of positions speaks, and then what it tells")
    func reception() async throws {
        var walk = try await Walk.begun()
        #expect(Scene(walk.life).position == nil)
        try await walk.happens(.receptionTold(satellites: nil))
        #expect(Scene(walk.life).position?.quality == PositionStatus.Quality.none)
        try await walk.happens(.receptionTold(satellites: 3))
        #expect(Scene(walk.life).position?.satellites == 3)
        let fix = PositionFixed(latitudeE7: 1, longitudeE7: 2, satellites: 4)
        try await walk.happens(.read(.record(.positionFixed(fix))))
        #expect(Scene(walk.life).position?.quality == .weak)
        #expect(Scene(walk.life).position?.fix == fix)
        #expect(Scene(walk.life).position?.satellites == 3, "what is told last")
        try await walk.pass(10)
        #expect(Scene(walk.life).position?.quality == .weak)
        try await walk.pass(1)
        #expect(Scene(walk.life).position?.quality == PositionStatus.Quality.none)
        #expect(Scene(walk.life).position?.fix == nil)
    }
}
