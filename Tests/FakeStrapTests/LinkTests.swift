import DBus
import TestSupport
import Testing

@testable import FakeStrap

@Suite("Links", .timeLimit(.minutes(5)))
struct LinkTests {
    private static let device = "dev_C4_00_00_00_00_01"

    @Test("come in the order of bluetoothd")
    func order() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        let lines = client.lines
        let begin = try #require(lines.firstIndex(of: "changed \(Self.device) Connected=true"))
        #expect(
            Array(lines[begin...]) == [
                "changed \(Self.device) Connected=true",
                "answer Connect",
                "added service000a GattService1",
                "added char000b GattCharacteristic1",
                "added desc000d GattDescriptor1",
                "added char000e GattCharacteristic1",
                "added service0010 GattService1",
                "added char0011 GattCharacteristic1",
                "added desc0013 GattDescriptor1",
                "added service0014 GattService1",
                "added char0015 GattCharacteristic1",
                "added char0017 GattCharacteristic1",
                "added char0019 GattCharacteristic1",
                "added char001b GattCharacteristic1",
                "changed \(Self.device) ServicesResolved=true",
                "added \(Self.device) Battery1",
            ])
        try await theatre.close()
    }

    @Test("that another program has left are there from the begin, with all objects, and no signal")
    func left() async throws {
        var strap = Strap.heart
        strap.acquaintance = .linked
        let theatre = try await Theatre(Scenario(straps: [strap], parts: []))
        let client = try await theatre.client()
        #expect(try await client.objects().contains(Name.measurement))
        try await client.call(Name.adapter, Name.adapter1, "StartDiscovery")
        try await theatre.advance(milliseconds: 60_000)
        #expect(!client.lines.contains { $0.contains("RSSI") })
        try await client.call(Name.measurement, Name.characteristic1, "StartNotify")
        try await theatre.notify([0, 60])
        await client.hear("changed char000b Value=003c")
        try await theatre.close()
    }

    @Test("that are down long since leave a trusted strap known")
    func trusted() async throws {
        var strap = Strap.heart
        strap.acquaintance = .remembered
        strap.isAdvertising = false
        let theatre = try await Theatre(Scenario(straps: [strap], parts: []))
        let client = try await theatre.client()
        #expect(try await client.objects().contains(Name.strap))
        try await client.call(Name.adapter, Name.adapter1, "StartDiscovery")
        try await client.call(Name.adapter, Name.adapter1, "StopDiscovery")
        try await theatre.advance(milliseconds: 60_000)
        #expect(try await client.objects().contains(Name.strap))
        #expect(!client.lines.contains { $0.contains("RSSI") })
        try await theatre.close()
    }

    @Test("that break keep the objects and the subscriptions")
    func loss() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        try await client.subscribe()
        try await theatre.act(.drop(strap: 0))
        let before = await client.hear("removed \(Self.device) Battery1")
        #expect(before == ["changed \(Self.device) ServicesResolved=false Connected=false"])
        #expect(try await client.objects().contains(Name.measurement))
        let notifying = try await client.call(
            Name.measurement, Name.properties, "Get", .string(Name.characteristic1),
            .string("Notifying"))
        #expect(notifying.first?.asBoolean == true)
        #expect(
            try await client.refusal(Name.measurement, Name.characteristic1, "StartNotify")
                == "org.bluez.Error.InProgress: Operation already in progress")
        try await theatre.notify([0, 60])
        client.begin(Name.strap, Name.device1, "Connect")
        try await theatre.act(.advertise(strap: 0, true))
        await client.hear("answer Connect")
        await client.hear("added \(Self.device) Battery1")
        try await theatre.notify([0, 61])
        #expect(
            await client.hear(beginning: "changed char000b Value") == "changed char000b Value=003d")
        // It is subscribed once, however often it asks.
        try await client.subscribe()
        try await theatre.notify([0, 62], [0, 63])
        #expect(await client.hear("changed char000b Value=003f") == ["changed char000b Value=003e"])
        #expect(
            theatre.reports.elements == [
                "sent 2a37 003c 0", "sent 2a37 003d 1", "sent 2a37 003e 1", "sent 2a37 003f 1",
            ])
        try await theatre.close()
    }

    @Test("say why they end, if bluetoothd is new enough")
    func reasons() async throws {
        let scenario = Scenario(straps: [.heart], parts: [], tellsReasons: true)
        let theatre = try await Theatre(scenario)
        let client = try await theatre.client()
        try await client.reach()
        for (reason, word) in [(LossReason.timeout, "Timeout"), (.remote, "Remote")] {
            try await theatre.act(.drop(strap: 0, reason))
            let lines = await client.hear("disconnected \(Self.device) \(word)")
            #expect(
                lines.last == "changed \(Self.device) ServicesResolved=false Connected=false")
            try await theatre.act(.advertise(strap: 0, true))
            try await client.connect()
        }
        try await client.call(Name.strap, Name.device1, "Disconnect")
        await client.hear("disconnected \(Self.device) Local")
        try await theatre.close()
    }

    @Test("to a strap that is away are waited for, 41.7 s")
    func silence() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        try await theatre.act(.drop(strap: 0))
        client.begin(Name.strap, Name.device1, "Connect")
        #expect(
            try await client.refusal(Name.strap, Name.device1, "Connect")
                == "org.bluez.Error.Failed: Operation already in progress")
        try await theatre.advance(milliseconds: 35_000)
        // Waiting keeps the device.
        #expect(try await client.objects().contains(Name.strap))
        try await theatre.advance(milliseconds: 7_000)
        await client.hear("refusal Connect le-connection-abort-by-local")
        try await theatre.advance(milliseconds: 30_500)
        await client.hear("removed \(Self.device) Device1")
        try await theatre.close()
    }

    @Test("that are waited for can be called off")
    func canceled() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        try await theatre.act(.drop(strap: 0))
        client.begin(Name.strap, Name.device1, "Connect")
        try await client.call(Name.strap, Name.device1, "Disconnect")
        let lines = await client.hear("answer Disconnect")
        #expect(lines.contains("refusal Connect br-connection-canceled"))
        try await theatre.close()
    }

    @Test("that are being ended still count as links")
    func disconnect() async throws {
        let theatre = try await Theatre(timing: .realistic)
        let client = try await theatre.client()
        try await client.call(Name.adapter, Name.adapter1, "StartDiscovery")
        try await theatre.advance(milliseconds: 150)
        await client.hear("added \(Self.device) Device1")
        try await client.call(Name.adapter, Name.adapter1, "StopDiscovery")
        client.begin(Name.strap, Name.device1, "Connect")
        // The bus carries this call after the one before.
        _ = try await client.objects()
        try await theatre.advance(milliseconds: 500)
        await client.hear("answer Connect")
        client.begin(Name.strap, Name.device1, "Disconnect")
        try await client.call(Name.strap, Name.device1, "Connect")
        try await theatre.advance(milliseconds: 2_000)
        let lines = await client.hear("answer Disconnect")
        #expect(lines.last == "changed \(Self.device) ServicesResolved=false Connected=false")
        try await theatre.close()
    }

    @Test("take ten times as long while one scans, with a real radio")
    func whileScanning() async throws {
        let theatre = try await Theatre(timing: .realistic)
        let client = try await theatre.client()
        try await client.call(Name.adapter, Name.adapter1, "StartDiscovery")
        try await theatre.advance(milliseconds: 150)
        await client.hear("added \(Self.device) Device1")
        client.begin(Name.strap, Name.device1, "Connect")
        _ = try await client.objects()
        try await theatre.advance(milliseconds: 1_000)
        #expect(!client.lines.contains("answer Connect"))
        try await theatre.advance(milliseconds: 7_500)
        await client.hear("answer Connect")
        try await theatre.close()
    }

    @Test("are tried by one client at a time")
    func busy() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        let other = try await theatre.client()
        try await client.reach()
        try await theatre.act(.drop(strap: 0))
        client.begin(Name.strap, Name.device1, "Connect")
        _ = try await client.objects()
        #expect(
            try await other.refusal(Name.strap, Name.device1, "Connect")
                == "org.bluez.Error.Failed: Operation already in progress")
        try await theatre.close()
    }

    @Test("to a deaf strap are waited for in vain, though it is heard")
    func deaf() async throws {
        var strap = Strap.heart
        strap.faults.isDeaf = true
        let theatre = try await Theatre(Scenario(straps: [strap], parts: []))
        let client = try await theatre.client()
        try await client.call(Name.adapter, Name.adapter1, "StartDiscovery")
        await client.hear("added \(Self.device) Device1")
        client.begin(Name.strap, Name.device1, "Connect")
        _ = try await client.objects()
        try await theatre.advance(milliseconds: 41_800)
        await client.hear("refusal Connect le-connection-abort-by-local")
        client.begin(Name.strap, Name.device1, "Connect")
        _ = try await client.objects()
        try await theatre.act(.setFaults(strap: 0, Strap.Faults()))
        await client.hear("answer Connect")
        try await theatre.close()
    }

    @Test("misbehave as they are told to")
    func faults() async throws {
        var strap = Strap.heart
        strap.faults.brokenLinks = 1
        strap.faults.objectsDelayMilliseconds = 5
        let theatre = try await Theatre(Scenario(straps: [strap], parts: []))
        let client = try await theatre.client()
        try await client.call(Name.adapter, Name.adapter1, "StartDiscovery")
        await client.hear("added \(Self.device) Device1")
        client.begin(Name.strap, Name.device1, "Connect")
        await client.hear("changed \(Self.device) Connected=true")
        await client.hear("refusal Connect le-connection-abort-by-local")
        await client.hear("changed \(Self.device) Connected=false")
        try await client.connect()
        // The objects come after the promise that they are there.
        let lines = client.lines
        let promise = try #require(
            lines.firstIndex(of: "changed \(Self.device) ServicesResolved=true"))
        #expect(lines[promise...].contains("added service000a GattService1"))
        try await theatre.close()
    }
}
