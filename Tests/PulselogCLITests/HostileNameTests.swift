import Events
import Foundation
import Projections
import TestSupport
import Testing

@testable import Words

@testable import PulselogCLI
@testable import Recording
@testable import Terminal
import Text

/// A device's name is data from a stranger: wherever it is shown it is one harmless
/// piece of a line, and in JSON it is what the stranger said.
@Suite("Hostile names")
struct HostileNameTests {
    static let address = "C4:00:00:00:00:01"

    /// Names of at most 248 bytes, as the Bluetooth specification allows them.
    static let names = [
        String(repeating: "\u{1B}[2J\u{1B}]0;owned\u{7}", count: 16),
        "line\nbreak\r\u{2028}\u{2029}\u{85}end\t\u{B}\u{C}",
        "\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}\u{200F}evil",
        "<script>alert('x')</script>&amp;\"",
        "=cmd|' /C calc'!A0",
        "\u{200B}\u{200C}\u{200D}\u{FEFF}\u{AD}zero",
        "\u{E000}\u{F8FF}private",
        "\u{301}\u{301}lone a" + String(repeating: "\u{301}", count: 100),
        "\u{9B}31m\u{90}C1\u{9C}",
        String(repeating: "心", count: 82),
        String(repeating: "x", count: 248),
        "\u{0}nul\u{7F}",
        "{\"a\":\"\\u001b\"}\\",
    ]

    // MARK: - As text

    @Test("become one harmless piece of a line", arguments: names)
    func printing(_ name: String) {
        for limit in [1, 8, 24, 64] {
            let text = printable(name, limit: limit)
            #expect(columns(of: text) <= limit + 1)
            #expect(Self.isHarmless(text), "\(text)")
            #expect(text.unicodeScalars.count <= 3 * limit + 1)
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

    /// Whether a line holds nothing that a terminal obeys, and no mark without its character.
    static func isHarmless(_ line: String) -> Bool {
        var marks = 2
        for scalar in line.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                return false
            case .nonspacingMark, .enclosingMark, .spacingMark: marks += 1
            default: marks = 0
            }
            if marks > 2 { return false }
        }
        return true
    }

    @Test("act nowhere in a view, a status, a line of the log or a list", arguments: names)
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
            #expect(Self.isHarmless(line), "\(line)")
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

    // MARK: - As programs

    @Test("are harmless in what every command writes, and whole in JSON and in the log")
    func commands() async throws {
        let bench = try Workbench()
        let devices = Self.names.enumerated().map { index, name in
            let number = String(index + 16, radix: 16).uppercased()
            return [
                "id": "d\(index)", "name": name, "address": "C4:00:00:00:00:\(number)",
                "services": ["hr", "battery"],
            ]
        }
        let scenario = try JSONSerialization.data(withJSONObject: ["devices": devices])
        // The name stands in a D-Bus string, which holds no NUL.
        let text = String(decoding: scenario, as: UTF8.self).replacing("\\u0000", with: "")
        let names = Self.names.map { $0.replacing("\u{0}", with: "") }
        try await bench.playing(scenario: text) { strap in
            let scan = try await bench.run("scan", "--seconds", "1", variables: strap.variables)
            #expect(scan.lines.count == 1 + names.count)
            expectHarmless(scan.text)
            #expect(scan.lines.allSatisfy { columns(of: $0) < 80 })
            let json = try await bench.run(
                "scan", "--seconds", "1", "--json", variables: strap.variables)
            #expect(Set(try json.lines.map { try Line($0).text("name") }) == Set(names))
            expectHarmless(json.text)
            for index in [0, 2, 7, 8] {
                let address = "C4:00:00:00:00:\(String(index + 16, radix: 16).uppercased())"
                let pair = try await bench.run(
                    "devices", "pair", address, variables: strap.variables)
                #expect(pair.status == 0, "\(pair.messages)")
                expectHarmless(pair.text)
            }
            let record = try await bench.run("record", "--for", "1s", variables: strap.variables)
            #expect(record.status == 0, "\(record.messages)")
            expectHarmless(record.text)
            expectHarmless(record.messages)
            for command in ["devices", "status", "doctor", "sessions", "sessions show", "log cat"] {
                for json in [[], ["--json"]] {
                    let arguments = command.split(separator: " ").map(String.init) + json
                    let end = try await bench.start(arguments, strap.variables).end
                    #expect(end.status == 0, "\(arguments): \(end.messages)")
                    expectHarmless(end.text)
                    expectHarmless(end.messages)
                    for line in end.lines where !json.isEmpty { _ = try Line(line) }
                }
            }
            let list = try await bench.run("devices", "--json")
            let paired = try list.lines.map { try Line($0).text("name") }
            #expect(paired == [0, 2, 7, 8].map { names[$0] })
        }
    }

    private func expectHarmless(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            #expect(Self.isHarmless(String(line)) || line.hasPrefix("{"), "\(line)")
            #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x9B })
        }
    }
}
