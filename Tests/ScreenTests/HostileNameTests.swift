import Events
import Projections
@testable import Recording
@testable import Terminal
import TestSupport
import Testing
import Text
@testable import Words

/// A device's name is data from a stranger: wherever it is shown it is one harmless piece of a
/// line.
@Suite("Hostile names on a screen")
struct HostileNameTests {
    static let address = "C4:00:00:00:00:01"

    @Test("become one harmless piece of a line, and end no quotes", arguments: HostileNames.all)
    func printing(_ name: String) {
        for limit in [1, 8, 24, 64] {
            let text = printable(name, limit: limit)
            #expect(columns(of: text) <= limit + 1)
            #expect(HostileNames.isHarmless(text), "\(text)")
            #expect(text.unicodeScalars.count <= 3 * limit + 1)
            let inner = String(quoted(name, limit: limit).dropFirst().dropLast())
            #expect(HostileNames.isHarmless(inner) && !inner.contains { "“”\"״″❞〞".contains($0) })
        }
    }

    @Test("give way to the address where there is none")
    func missing() {
        for name in [nil, ""] { #expect(deviceTitle(name, Story.strap) == Self.address) }
        #expect(deviceTitle("Strap One", Story.strap) == "Strap One")
    }

    @Test("leave good names alone")
    func goodNames() {
        for name in ["Polar H10 1A2B", "Zoë’s strap", "心拍計", "Cafe\u{301}", "❤ 🏃", "ремень"] {
            #expect(printable(name) == name)
        }
    }

    @Test(
        "act nowhere in a view, a status, a line of the log or a list", arguments: HostileNames.all)
    func views(_ name: String) throws {
        var story = Story()
        try story.pair(name)
        try story.add(.deviceSeen(DeviceSeen(device: Story.strap, name: name, roles: .heart)))
        try story.add(.sessionStarted(SessionStarted()))
        let session = story.state.head
        try story.add(.linkUp(LinkUp(device: Story.strap, attempt: 1)))
        try story.notify(.heartRateMeasurement, [0x06, 72])
        try story.notify(.manufacturerName, Array(name.utf8))
        try story.add(.linkLost(LinkLost(device: Story.strap, reason: name)))
        let strap = StrapStatus(story.state, at: story.moment, CentralAttempts())
        let scene = Scene(
            phase: .ended(.done), state: story.state, session: session, moment: story.moment,
            strap: strap)
        let status = StatusReport(
            Scene(seeing: story.state, isRecording: true, hasCentral: true, at: story.moment))
        let lines =
            Self.screen(scene) + story.events.map(\.event.words)
            + status.text.split(separator: "\n").map(String.init)
            + [strap.title ?? ""]
        for line in lines {
            #expect(HostileNames.isHarmless(line), "\(line)")
            #expect(columns(of: line) <= 300)
        }
        for line in Self.screen(scene) { #expect(columns(of: line) <= 80) }
    }

    private static func screen(_ scene: Scene) -> [String] {
        var front = WalkFront(storeDirectory: "/store")
        front.show(scene)
        let look = Look(isColored: false, hasUnicode: true, beats: false)
        return front.lines(at: 0, size: (80, 24), look: look)
    }
}
