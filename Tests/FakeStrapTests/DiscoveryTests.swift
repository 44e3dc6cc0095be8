import DBus
import Testing

@testable import FakeStrap

@Suite("Discovery", .timeLimit(.minutes(5)))
struct DiscoveryTests {
    private static let straps = Scenario(
        straps: [
            .make(1, "Heart", "hr"), .make(2, "Foot", "rsc"), .make(3, "Watch", "motion"),
            .make(4, "Lamp", "battery"),
        ], parts: [])

    /// Filters, and the straps that fit.
    static let filters: [(filter: [(String, Value)], seen: [Int])] = [
        ([], [1, 2, 3, 4]),
        ([("UUIDs", .strings(["180d"]))], [1]),
        ([("UUIDs", .strings(["0000180D-0000-1000-8000-00805F9B34FB", "1814"]))], [1, 2]),
        ([("UUIDs", .strings(["00030000-78fc-48fe-8e23-433b3a1942d0"]))], [3]),
        ([("Transport", .string("le")), ("RSSI", .int16(-60))], [1, 2, 3, 4]),
        ([("Pattern", .string("Foot"))], [2]),
        ([("Pattern", .string("C4:00:00:00:00:03"))], [3]),
    ]

    @Test("shows the straps that fit the filter and no others", arguments: filters)
    func fits(_ row: (filter: [(String, Value)], seen: [Int])) async throws {
        let theatre = try await Theatre(Self.straps)
        let client = try await theatre.client()
        try await client.call(
            Name.adapter, Name.adapter1, "SetDiscoveryFilter", .properties(row.filter))
        try await client.call(Name.adapter, Name.adapter1, "StartDiscovery")
        // All are reported in one turn, so the last one that fits comes after all others.
        for number in row.seen { await client.hear("added dev_C4_00_00_00_00_0\(number) Device1") }
        #expect(try await client.objects().count == 1 + row.seen.count)
        try await theatre.close()
    }

    @Test("shows nothing to those who want no low energy, or stronger signals")
    func nothing() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        for filter: [(String, Value)] in [
            [("Transport", .string("bredr"))], [("RSSI", .int16(-50))],
        ] {
            try await client.call(
                Name.adapter, Name.adapter1, "SetDiscoveryFilter", .properties(filter))
            try await client.call(Name.adapter, Name.adapter1, "StartDiscovery")
            try await theatre.advance(milliseconds: 25)
            #expect(try await client.objects() == [Name.adapter])
            try await client.call(Name.adapter, Name.adapter1, "StopDiscovery")
        }
        try await theatre.close()
    }

    @Test("has a scan for each client and ends with the last")
    func sessions() async throws {
        let theatre = try await Theatre()
        let first = try await theatre.client()
        let second = try await theatre.client()
        try await first.call(Name.adapter, Name.adapter1, "StartDiscovery")
        #expect(
            try await first.refusal(Name.adapter, Name.adapter1, "StartDiscovery")
                == "org.bluez.Error.InProgress: Operation already in progress")
        await first.hear("changed hci0 Discovering=true")
        await first.hear("added dev_C4_00_00_00_00_01 Device1")
        try await second.call(Name.adapter, Name.adapter1, "StartDiscovery")
        // Known already: only its strength is told.
        await second.hear("changed dev_C4_00_00_00_00_01 RSSI=-58")
        try await first.call(Name.adapter, Name.adapter1, "StopDiscovery")
        #expect(
            try await first.refusal(Name.adapter, Name.adapter1, "StopDiscovery")
                == "org.bluez.Error.Failed: No discovery started")
        // The second client just leaves.
        await second.bus.close()
        let lines = await first.hear("changed hci0 Discovering=false")
        #expect(lines.contains("changed dev_C4_00_00_00_00_01 !RSSI"))
        #expect(lines.contains("answer StopDiscovery"))
        try await theatre.close()
    }

    @Test("forgets a strap 30 s after the scan, children first")
    func forgets() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        try await client.call(Name.strap, Name.device1, "Disconnect")
        try await theatre.advance(milliseconds: 10_000)
        #expect(try await client.objects().contains(Name.strap))
        try await theatre.advance(milliseconds: 20_500)
        let lines = await client.hear("removed dev_C4_00_00_00_00_01 Device1")
        #expect(lines.contains("removed char000b GattCharacteristic1"))
        #expect(try await client.objects() == [Name.adapter])
        try await theatre.close()
    }

    @Test("shows two straps of one name under their addresses")
    func sameName() async throws {
        let straps: [Strap] = [.make(1, "Strap", "hr"), .make(2, "Strap", "hr")]
        let theatre = try await Theatre(Scenario(straps: straps, parts: []))
        let client = try await theatre.client()
        try await client.call(Name.adapter, Name.adapter1, "StartDiscovery")
        for number in 1...2 {
            let object = "dev_C4_00_00_00_00_0\(number)"
            await client.hear("added \(object) Device1")
            let all = try await client.call(
                "\(Name.adapter)/\(object)", Name.properties, "GetAll", .string(Name.device1)
            ).first
            #expect(all?["Name"]?.asString == "Strap")
            #expect(all?["Address"]?.asString == "C4:00:00:00:00:0\(number)")
        }
        try await theatre.close()
    }

    @Test("forgets sooner if the play says so")
    func forgetsSooner() async throws {
        let theatre = try await Theatre(
            Scenario(straps: [.heart], parts: [], limits: Scenario.Limits(forget: 40)))
        let client = try await theatre.client()
        try await client.call(Name.adapter, Name.adapter1, "StartDiscovery")
        await client.hear("added dev_C4_00_00_00_00_01 Device1")
        try await client.call(Name.adapter, Name.adapter1, "StopDiscovery")
        await client.hear("removed dev_C4_00_00_00_00_01 Device1")
        try await theatre.close()
    }

    @Test("tells an unknown strength and a missing one apart", arguments: [127, nil] as [Int16?])
    func strength(_ rssi: Int16?) async throws {
        var strap = Strap.heart
        strap.rssi = rssi
        strap.name = nil
        let theatre = try await Theatre(Scenario(straps: [strap], parts: []))
        let client = try await theatre.client()
        try await client.call(Name.adapter, Name.adapter1, "StartDiscovery")
        await client.hear("added dev_C4_00_00_00_00_01 Device1")
        let all = try await client.call(
            Name.strap, Name.properties, "GetAll", .string(Name.device1)
        ).first
        #expect(all?["RSSI"]?.asInt16 == rssi)
        #expect(all?["Name"] == nil)
        #expect(all?["Alias"]?.asString == "C4-00-00-00-00-01")
        try await theatre.close()
    }
}
