import Deciding
import EventStore
import Events
import JSON
import Projections
import Testing
import Text
import Words

@testable import Recording

@Suite("A heart rate that is not durable yet")
struct UnsavedHeartRateTests {
    /// A life whose inputs are kept until they are committed.
    private struct Walk {
        var life: RecordingLife
        let appender: Appender
        let log = InMemoryEventLog()
        private(set) var kept: [Input] = []
        private(set) var said: [String] = []

        init(intervalMilliseconds: UInt64?) async throws {
            life = RecordingLife(
                SessionPlan(source: .simulation, commitIntervalMilliseconds: intervalMilliseconds),
                machine: machine)
            appender = Appender(log, machine: machine)
            happens(.began(await appender.state), after: 0)
            try await commit(after: 0)
        }

        mutating func happens(_ happening: Happening, after milliseconds: UInt64) {
            for action in life.handle(happening, at: arrival(after: milliseconds)) {
                if case .append(let input, _) = action { kept.append(input) }
                if case .say(let sentence) = action { said.append(sentence) }
            }
        }

        mutating func commit(after milliseconds: UInt64) async throws {
            let before = try log.next
            _ = try await appender.record(kept)
            kept = []
            let events = try log.events(in: before..<log.next)
            happens(.recorded(await appender.state, events), after: milliseconds)
        }

        mutating func beat(_ bpm: UInt16, after milliseconds: UInt64) {
            happens(.read(reading(bpm).command), after: milliseconds)
        }

        var samples: UInt64? { Scene(life).report?.heartRate.samples }
    }

    @Test("is shown as such, and is part of no total before it is durable")
    func provisional() async throws {
        var walk = try await Walk(intervalMilliseconds: 5_000)
        let warning = "Readings are saved every 5 s; a power cut may lose up to 5 s of them."
        #expect(walk.said == [warning])
        walk.beat(70, after: 1_000)
        try await walk.commit(after: 1_001)
        #expect(walk.life.strap.heartRateBPM == 70 && !walk.life.strap.isProvisional)
        for number in 1...4 as ClosedRange<UInt16> {
            walk.beat(70 + number, after: 1_000 + UInt64(number) * 1_000)
            let scene = Scene(walk.life)
            #expect(scene.strap.heartRateBPM == 70 + number && scene.strap.isProvisional)
            #expect(scene.strap.ageMilliseconds == 0 && !scene.strap.isSilent)
            #expect(walk.samples == 1)
        }
        let json = String(decoding: StatusReport(Scene(walk.life)).jsonLine, as: UTF8.self)
        #expect(json.contains(#""bpm":74,"provisional":true"#))
        #expect(json.contains(#""commitIntervalMilliseconds":5000"#))
        #expect(StatusReport(Scene(walk.life)).text.contains("74 BPM (not saved yet)"))
        try await walk.commit(after: 5_001)
        #expect(walk.life.strap.heartRateBPM == 74 && !walk.life.strap.isProvisional)
        #expect(walk.samples == 5)
    }

    @Test("is none where nothing is kept")
    func none() async throws {
        var walk = try await Walk(intervalMilliseconds: nil)
        #expect(walk.said == [])
        walk.beat(70, after: 1_000)
        try await walk.commit(after: 1_001)
        walk.beat(90, after: 2_000)
        #expect(walk.life.strap.heartRateBPM == 70 && !walk.life.strap.isProvisional)
        let status = StatusReport(Scene(walk.life))
        let json = String(decoding: status.jsonLine, as: UTF8.self)
        #expect(json.contains(#""commitIntervalMilliseconds":null"#))
        #expect(!status.text.contains("Saved"))
    }

    @Test("is shown no longer than a durable one, however long it is kept")
    func age() async throws {
        var walk = try await Walk(intervalMilliseconds: 60_000)
        walk.beat(70, after: 1_000)
        try await walk.commit(after: 1_001)
        walk.beat(80, after: 8_000)
        walk.happens(.woke, after: 13_000)
        #expect(walk.life.strap.heartRateBPM == 80 && !walk.life.strap.isSilent)
        walk.happens(.woke, after: 13_001)
        #expect(walk.life.strap.isSilent)
        walk.happens(.woke, after: 18_001)
        #expect(walk.life.strap.heartRateBPM == nil && !walk.life.strap.isProvisional)
    }

    @Test("is what another process does not miss before it must be durable")
    func kept() async throws {
        var walk = try await Walk(intervalMilliseconds: nil)
        walk.beat(70, after: 1_000)
        try await walk.commit(after: 1_001)
        let state = walk.life.state
        for (milliseconds, isSilent) in [
            (6_001, false), (11_000, false), (11_001, true),
        ] as [(UInt64, Bool)] {
            let moment = arrival(after: milliseconds).moment(bootNumber: 1, isSimulated: true)
            #expect(
                StrapStatus(state, at: moment, nil, keptMilliseconds: 5_000).isSilent == isSilent)
            #expect(StrapStatus(state, at: moment, nil).isSilent)
        }
    }
}
