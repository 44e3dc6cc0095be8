import DBus
import Testing

@testable import FakeStrap

@Suite("Straps that want pairing", .timeLimit(.minutes(5)))
struct PairingTests {
    private static let device = "dev_C4_00_00_00_00_01"
    private static let registry = "/org/bluez"
    private static let manager1 = "org.bluez.AgentManager1"

    private static func theatre(
        limits: Scenario.Limits = Scenario.Limits()
    ) async throws -> Theatre {
        var strap = Strap.heart
        strap.isEncrypted = true
        return try await Theatre(Scenario(straps: [strap], parts: [], limits: limits))
    }

    /// Makes a client an agent that gives an answer.
    private static func register(
        _ client: Client, _ capability: String, answer: MethodReply = .values([])
    ) async throws {
        try await client.answerCalls { _ in answer }
        try await client.call(
            registry, manager1, "RegisterAgent", .objectPath("/agent"), .string(capability))
    }

    @Test("answer no read and no subscription, and are removed after 30 s")
    func silence() async throws {
        let theatre = try await Self.theatre()
        let client = try await theatre.client()
        try await client.reach()
        client.begin(Name.measurement, Name.characteristic1, "StartNotify")
        client.begin(Name.location, Name.characteristic1, "ReadValue")
        _ = try await client.objects()
        try await theatre.advance(milliseconds: 10_000)
        #expect(try await client.objects().contains(Name.strap))
        try await theatre.advance(milliseconds: 20_500)
        await client.hear("changed \(Self.device) ServicesResolved=false Connected=false")
        await client.hear("removed \(Self.device) Device1")
        #expect(!client.lines.contains { $0.hasSuffix("StartNotify") || $0.hasSuffix("ReadValue") })
        try await theatre.close()
    }

    @Test("are removed sooner if the play says so")
    func limit() async throws {
        let theatre = try await Self.theatre(limits: Scenario.Limits(pairing: 50))
        let client = try await theatre.client()
        try await client.reach()
        client.begin(Name.measurement, Name.characteristic1, "StartNotify")
        await client.hear("removed \(Self.device) Device1")
        try await theatre.close()
    }

    @Test(
        "go on when an agent consents, asked for what it can do",
        arguments: [
            ("NoInputNoOutput", "call RequestAuthorization"),
            ("DisplayYesNo", "call RequestConfirmation"),
        ])
    func consent(_ capability: String, _ question: String) async throws {
        let theatre = try await Self.theatre()
        let client = try await theatre.client()
        try await Self.register(client, capability)
        try await client.reach()
        try await client.subscribe()
        let lines = client.lines
        let asked = try #require(lines.firstIndex(of: question))
        let paired = try #require(
            lines.firstIndex(of: "changed \(Self.device) Paired=true Bonded=true"))
        let answered = try #require(lines.firstIndex(of: "answer StartNotify"))
        #expect(asked < paired && paired < answered)
        try await theatre.notify([0, 60])
        await client.hear("changed char000b Value=003c")
        // Once is enough, also for the next link; and it is not forgotten.
        try await client.call(Name.battery, Name.characteristic1, "ReadValue", .properties([]))
        try await theatre.act(.drop(strap: 0))
        try await theatre.advance(milliseconds: 60_000)
        #expect(try await client.objects().contains(Name.strap))
        try await theatre.act(.advertise(strap: 0, true))
        try await client.connect()
        try await theatre.notify([0, 61])
        await client.hear("changed char000b Value=003d")
        #expect(client.lines.filter { $0 == question }.count == 1)
        try await theatre.close()
    }

    @Test("stay silent when the agent refuses")
    func rejection() async throws {
        let theatre = try await Self.theatre()
        let client = try await theatre.client()
        let refusal = MethodReply.refusal(name: "org.bluez.Error.Rejected", message: "no")
        try await Self.register(client, "NoInputNoOutput", answer: refusal)
        try await client.reach()
        client.begin(Name.measurement, Name.characteristic1, "StartNotify")
        await client.hear("call RequestAuthorization")
        try await theatre.advance(milliseconds: 30_500)
        await client.hear("removed \(Self.device) Device1")
        try await theatre.close()
    }

    @Test("know agents only as long as they are there")
    func agents() async throws {
        let theatre = try await Self.theatre()
        let client = try await theatre.client()
        let other = try await theatre.client()
        let path = Value.objectPath("/agent")
        let refuse: (String, [Value]) async throws -> String = {
            let call = MethodCall(
                destination: "org.bluez", path: Self.registry, interface: Self.manager1,
                member: $0, arguments: $1)
            do throws(DBusError) {
                try await client.bus.call(call)
                return "done"
            } catch {
                return error.name
            }
        }
        try await Self.register(other, "NoInputNoOutput")
        #expect(
            try await refuse("RegisterAgent", [path, .string("Telepathy")])
                == "org.bluez.Error.InvalidArguments")
        #expect(try await refuse("RegisterAgent", [path, .string("")]) == "done")
        #expect(
            try await refuse("RegisterAgent", [path, .string("")])
                == "org.bluez.Error.AlreadyExists")
        // The first one is asked; one that left without a word is not.
        try await client.answerCalls { _ in .values([]) }
        await other.bus.close()
        try await theatre.playback.flush()
        try await client.reach()
        try await client.subscribe()
        #expect(client.lines.contains("call RequestConfirmation"))
        try await theatre.close()
    }
}
