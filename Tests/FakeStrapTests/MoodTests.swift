import DBus
import TestSupport
import Testing

@testable import FakeStrap

@Suite("Adapter and daemon", .timeLimit(.minutes(5)))
struct MoodTests {
    private static let device = "dev_C4_00_00_00_00_01"

    @Test("switched off and on: the objects stay, and the subscriptions come back")
    func power() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        try await client.subscribe()
        try await theatre.act(.power(false))
        #expect(
            await client.hear("changed hci0 Powered=false Discovering=false") == [
                "changed \(Self.device) ServicesResolved=false Connected=false",
                "removed \(Self.device) Battery1",
            ])
        try await theatre.advance(milliseconds: 60_000)
        #expect(try await client.objects().contains(Name.measurement))
        try await theatre.act(.power(true))
        await client.hear("changed hci0 Powered=true")
        try await client.connect()
        try await theatre.notify([0, 60])
        await client.hear("changed char000b Value=003c")
        try await theatre.close()
    }

    @Test("pulled out and plugged in: all is removed, the strap is remembered")
    func plug() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        try await client.subscribe()
        try await theatre.act(.plug(false))
        await client.hear("changed hci0 Powered=false Discovering=false")
        await client.hear("removed char000b GattCharacteristic1")
        await client.hear("removed \(Self.device) Device1")
        await client.hear("removed hci0 Adapter1")
        #expect(try await client.objects().isEmpty)
        try await theatre.act(.plug(true))
        await client.hear("added hci0 Adapter1")
        await client.hear("added \(Self.device) Device1")
        #expect(try await client.objects() == [Name.adapter, Name.strap])
        try await theatre.close()
    }

    @Test("killed: only the owner's leaving tells it; started again: no services, no subscription")
    func killed() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        try await client.subscribe()
        try await theatre.act(.daemon(isRunning: false))
        #expect(await client.hear("owner left").isEmpty)
        #expect(
            try await client.refusal(Name.strap, Name.device1, "Connect").hasPrefix(
                "org.freedesktop.DBus.Error.ServiceUnknown"))
        try await theatre.notify([0, 60])
        try await theatre.act(.daemon(isRunning: true))
        #expect(
            await client.hear("added \(Self.device) Device1") == [
                "owner came", "added bluez AgentManager1", "added hci0 Adapter1",
            ])
        #expect(try await client.objects() == [Name.adapter, Name.strap])
        try await client.connect()
        try await theatre.notify([0, 61])
        try await client.subscribe()
        try await theatre.notify([0, 62])
        await client.hear("changed char000b Value=003e")
        #expect(
            theatre.reports.elements == [
                "sent 2a37 003c 0", "sent 2a37 003d 0", "sent 2a37 003e 1",
            ])
        try await theatre.close()
    }

    @Test("started again: it is another connection, with another unique name")
    func names() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        let owner = MethodCall.bus("GetNameOwner", .string("org.bluez"))
        var names: [String] = []
        for _ in 0..<3 {
            names.append(try #require(try await client.bus.call(owner).first?.asString))
            try await theatre.act(.daemon(isRunning: false))
            await client.hear("owner left")
            await #expect(throws: DBusError.self) { try await client.bus.call(owner) }
            try await theatre.act(.daemon(isRunning: true))
            await client.hear("added hci0 Adapter1")
        }
        #expect(Set(names).count == 3)
        // Killed and started at once: the old connection ends before the new one begins.
        try await theatre.act(.daemon(isRunning: false), .daemon(isRunning: true))
        #expect(
            await client.hear("added hci0 Adapter1") == [
                "owner left", "owner came", "added bluez AgentManager1",
            ])
        try await client.reach()
        #expect(theatre.reports.elements.isEmpty)
        try await theatre.close()
    }

    @Test("stopped: everything is removed, and then the owner leaves")
    func stopped() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        try await theatre.act(.stopDaemon)
        let lines = await client.hear("owner left")
        #expect(
            lines.prefix(3) == [
                "changed \(Self.device) ServicesResolved=false Connected=false",
                "removed \(Self.device) Battery1",
                "changed hci0 Powered=false Discovering=false",
            ])
        #expect(lines.suffix(2) == ["removed \(Self.device) Device1", "removed hci0 Adapter1"])
        try await theatre.act(.daemon(isRunning: true))
        await client.hear("added hci0 Adapter1")
        let powered = try await client.call(
            Name.adapter, Name.properties, "Get", .string(Name.adapter1), .string("Powered"))
        #expect(powered.first?.asBoolean == true)
        try await client.connect()
        try await theatre.close()
    }

    @Test("killed during a call: the call gets no reply")
    func killedDuringCall() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        try await theatre.act(.drop(strap: 0))
        client.begin(Name.strap, Name.device1, "Connect")
        _ = try await client.objects()
        try await theatre.act(.daemon(isRunning: false))
        await client.hear(
            "refusal Connect Message recipient disconnected from message bus without replying")
        try await theatre.close()
    }
}
