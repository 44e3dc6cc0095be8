import DBus
import TestSupport
import Testing

@testable import FakeStrap

@Suite("Refusals", .timeLimit(.minutes(5)))
struct RefusalTests {
    /// What is called, and what bluetoothd 5.66 says to it.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var path = Name.strap
        var interface = Name.device1
        let member: String
        var arguments: [Value] = []
        let refusal: String
    }

    static let connected: [Row] = [
        Row(
            testDescription: "Connect when there is a link", member: "Connect", refusal: "done"),
        Row(
            testDescription: "read of what cannot be read", path: Name.measurement,
            interface: Name.characteristic1, member: "ReadValue", arguments: [.properties([])],
            refusal: "org.bluez.Error.NotPermitted: Read not permitted"),
        Row(
            testDescription: "subscription to what cannot notify", path: Name.location,
            interface: Name.characteristic1, member: "StartNotify",
            refusal: "org.bluez.Error.NotSupported: Operation is not supported"),
        Row(
            testDescription: "object that is not there", path: Name.adapter + "/dev_00",
            member: "Connect",
            refusal: "org.freedesktop.DBus.Error.UnknownObject: "
                + "Method \"Connect\" on interface \"org.bluez.Device1\" doesn't exist"),
        Row(
            testDescription: "filter that makes no sense", path: Name.adapter,
            interface: Name.adapter1, member: "SetDiscoveryFilter",
            arguments: [.properties([("UUIDs", .strings(["heart"]))])],
            refusal: "org.bluez.Error.InvalidArguments: Invalid arguments in method call"),
        Row(
            testDescription: "property that is not there", interface: Name.properties,
            member: "Get", arguments: [.string(Name.device1), .string("Mood")],
            refusal: "org.freedesktop.DBus.Error.InvalidArgs: No such property 'Mood'"),
    ]

    @Test("have the names and texts of bluetoothd, with a link", arguments: connected)
    func withLink(_ row: Row) async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        try await client.subscribe()
        try await expect(row, client)
        try await theatre.close()
    }

    static let disconnected: [Row] = [
        Row(
            testDescription: "Disconnect", member: "Disconnect",
            refusal: "org.bluez.Error.NotConnected: Not Connected"),
        Row(
            testDescription: "read", path: Name.battery, interface: Name.characteristic1,
            member: "ReadValue", arguments: [.properties([])],
            refusal: "org.bluez.Error.Failed: Not connected"),
    ]

    @Test("have the names and texts of bluetoothd, without a link", arguments: disconnected)
    func withoutLink(_ row: Row) async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        try await theatre.act(.drop(strap: 0))
        try await expect(row, client)
        try await theatre.close()
    }

    static let switchedOff: [Row] = [
        Row(
            testDescription: "Connect", member: "Connect",
            refusal: "org.bluez.Error.Failed: Input/output error"),
        Row(
            testDescription: "StartDiscovery", path: Name.adapter, interface: Name.adapter1,
            member: "StartDiscovery", refusal: "org.bluez.Error.NotReady: Resource Not Ready"),
        Row(
            testDescription: "StopDiscovery", path: Name.adapter, interface: Name.adapter1,
            member: "StopDiscovery", refusal: "org.bluez.Error.NotReady: Resource Not Ready"),
    ]

    @Test("have the names and texts of bluetoothd, switched off", arguments: switchedOff)
    func withoutPower(_ row: Row) async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        try await theatre.act(.power(false))
        try await expect(row, client)
        try await theatre.close()
    }

    @Test("can be ordered, for the next call only")
    func ordered() async throws {
        let theatre = try await Theatre()
        let client = try await theatre.client()
        try await client.reach()
        let error = "org.bluez.Error.Failed"
        let message = "Operation failed with ATT error: 0x80"
        try await theatre.act(
            .reply(.refusal(name: error, message: message), to: "StartNotify"))
        #expect(
            try await client.refusal(Name.measurement, Name.characteristic1, "StartNotify")
                == "\(error): \(message)")
        try await client.subscribe()
        try await theatre.close()
    }

    private func expect(_ row: Row, _ client: Client) async throws {
        let call = MethodCall(
            destination: "org.bluez", path: row.path, interface: row.interface,
            member: row.member, arguments: row.arguments)
        do {
            try await client.bus.call(call)
            #expect(row.refusal == "done")
        } catch {
            #expect("\(error.name): \(error.message)" == row.refusal)
        }
    }
}
