import DBus
import TestSupport
import Testing

@testable import FakeStrap

@Suite("Two adapters", .timeLimit(.minutes(5)))
struct AdapterTests {
    private static let second = "/org/bluez/hci1"
    private static let secondStrap = second + "/dev_C4_00_00_00_00_01"

    private static func theatre() async throws -> Theatre {
        let scenario = Scenario(
            straps: [.heart], parts: [],
            adapters: [Controller(index: 0), Controller(index: 1)])
        return try await Theatre(scenario)
    }

    @Test("hear the same strap, each under a path of its own")
    func paths() async throws {
        let theatre = try await Self.theatre()
        let client = try await theatre.client()
        for adapter in [Name.adapter, Self.second] {
            try await client.call(adapter, Name.adapter1, "StartDiscovery")
        }
        let strap = await client.hear(beginning: "added dev_C4_00_00_00_00_01 Device1")
        #expect(await client.hear(beginning: "added dev_C4") == strap)
        #expect(
            try await client.objects() == [Name.adapter, Name.strap, Self.second, Self.secondStrap])
        let addresses = try await [Name.adapter, Self.second].asyncMap {
            try await client.call(
                $0, Name.properties, "Get", .string(Name.adapter1), .string("Address")
            ).first?.asString
        }
        #expect(addresses == ["00:AA:01:00:00:42", "00:AA:01:00:00:43"])
        let owner = try await client.call(
            Self.secondStrap, Name.properties, "Get", .string(Name.device1), .string("Adapter"))
        #expect(owner.first?.asObjectPath == Self.second)
        try await theatre.close()
    }

    @Test("share its one link: who comes second waits until it is free")
    func link() async throws {
        let theatre = try await Self.theatre()
        let client = try await theatre.client()
        try await client.call(Self.second, Name.adapter1, "StartDiscovery")
        await client.hear("added dev_C4_00_00_00_00_01 Device1")
        try await client.call(Self.second, Name.adapter1, "StopDiscovery")
        try await client.reach()
        client.begin(Self.secondStrap, Name.device1, "Connect")
        try await theatre.advance(milliseconds: 1_000)
        #expect(client.lines.filter { $0 == "answer Connect" }.count == 1)
        try await client.call(Name.strap, Name.device1, "Disconnect")
        await client.hear("changed dev_C4_00_00_00_00_01 ServicesResolved=false Connected=false")
        await client.hear("answer Connect")
        await client.hear("added dev_C4_00_00_00_00_01 Battery1")
        // Values come over the second adapter, to whoever is subscribed there.
        let path = Self.secondStrap + "/service000a/char000b"
        try await client.call(path, Name.characteristic1, "StartNotify")
        try await theatre.notify([0, 60])
        await client.hear("changed char000b Value=003c")
        #expect(theatre.reports.elements == ["sent 2a37 003c 1"])
        try await theatre.close()
    }

    @Test("are switched off and pulled out one by one")
    func power() async throws {
        let theatre = try await Self.theatre()
        let client = try await theatre.client()
        try await client.reach()
        try await theatre.act(.power(false, adapter: 1))
        await client.hear("changed hci1 Powered=false Discovering=false")
        #expect(
            try await client.refusal(Self.second, Name.adapter1, "StartDiscovery")
                == "org.bluez.Error.NotReady: Resource Not Ready")
        try await client.subscribe()
        try await theatre.notify([0, 60])
        await client.hear("changed char000b Value=003c")
        try await theatre.act(.plug(false, adapter: 0))
        await client.hear("removed hci0 Adapter1")
        #expect(try await client.objects() == [Self.second])
        try await theatre.act(.power(true, adapter: 1))
        await client.hear("changed hci1 Powered=true")
        try await client.call(Self.second, Name.adapter1, "StartDiscovery")
        await client.hear("added dev_C4_00_00_00_00_01 Device1")
        try await theatre.close()
    }

    @Test("may be unable to be a central, or be off from the begin")
    func roles() async throws {
        var first = Controller()
        first.isPowered = false
        first.roles = ["peripheral"]
        let theatre = try await Theatre(
            Scenario(straps: [], parts: [], adapters: [first, Controller(index: 1)]))
        let client = try await theatre.client()
        let all = try await client.call(
            Name.adapter, Name.properties, "GetAll", .string(Name.adapter1)
        ).first
        #expect(all?["Powered"]?.asBoolean == false)
        #expect(all?["Roles"]?.asStrings == ["peripheral"])
        try await theatre.close()
    }
}

extension Array {
    /// The results of asking one element after the other.
    fileprivate func asyncMap<Output>(
        _ transform: (Element) async throws -> Output
    ) async rethrows -> [Output] {
        var outputs: [Output] = []
        for element in self { outputs.append(try await transform(element)) }
        return outputs
    }
}
