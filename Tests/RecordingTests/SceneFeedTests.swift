import Deciding
import Events
import Projections
import TestSupport
import Testing

@testable import Recording

@Suite("A feed of scenes")
struct SceneFeedTests {
    private func scene(_ positions: Range<UInt64>, said: [String] = []) -> Scene {
        var scene = Scene(
            phase: .starting, state: LogState(), session: nil,
            moment: arrival(after: positions.lowerBound).moment(bootNumber: 0),
            strap: StrapStatus(LogState(), at: arrival(after: 0).moment(bootNumber: 0), nil))
        scene.events = positions.map { position in
            let event = Event.sessionMarked(SessionMarked())
            return RecordedEvent(event, at: position, scene.moment.stamp)
        }
        scene.news = said.map { .said($0) }
        return scene
    }

    @Test("gives a slow front the newest scene, with all events and sentences since")
    func slow() {
        let feed = SceneFeed()
        feed.put(scene(0..<2, said: ["a"]))
        feed.put(scene(2..<5))
        feed.put(scene(5..<6, said: ["b"]))
        let taken = feed.take()
        #expect(taken?.events.map(\.header.position) == [0, 1, 2, 3, 4, 5])
        #expect(taken?.news == [.said("a"), .said("b")])
        #expect(taken?.moment == arrival(after: 5).moment(bootNumber: 0))
        #expect(taken?.omitted == 0)
        #expect(feed.take()?.events == nil)
    }

    @Test("keeps the newest, and counts what found no room")
    func bounded() {
        let feed = SceneFeed()
        let limit = UInt64(SceneFeed.limit)
        feed.put(scene(0..<limit))
        feed.put(scene(limit..<limit + 3))
        feed.put(scene(limit + 3..<limit + 7))
        let taken = feed.take()
        #expect(taken?.events.count == SceneFeed.limit)
        #expect(taken?.events.first?.header.position == 7)
        #expect(taken?.omitted == 7)
    }
}
