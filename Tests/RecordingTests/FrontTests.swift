import DaemonModel
import Deciding
import EventStore
import Events
import Projections
import Recording
import Sensors
import TestSupport
import Testing

@testable import FakeStrap

/// What a front needs of the recorder, and nothing else: no terminal, no store, no command line.
@Suite("A front", .timeLimit(.minutes(5)))
struct FrontTests {
    /// A front that remembers the last scene and all that came with the ones before.
    private final class Front {
        private let feed: SceneFeed
        private var wakes: AsyncStream<Void>.Iterator
        private(set) var scene: Scene?
        private(set) var events: [RecordedEvent] = []
        private(set) var sentences: [String] = []

        init(_ hub: SceneHub) {
            feed = hub.subscribe()
            wakes = feed.wakes.makeAsyncIterator()
        }

        /// Looks at scenes until one is as it should be; nil if the recording ends before.
        @discardableResult
        func scene(where isAwaited: (Scene) -> Bool) async -> Scene? {
            while await wakes.next(isolation: #isolation) != nil {
                guard let next = feed.take() else { continue }
                scene = next
                events += next.events
                for case .said(let sentence) in next.news { sentences.append(sentence) }
                if isAwaited(next) { return next }
            }
            return nil
        }
    }

    @Test("sets up, pairs, records, pauses, resumes and ends a walk from a strap")
    func walk() async throws {
        let scenario = try Scenario(
            json: Array(
                #"""
                {"devices":[{"name":"Strap One","address":"C4:00:00:00:00:01","play":[
                    {"wait":"subscribed"},{"sleep":0.5},{"stream":"hr","for":600,"rate":10}]}]}
                """#.utf8))
        let bus = try PrivateBus()
        let playback = try await Playback(scenario, on: bus.address) { _ in }
        let log = InMemoryEventLog()
        let appender = Appender(log, machine: machine)
        let hub = SceneHub()
        let recorder = Recorder(
            appender, log: log, plan: SessionPlan(begins: .withHeartRate), machine: machine,
            sensors: [BluetoothSensor(address: bus.address)], hub: hub)
        let front = Front(hub)
        let recording = Task { await recorder.run() }
        let ticking = Task {
            while !Task.isCancelled {
                recorder.note(.ticked(awaitedWriter: nil))
                try await Task.sleep(for: .milliseconds(200))
            }
        }

        await front.scene { $0.phase == .settingUp }
        let goal = Goal(kind: .steps, target: 3_000)
        recorder.note(.asked(.choose(goal, outAndBack: false)))
        await front.scene { $0.goal == goal }

        let begun = try #require(await front.scene { $0.session != nil })
        #expect(begun.report?.goal == goal)
        #expect(begun.strap.name == "Strap One" && begun.strap.heartRateBPM != nil)
        #expect(front.sentences.contains { $0.hasPrefix("Paired Strap One; it is primary.") })
        #expect(begun.state.own.devices.primary(.heart)?.address == 0xC400_0000_0001)

        guard case .recorded = await recorder.ask(.command(.pause)) else {
            throw ProgramError("the pause was not taken")
        }
        await front.scene { $0.report?.state == .paused }
        #expect(await recorder.ask(.command(.pause)) == .refused(Refusal(.alreadyPaused)))
        _ = await recorder.ask(.command(.resume))
        let values = front.scene?.report?.heartRate.samples ?? 0
        await front.scene { $0.report?.heartRate.samples ?? 0 > values }
        recorder.note(.asked(.command(.end())))
        await front.scene { $0.phase == .ended(.done) }

        #expect(await recording.value == .done)
        ticking.cancel()
        #expect(
            await recorder.ask(.command(.pause)) == nil, "a recording that is over answers as well")
        #expect(front.scene?.report?.state == .ended)
        // Everything that is in the log was shown, in order, once.
        #expect(try front.events == log.events(in: 0..<log.next))
        await playback.close()
        try bus.close()
    }
}
