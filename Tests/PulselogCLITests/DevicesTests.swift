import BluetoothCentral
import DBus
import Foundation
import Sensors
import TestSelection
import TestSupport
import Testing

/// Pairing, primaries and forgetting, as commands against a strap of FakeStrap.
@Suite("pulselog devices")
struct DevicesTests {
    let bench = Workbench()

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
                try await bench.expect("devices", "pair", address, variables: strap.variables)
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
            try await bench.expect("devices", "forget", Self.one, status: 64)
        }
    }

    @Test("pairs the first strap in range without an address, and says so", .slow)
    func firstStrap() async throws {
        try await bench.playing(scenario: Self.scenario) { strap in
            let end = try await bench.expect(
                "devices", "pair", says: "is primary", variables: strap.variables)
            #expect(end.text.hasPrefix("Paired Strap "))
            #expect(try await list().count == 1)
        }
    }

    @Test("lets contact be ignored and heeded, of a strap that is named for it")
    func contact() async throws {
        try await bench.load("contact-never-set")
        let shown = try await bench.run("sessions", "show").lines
        #expect(shown.contains("  Left out   24 without contact"), "\(shown)")
        #expect(
            shown.contains {
                $0.contains("`pulselog devices contact ignore \(Self.one)` counts them")
            })
        #expect(shown.contains { $0.contains("12 samples") })
        let chosen = try await bench.run("devices", "contact", "ignore", Self.one, "--json")
        #expect(try chosen.lines.last.map { try Line($0).text("kind") } == "contactChosen")
        #expect(try await bench.run("devices").text.contains("strap, primary, contact ignored"))
        // It is done: nobody has to be told of it.
        #expect(!(try await bench.run("sessions", "show").text.contains("never reports")))
        let again = try await bench.expect("devices", "contact", "ignore", Self.one, "--json")
        #expect(again.lines.isEmpty)
        _ = try await bench.output("devices", "contact", "trust", Self.one)
        #expect(!(try await bench.run("devices").text.contains("contact ignored")))
        for (choice, address) in [("ignore", Self.two), ("forget", Self.one), ("trust", "strap")] {
            try await bench.expect("devices", "contact", choice, address, status: 64)
        }
    }

    static let unadvertised = #"""
        {"devices":[
            {"id":"band","address":"\#(one)","services":["hr","battery"],
                "advertising":{"uuids":[]}},
            {"id":"watch","name":"InfiniTime","address":"\#(two)",
                "services":["hr","motion","battery","dis"],"advertising":{"uuids":["180D"]}},
            {"id":"pod","name":"Foot Pod","address":"\#(pod)","services":["rsc"],
                "advertising":{"uuids":["FEE0"]}},
            {"id":"phone","name":"Phone","address":"C4:00:00:00:00:04",
                "services":["battery","dis",{"uuid":"FE2C","characteristics":[]}],
                "advertising":{"uuids":["FE2C"]}},
            {"id":"linked","name":"Linked","address":"C4:00:00:00:00:05","services":["hr"],
                "known":"linked"}]}
        """#

    @Test("finds the services of what does not advertise them, and pairs it for them", .slow)
    func unadvertised() async throws {
        try await bench.playing(scenario: Self.unadvertised) { strap in
            let straps = try await bench.run(
                "scan", "--seconds", "5", "--json", variables: strap.variables)
            #expect(straps.lines.count == 2, "\(straps.text)")
            let any = try await bench.run(
                "scan", "--any", "--seconds", "5", "--json", variables: strap.variables)
            #expect(any.lines.count == 5, "\(any.text)")
            for (address, words) in [
                (Self.one, "Paired \(Self.one); it is primary.\n"),
                (
                    Self.two,
                    "Paired InfiniTime for heart rate and steps; it is primary for steps.\n"
                ),
                (Self.pod, "Paired Foot Pod.\n"), ("C4:00:00:00:00:05", "Paired Linked.\n"),
            ] {
                let end = try await bench.run(
                    "devices", "pair", address, variables: strap.variables)
                #expect(end.text == words, "\(end.messages)")
            }
            try await bench.expect(
                "devices", "pair", "C4:00:00:00:00:04", status: 69,
                says: "it offers device information (180A), battery (180F)",
                variables: strap.variables)
            let away = try await bench.expect(
                "devices", "pair", "C4:00:00:00:00:09", "--seconds", "1", status: 69,
                says: "was not seen", variables: strap.variables)
            #expect(!away.messages.contains("oist"))
            #expect(
                try await bench.run("devices", "forget", Self.two, "--role", "steps").text
                    == "It is no longer used for steps; it stays paired.\n")
            #expect(try await list() == ["01:heart", "02:", "03:pedometer", "05:"])
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
            let inventory = try await BluezInventory.look(on: .address(strap.address)).get()
            let address = try #require(BluetoothAddress(Self.one))
            #expect(inventory.device(address)?.isConnected == false)
        }
    }

    @Test("leaves Bluetooth to a recorder that runs")
    func besideRecorder() async throws {
        let record = try bench.start(["record", "--simulate", "--json"])
        try await record.event("sessionStarted")
        try await bench.expect("devices", "pair", Self.one, status: 75, says: "pulselog finish")
        await record.finish()
    }
}
