import DBus
import TestSupport
import Testing

@testable import FakeStrap

@Suite("Mischief", .timeLimit(.minutes(5)))
struct MischiefTests {
    private static let device = "dev_C4_00_00_00_00_01"

    @Test(
        "every ill-made signal goes out, and a good value after it",
        arguments: Malformation.allCases)
    func malformed(_ malformation: Malformation) async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        try await client.subscribe()
        try await theatre.act(
            .malform(strap: 0, .heartRateMeasurement, malformation, sizeBytes: 513))
        try await theatre.notify([0, 60])
        let lines = await client.hear("changed char000b Value=003c")
        #expect(lines.count == 1)
        #expect(theatre.reports.elements == ["sent 2a37 003c 1"])
        try await theatre.close()
    }

    @Test("a value of 16 MiB is sent, and dropped by those who have limits")
    func oversized() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        try await client.subscribe()
        try await theatre.act(
            .malform(
                strap: 0, .heartRateMeasurement, .valueOversized,
                sizeBytes: Malformation.mostBytes))
        try await theatre.notify([0, 60])
        #expect(await client.hear("changed char000b Value=003c").isEmpty)
        let dropped = try await client.bus.perform { (connection) throws(DBusError) in
            connection.droppedMessageCount
        }
        #expect(dropped == 1)
        try await theatre.close()
    }

    @Test("a stranger's claims reach only those who do not look at the sender")
    func broadcast() async throws {
        let theatre = try await Theatre()
        let careful = try await theatre.client()
        let careless = try await theatre.client()
        try await careless.bus.call(.addMatch("type='signal'"))
        try await careful.reach()
        try await careful.subscribe()
        for claim in [Scenario.Spoof.Claim.value(.heartRateMeasurement, [0, 255]), .drop] {
            try await theatre.act(.spoof(strap: 0, Scenario.Spoof(claim: claim, isDirect: false)))
        }
        try await theatre.playback.flush()
        try await theatre.notify([0, 60])
        #expect(await careful.hear("changed char000b Value=003c").isEmpty)
        let heard = await careless.hear("changed char000b Value=003c")
        #expect(heard.contains("changed char000b Value=00ff"))
        #expect(heard.contains("changed \(Self.device) ServicesResolved=false Connected=false"))
        // It was not so.
        #expect(try await careful.refusal(Name.strap, Name.device1, "Connect") == "done")
        #expect(theatre.reports.elements == ["sent 2a37 003c 1"])
        try await theatre.close()
    }

    @Test("a stranger's claims to one program pass its match rules")
    func direct() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        let other = try await theatre.client()
        try await client.reach()
        try await client.subscribe()
        try await theatre.act(
            .spoof(
                strap: 0,
                Scenario.Spoof(claim: .value(.heartRateMeasurement, [0, 255]), isDirect: true)))
        try await theatre.playback.flush()
        try await theatre.notify([0, 60])
        #expect(
            await client.hear("changed char000b Value=003c") == ["changed char000b Value=00ff"])
        await other.hear("changed char000b Value=003c")
        #expect(!other.lines.contains("changed char000b Value=00ff"))
        try await theatre.close()
    }

    @Test("two thousand values a second arrive, all and in order")
    func storm() async throws {
        let text = """
            {"devices": [{"address": "C4:00:00:00:00:01", "services": ["hr", "battery"], "play": [
              {"wait": "subscribed"}, {"stream": "counter", "for": 2, "rate": 2000},
              {"notify": "2A37", "hex": "01"}]}]}
            """
        let theatre = try await Theatre(try Scenario(json: Array(text.utf8)), speed: 4)
        let client = try await theatre.client()
        try await client.reach()
        try await client.subscribe()
        await client.hear("changed char000b Value=01")
        let values = client.lines.filter { $0.hasPrefix("changed char000b Value=00") }
        let expected = (0..<4_000).map {
            "changed char000b Value=" + hex([0, UInt8($0 % 200 + 1)])
        }
        #expect(values == expected)
        try await theatre.close()
    }

    @Test("the next call can be answered with nonsense, or never")
    func replies() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        try await theatre.act(
            .reply(.nonsense, to: "ReadValue"), .reply(.silence, to: "StartNotify"))
        let nonsense = try await client.call(
            Name.battery, Name.characteristic1, "ReadValue", .properties([]))
        #expect(nonsense.count == 2)
        #expect(nonsense.first?.asByteArray == nil)
        client.begin(Name.measurement, Name.characteristic1, "StartNotify")
        let value = try await client.call(
            Name.battery, Name.characteristic1, "ReadValue", .properties([]))
        #expect(value == [.byteArray([87])])
        #expect(!client.lines.contains("answer StartNotify"))
        try await client.subscribe()
        try await theatre.close()
    }

    @Test("names of up to 248 bytes come through as they are")
    func names() async throws {
        let pieces = [
            "\u{1B}[2J", "\r\n\t\u{7}", "\u{202E}", "<script>", "=cmd|' /C'!A0", "\u{9B}", "💓",
        ]
        let name = String(repeating: pieces.joined(), count: 5)
        var strap = Strap.heart
        strap.name = name
        let theatre = try await Theatre(Scenario(straps: [strap], parts: []))
        let client = try await theatre.client()
        try await client.reach()
        let heard = try await client.call(
            Name.strap, Name.properties, "Get", .string(Name.device1), .string("Name"))
        #expect(heard.first?.asString == name)
        try await theatre.act(.setName(strap: 0, pieces[0]))
        await client.hear("changed \(Self.device) Name=\(pieces[0]) Alias=\(pieces[0])")
        try await theatre.act(.setName(strap: 0, nil))
        await client.hear("changed \(Self.device) Alias=C4-00-00-00-00-01 !Name")
        try await theatre.close()
    }

    @Test(
        "names beyond that are refused",
        arguments: ["a\\u0000b", String(repeating: "é", count: 125)])
    func longNames(_ name: String) {
        let text = #"{"devices": [{"address": "C4:00:00:00:00:01", "name": "\#(name)"}]}"#
        #expect(throws: ScenarioError.self) { try Scenario(json: Array(text.utf8)) }
    }
}
