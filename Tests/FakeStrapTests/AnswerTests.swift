import DBus
import TestSupport
import Testing

@testable import FakeStrap

@Suite("Straps that answer badly", .timeLimit(.minutes(5)))
struct AnswerTests {
    private static let device = "dev_C4_00_00_00_00_01"

    @Test("mute ones send nothing, fail a read after 30 s, and are given up 2 s later")
    func mute() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        try await client.subscribe()
        try await theatre.act(.mute(strap: 0, true))
        try await theatre.notify([0, 60])
        client.begin(Name.battery, Name.characteristic1, "ReadValue")
        _ = try await client.objects()
        try await theatre.advance(milliseconds: 10_000)
        #expect(!client.lines.contains { $0.contains("ReadValue") })
        try await theatre.advance(milliseconds: 20_500)
        await client.hear("refusal ReadValue Operation failed with ATT error: 0x0e")
        #expect(try await client.refusal(Name.strap, Name.device1, "Connect") == "done")
        try await theatre.advance(milliseconds: 2_000)
        await client.hear("changed \(Self.device) ServicesResolved=false Connected=false")
        #expect(theatre.reports.elements == ["sent 2a37 003c 0"])
        try await theatre.close()
    }

    @Test("mute ones that are asked nothing keep their link, and speak again")
    func unmute() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        try await client.subscribe()
        try await theatre.act(.mute(strap: 0, true))
        try await theatre.advance(milliseconds: 60_000)
        try await theatre.act(.mute(strap: 0, false))
        try await theatre.notify([0, 60])
        await client.hear("changed char000b Value=003c")
        #expect(!client.lines.contains { $0.hasSuffix("Connected=false") })
        try await theatre.close()
    }

    @Test("mute ones get a link whose services never come")
    func muteLink() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await theatre.act(.mute(strap: 0, true))
        try await client.call(Name.adapter, Name.adapter1, "StartDiscovery")
        await client.hear("added \(Self.device) Device1")
        try await client.call(Name.strap, Name.device1, "Connect")
        try await theatre.advance(milliseconds: 10_000)
        #expect(try await client.objects() == [Name.adapter, Name.strap])
        try await theatre.advance(milliseconds: 22_500)
        let lines = await client.hear("changed \(Self.device) Connected=false")
        #expect(!lines.contains { $0.contains("ServicesResolved") })
        try await theatre.close()
    }

    /// Codes of the strap, and what bluetoothd makes of them.
    static let codes: [(code: UInt8, refusal: String)] = [
        (0x02, "org.bluez.Error.NotPermitted: Read not permitted"),
        (0x03, "org.bluez.Error.NotPermitted: Write not permitted"),
        (0x05, "org.bluez.Error.NotPermitted: Not paired"),
        (0x06, "org.bluez.Error.NotSupported: Operation is not supported"),
        (0x08, "org.bluez.Error.NotAuthorized: Operation Not Authorized"),
        (0x0E, "org.bluez.Error.Failed: Operation failed with ATT error: 0x0e"),
        (0x80, "org.bluez.Error.Failed: Operation failed with ATT error: 0x80"),
    ]

    @Test("with an error: the caller hears bluetoothd's words", arguments: codes)
    func errors(_ row: (code: UInt8, refusal: String)) async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        let errors = AttributeErrors(
            reads: [.batteryLevel: row.code], subscriptions: [.heartRateMeasurement: row.code])
        try await theatre.act(.setErrors(strap: 0, errors))
        #expect(
            try await client.refusal(
                Name.battery, Name.characteristic1, "ReadValue", .properties([])) == row.refusal)
        #expect(
            try await client.refusal(Name.measurement, Name.characteristic1, "StartNotify")
                == row.refusal)
        // Others are as usual, and so are these afterwards.
        #expect(
            try await client.refusal(
                Name.location, Name.characteristic1, "ReadValue", .properties([])) == "done")
        try await theatre.act(.setErrors(strap: 0, AttributeErrors()))
        try await client.subscribe()
        try await theatre.close()
    }
}
