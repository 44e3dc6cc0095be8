import BlueZ
import BluetoothCentral
import DBus
import Foundation
import TestSupport
import Testing

/// Pairing, primaries and forgetting, as commands against a strap of FakeStrap.
@Suite("pulselog devices")
struct DevicesTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    static let one = "C4:00:00:00:00:01"
    static let two = "C4:00:00:00:00:02"
    static let pod = "C4:00:00:00:00:03"
    static let scenario = #"""
        {"devices":[
            {"id":"one","name":"Strap One","address":"\#(one)","services":["hr","battery"]},
            {"id":"two","name":"Strap Two","address":"\#(two)","services":["hr"]},
            {"id":"pod","name":"Foot Pod","address":"\#(pod)","services":["rsc"]}]}
        """#

    /// The paired devices, and which of them are primary for what.
    private func list() async throws -> [String] {
        try await bench.run("devices", "list", "--json").lines.map { text in
            let line = try Line(text)
            let roles = line.fields["primary"] as? [String] ?? []
            return try line.text("address").suffix(2) + ":" + roles.joined(separator: "+")
        }
    }

    @Test("pairs; the first of a role is primary, and when it is forgotten the oldest other one")
    func primaries() async throws {
        try await bench.playing(scenario: Self.scenario) { strap in
            for address in [Self.one, Self.two, Self.pod] {
                let end = try await bench.run(
                    "devices", "pair", address, variables: strap.variables)
                #expect(end.status == 0, "\(end.messages)")
            }
            #expect(try await list() == ["01:heart", "02:", "03:pedometer"])
            _ = try await bench.output("devices", "primary", Self.two)
            #expect(try await list() == ["01:", "02:heart", "03:pedometer"])
            let forgotten = try await bench.run("devices", "forget", Self.two, "--json")
            let kinds = try forgotten.lines.map { try Line($0).text("kind") }
            #expect(kinds == ["deviceForgotten", "primaryChosen"])
            #expect(try await list() == ["01:heart", "03:pedometer"])
            _ = try await bench.output("devices", "forget", Self.one)
            _ = try await bench.output("devices", "forget", Self.pod)
            #expect(try await list() == [])
            let again = try await bench.run("devices", "forget", Self.one)
            #expect(again.status == 64)
        }
    }

    @Test("pairs the first strap in range without an address, and says so")
    func firstStrap() async throws {
        try await bench.playing(scenario: Self.scenario) { strap in
            let end = try await bench.run("devices", "pair", variables: strap.variables)
            #expect(end.status == 0, "\(end.messages)")
            #expect(end.text.hasPrefix("Paired Strap ") && end.text.contains("is primary"))
            #expect(try await list().count == 1)
        }
    }

    /// Devices that cannot be paired, and words of the advice.
    static let refusals = [
        (#""services":[{"uuid":"180D","characteristics":[]}]"#, "", "does not offer 2A37"),
        (
            #""services":["hr"]"#,
            #"{"refuse":"StartNotify","error":"org.bluez.Error.NotPermitted","#
                + #""message":"Notify acquired"}"#,
            "has exclusive use"
        ),
        (
            #""services":["hr"]"#,
            #"{"refuse":"Connect","error":"org.bluez.Error.AuthenticationFailed","message":""}"#,
            "needs Bluetooth pairing"
        ),
    ]

    @Test("pairs nothing that does not notify, and says what to do", arguments: refusals)
    func refusing(services: String, step: String, words: String) async throws {
        let scenario = #"""
            {"devices":[{"id":"one","name":"Strap One","address":"\#(Self.one)",\#(services),
                "play":[\#(step)]}]}
            """#
        try await bench.playing(scenario: scenario) { strap in
            let end = try await bench.run(
                "devices", "pair", Self.one, variables: strap.variables)
            #expect(end.status == 69, "\(end.messages)")
            #expect(end.messages.contains(words), "\(end.messages)")
            #expect(!FileManager.default.fileExists(atPath: bench.store))
        }
    }

    @Test("leaves the strap when it is interrupted while connecting")
    func interrupted() async throws {
        let scenario = #"""
            {"devices":[{"id":"one","name":"Strap One","address":"\#(Self.one)",
                "services":["hr"],"faults":{"services_delay":30},
                "play":[{"wait":"connected"}]}]}
            """#
        try await bench.playing(scenario: scenario) { strap in
            let pair = try bench.start(["devices", "pair", Self.one], strap.variables)
            try await strap.waitForEnd()
            pair.signal(SIGINT)
            let end = await pair.end
            #expect(end.status == 75)
            #expect(end.messages.contains("was cancelled"))
            let inventory = try await BluezInventory.look(on: .address(strap.address))
            let address = try #require(BluetoothAddress(Self.one))
            #expect(inventory.device(address)?.isConnected == false)
        }
    }

    @Test("leaves Bluetooth to a recorder that runs")
    func besideRecorder() async throws {
        let record = try bench.start(["record", "--simulate", "--json"])
        try await record.line { $0.contains(#""kind":"sessionStarted""#) }
        let end = try await bench.run("devices", "pair", Self.one)
        #expect(end.status == 75)
        #expect(end.messages.contains("pulselog stop"))
        record.signal(SIGINT)
        #expect(await record.end.status == 0)
    }
}
