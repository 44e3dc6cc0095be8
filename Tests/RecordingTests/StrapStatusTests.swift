import BluetoothCentral
import Events
import Projections
import TestSupport
import Testing

@testable import Recording

/// What stands beside the heart, before a session and during it.
@Suite("Strap status")
struct StrapStatusTests {
    static let address = BluetoothAddress(Story.strap.address)

    private func word(
        _ story: Story, _ attempts: CentralAttempts? = CentralAttempts()
    ) -> StrapStatus.Word {
        StrapStatus(story.state, at: story.moment, attempts).word
    }

    @Test("goes from scanning to connected; the grace hides a loss, then it reconnects")
    func course() throws {
        var story = Story()
        var attempts = CentralAttempts()
        #expect(word(story, attempts) == .scanning)
        try story.pair("Strap One")
        #expect(word(story, attempts) == .scanning)
        let sighting = DeviceSighting(address: Self.address)
        attempts.hear(.connecting(sighting, attempt: 1), at: 0)
        #expect(word(story, attempts) == .connecting)
        attempts.hear(.linkUp(sighting), at: 0)
        #expect(word(story, attempts) == .connecting, "it is not in the log yet")
        try story.add(.linkUp(LinkUp(device: Story.strap, attempt: 1)))
        #expect(word(story, attempts) == .connected)
        for bpm: UInt8 in [71, 72] { try story.notify(.heartRateMeasurement, [0x06, bpm]) }
        story.now += Rules().silenceMilliseconds + 1
        #expect(StrapStatus(story.state, at: story.moment, attempts).isSilent)
        attempts.hear(.linkDown(Self.address), at: 0)
        #expect(word(story, attempts) == .connected)
        #expect(!StrapStatus(story.state, at: story.moment, attempts).isSilent)
        try story.add(.linkLost(LinkLost(device: Story.strap)))
        attempts.hear(.connecting(sighting, attempt: 1), at: 0)
        story.now += 10_000
        #expect(word(story, attempts) == .connected)
        story.now += 1
        #expect(word(story, attempts) == .reconnecting)
        #expect(word(story, nil) == .disconnected)
    }

    @Test("is idle while a session without a strap is paused")
    func idle() throws {
        var story = Story()
        try story.add(.sessionStarted(SessionStarted()))
        #expect(word(story) == .scanning)
        try story.add(.sessionPaused(SessionPaused()))
        #expect(word(story) == .idle)
        try story.add(.sessionResumed(SessionResumed()))
        #expect(word(story) == .scanning)
    }

    /// States of the adapter, and the word that each makes.
    static let adapters: [(AdapterState, StrapStatus.Word)] = [
        (.unknown, .scanning), (.poweredOn, .scanning), (.poweredOff, .bluetoothOff),
        (.resetting, .bluetoothAway), (.unsupported, .noAdapter), (.unauthorized, .denied),
    ]

    @Test("says what the adapter hinders", arguments: adapters)
    func adapter(state: AdapterState, expected: StrapStatus.Word) throws {
        var story = Story()
        try story.pair("Strap One")
        try story.add(.adapterStateChanged(AdapterStateChanged(state: state)))
        #expect(word(story) == expected)
    }

    /// The line of the strap in a status.
    private func line(
        _ story: Story, isRecording: Bool = true, hasCentral: Bool? = nil
    ) -> String? {
        let scene = Scene(
            seeing: story.state, isRecording: isRecording, hasCentral: hasCentral ?? isRecording,
            at: story.moment)
        return StatusReport(scene).text.split(separator: "\n").first.map(String.init)
    }

    @Test("is told by status from the log alone, with the recorder's activity while one runs")
    func status() throws {
        var story = Story()
        let started = Event.recorderStarted(
            RecorderStarted(programVersion: "1", zoneOffsetMinutes: 0, zoneName: "UTC"))
        func lose() throws {
            try story.add(.linkUp(LinkUp(device: Story.strap, attempt: 1)))
            try story.add(.linkLost(LinkLost(device: Story.strap)))
            story.now += 20_000
        }
        try story.add(started)
        #expect(line(story) == "Strap    scanning")
        #expect(line(story, isRecording: false)?.contains("pulselog scan") == true)
        try story.pair("Strap One")
        #expect(line(story) == "Strap    Strap One, scanning")
        try lose()
        #expect(line(story) == "Strap    Strap One, reconnecting")
        // Nothing is attempted without a recorder, nor by one without Bluetooth.
        #expect(line(story, isRecording: false) == "Strap    Strap One, not connected")
        #expect(line(story, hasCentral: false) == "Strap    Strap One, not connected")
        // The first connection of a recorder is no reconnection.
        try story.add(started)
        story.now += 1_000
        #expect(line(story) == "Strap    Strap One, scanning")
        try lose()
        #expect(line(story) == "Strap    Strap One, reconnecting")
        try story.add(.adapterStateChanged(AdapterStateChanged(state: .poweredOff)))
        #expect(line(story) == "Strap    Strap One, Bluetooth is off")
    }

    @Test("tells its JSON again only if more than the heart rate has changed")
    func likeness() throws {
        var story = Story()
        try story.pair("Strap One")
        try story.add(.linkUp(LinkUp(device: Story.strap, attempt: 1)))
        try story.notify(.heartRateMeasurement, [0x06, 72])
        let before = StrapStatus(story.state, at: story.moment, nil)
        try story.notify(.heartRateMeasurement, [0x06, 73])
        #expect(StrapStatus(story.state, at: story.moment, nil).isLike(before))
        try story.notify(.batteryLevel, [50])
        #expect(!StrapStatus(story.state, at: story.moment, nil).isLike(before))
    }
}
