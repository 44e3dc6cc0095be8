import ArgumentParser
import Events
import Projections
import Recording
import TestSupport
import Testing

@testable import PulselogCLI

/// What a broker is told; `Tests/Foreign/check_mqtt` holds the discovery against Home Assistant's.
@Suite("What a broker is told")
struct WalkTopicsTests {
    /// What stands below the prefix.
    private func states(_ story: Story) -> [String: String] {
        let scene = Scene(
            seeing: story.state, isRecording: true, hasCentral: true, at: story.moment)
        let all = WalkTopics(prefix: "a/b", hasButtons: false).messages(scene)
        let own = all.filter { $0.topic.hasPrefix("a/b/") }
        return Dictionary(
            uniqueKeysWithValues: own.map { (String($0.topic.dropFirst(4)), $0.payload) })
    }

    @Test("is the walk; what is held stays, and what is lost or paused is unknown")
    func walk() throws {
        var story = Story()
        try story.add(.profileChanged(Profile(dailyGoalSteps: 8_000)))
        try story.add(
            .recorderStarted(
                RecorderStarted(programVersion: "1", zoneOffsetMinutes: 60, zoneName: "CET")))
        try story.pair("Strap One")
        try story.add(.sessionStarted(SessionStarted()))
        try story.add(.linkUp(LinkUp(device: Story.strap, attempt: 1)))
        try story.notify(.batteryLevel, [87])
        story.now += 1_000
        try story.notify(.heartRateMeasurement, [0x06, 146])
        let told = states(story)
        let expected = [
            "heart_rate": "146", "zone": "vigorous", "steps_today": "None", "daily_goal": "8000",
            "distance": "None", "walk": "recording", "strap_battery": "87",
            "availability": "online",
        ]
        #expect(told == expected)
        try story.add(.linkLost(LinkLost(device: Story.strap)))
        story.now += 5_000
        #expect(states(story) == told, "held")
        story.now += 60_000
        let lost = ["heart_rate": "None", "zone": "None", "strap_battery": "None"]
        #expect(states(story) == told.merging(lost) { $1 })
        try story.add(.sessionPaused(SessionPaused()))
        #expect(states(story)["walk"] == "paused")
    }

    @Test(
        "needs a broker that makes sense",
        arguments: [
            "--prefix=#", "--prefix=", "--port=70000", "--ca=ca.pem", "--password-file=/p",
        ])
    func refuses(option: String) throws {
        _ = try BrokerOptions.parse(["--host=a"])
        #expect(throws: (any Error).self) { try BrokerOptions.parse(["--host=a", option]) }
    }
}
