import DBus
import TestSupport
import Testing

@testable import FakeStrap

@Suite("Values", .timeLimit(.minutes(5)))
struct ValueTests {
    @Test("arrive byte for byte, in order, also equal and empty ones")
    func exact() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        try await client.subscribe()
        var values: [[UInt8]] = [[0, 60], [0, 60], [0, 60], [], [0xFF], [16, 72, 255]]
        values += (0..<1_000).map { [0x16, UInt8($0 & 0xFF), UInt8($0 >> 8), 0] }
        values.append([UInt8](repeating: 7, count: 512))
        let scenario = values
        try await theatre.act(
            .notify(strap: 0, .heartRateMeasurement, scenario[0]))
        for value in values.dropFirst() { try await theatre.notify(value) }
        try await theatre.act(.notify(strap: 0, .heartRateMeasurement, [1, 2, 3]))
        await client.hear("changed char000b Value=010203")
        let heard = client.lines.filter { $0.hasPrefix("changed char000b Value=") }
        let sent = (values + [[1, 2, 3]]).map {
            "changed char000b Value=" + hex($0)
        }
        #expect(heard == sent)
        try await theatre.close()
    }

    @Test("come once for each subscriber, to all who listen")
    func doubled() async throws {
        let theatre = try await Theatre()
        let first = try await theatre.client()
        let second = try await theatre.client()
        let listener = try await theatre.client()
        try await first.reach()
        try await first.subscribe()
        try await second.call(Name.measurement, Name.characteristic1, "StartNotify")
        try await theatre.notify([0, 60], [0, 60], [0, 61])
        // The second client is gone without a word.
        await second.bus.close()
        let name = Value.string(second.bus.uniqueName)
        while try await listener.bus.call(.bus("NameHasOwner", name)) == [.boolean(true)] {
            await Task.yield()
        }
        try await theatre.playback.flush()
        try await theatre.notify([0, 62], [0, 63])
        for client in [first, listener] {
            await client.hear("changed char000b Value=003f")
            let values = client.lines.compactMap { $0.split(separator: "=").last }
                .filter { $0.hasPrefix("00") && $0.count == 4 }
            #expect(values == ["003c", "003c", "003c", "003c", "003d", "003d", "003e", "003f"])
        }
        try await theatre.close()
    }

    @Test("are lost while nobody is subscribed; the link stays when the last client leaves")
    func lost() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        let other = try await theatre.client()
        try await client.reach()
        try await client.subscribe()
        try await theatre.notify([0, 60])
        try await client.call(Name.measurement, Name.characteristic1, "StopNotify")
        await client.hear("changed char000b Notifying=false")
        #expect(
            try await client.refusal(Name.measurement, Name.characteristic1, "StopNotify")
                == "org.bluez.Error.Failed: No notify session started")
        try await theatre.notify([0, 61])
        try await client.subscribe()
        await client.bus.close()
        await other.hear("changed char000b Notifying=false")
        await other.hear("changed char000b Notifying=true")
        await other.hear("changed char000b Notifying=false")
        try await theatre.notify([0, 62])
        let connected = try await other.call(
            Name.strap, Name.properties, "Get", .string(Name.device1), .string("Connected"))
        #expect(connected.first?.asBoolean == true)
        #expect(
            theatre.reports.elements == [
                "sent 2a37 003c 1", "sent 2a37 003d 0", "sent 2a37 003e 0",
            ])
        try await theatre.close()
    }

    @Test("that are read are also signalled, and stay in the tree")
    func readEcho() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        let value = try await client.call(
            Name.battery, Name.characteristic1, "ReadValue", .properties([]))
        #expect(value == [.byteArray([87])])
        let before = await client.hear("answer ReadValue")
        #expect(before.contains("changed char0011 Value=57"))
        try await theatre.act(.setValue(strap: 0, .batteryLevel, [86]))
        let again = try await client.call(
            Name.battery, Name.characteristic1, "ReadValue", .properties([]))
        #expect(again == [.byteArray([86])])
        let cached = try await client.call(
            Name.battery, Name.properties, "Get", .string(Name.characteristic1), .string("Value"))
        #expect(cached.first?.asByteArray == [86])
        try await theatre.close()
    }

    @Test("that are read while somebody is subscribed come once more")
    func readWhileSubscribed() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        try await client.call(Name.battery, Name.characteristic1, "StartNotify")
        try await theatre.act(.notify(strap: 0, .batteryLevel, [86]))
        await client.hear("changed char0011 Value=56")
        try await client.call(Name.battery, Name.characteristic1, "ReadValue", .properties([]))
        let lines = await client.hear("answer ReadValue")
        #expect(lines.filter { $0 == "changed char0011 Value=56" }.count == 1)
        try await theatre.close()
    }

    @Test("may come before the answer of StartNotify, and more than once")
    func early() async throws {
        var strap = Strap.heart
        strap.faults.earlyValues = [[0, 59], []]
        strap.faults.copies = 2
        let theatre = try await Theatre(Scenario(straps: [strap], parts: []))
        let client = try await theatre.client()
        try await client.reach()
        try await client.call(Name.measurement, Name.characteristic1, "StartNotify")
        #expect(
            await client.hear("answer StartNotify") == [
                "changed char000b Notifying=true", "changed char000b Value=003b",
                "changed char000b Value=003b", "changed char000b Value=",
                "changed char000b Value=",
            ])
        try await theatre.close()
    }
}
