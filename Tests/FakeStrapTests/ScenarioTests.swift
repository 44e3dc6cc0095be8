import Testing

@testable import FakeStrap

@Suite("Scenario files")
struct ScenarioTests {
    private static func steps(_ text: String) throws -> [Scenario.Step] {
        let scenario = try Scenario(
            json: Array(
                """
                {"devices": [
                   {"id": "strap", "address": "C4:00:00:00:00:01"},
                   {"id": "other", "address": "C4:00:00:00:00:02", "rssi": null}],
                 "play": [\(text)]}
                """.utf8))
        return scenario.parts.first ?? []
    }

    static let known: [(text: String, steps: [Scenario.Step])] = [
        (#"{"sleep": 1.5}"#, [.pause(milliseconds: 1_500)]),
        (#"{"log": "text"}"#, []),
        (
            #"{"wait": "subscribed", "timeout": 60}"#,
            [.wait(.subscribed(strap: 0, nil), limitMilliseconds: 60_000)]
        ),
        (
            #"{"wait": "subscribed", "char": "2A37", "device": "other"}"#,
            [.wait(.subscribed(strap: 1, .heartRateMeasurement), limitMilliseconds: nil)]
        ),
        (
            #"{"wait": "disconnected"}"#,
            [.wait(.disconnected(strap: 0), limitMilliseconds: nil)]
        ),
        (
            #"{"notify": "2A37", "hex": ["0048", ""], "every": 0.5}"#,
            [
                .act(.notify(strap: 0, .heartRateMeasurement, [0, 0x48])),
                .pause(milliseconds: 500),
                .act(.notify(strap: 0, .heartRateMeasurement, [])), .pause(milliseconds: 500),
            ]
        ),
        (
            #"{"stream": "counter", "for": 0.02, "rate": 100}"#,
            [
                .act(.notify(strap: 0, .heartRateMeasurement, [0, 1])), .pause(milliseconds: 10),
                .act(.notify(strap: 0, .heartRateMeasurement, [0, 2])), .pause(milliseconds: 10),
            ]
        ),
        (
            #"{"stream": "hr", "for": 1, "bpm": [60, 90], "rr": true, "contact": true}"#,
            [
                .act(.notify(strap: 0, .heartRateMeasurement, [0x16, 60, 0, 4])),
                .pause(milliseconds: 1_000),
            ]
        ),
        (
            #"{"stream": "rsc", "for": 0.5, "rate": 2}"#,
            [
                .act(.notify(strap: 0, .runningSpeedCadenceMeasurement, [0, 0x80, 1, 110])),
                .pause(milliseconds: 500),
            ]
        ),
        (
            #"{"stream": "hr", "for": 1, "bpm": 90}"#,
            [.act(.notify(strap: 0, .heartRateMeasurement, [0, 90])), .pause(milliseconds: 1_000)]
        ),
        (
            #"{"drop": "out-of-range", "for": 9}"#,
            [
                .act(.drop(strap: 0)), .pause(milliseconds: 9_000),
                .act(.advertise(strap: 0, true)),
            ]
        ),
        (#"{"drop": "terminate"}"#, [.act(.drop(strap: 0))]),
        (#"{"advertise": false}"#, [.act(.advertise(strap: 0, false))]),
        (#"{"rssi": 127}"#, [.act(.setRSSI(strap: 0, 127))]),
        (#"{"rssi": null}"#, [.act(.setRSSI(strap: 0, nil))]),
        (#"{"set": "2A19", "hex": "0c"}"#, [.act(.setValue(strap: 0, .batteryLevel, [12]))]),
        (
            #"{"set": "2A19", "hex": "0c", "notify": true}"#,
            [.act(.notify(strap: 0, .batteryLevel, [12]))]
        ),
        (
            #"{"faults": {"deaf": true, "copies": 2, "early_values": ["00"], "services_delay": 4}}"#,
            [
                .act(
                    .setFaults(
                        strap: 0,
                        Strap.Faults(
                            isDeaf: true, servicesDelayMilliseconds: 4_000, earlyValues: [[0]],
                            copies: 2)))
            ]
        ),
        (#"{"power": false}"#, [.act(.power(false))]),
        (#"{"adapter": "unplug"}"#, [.act(.plug(false))]),
        (#"{"daemon": "kill"}"#, [.act(.daemon(isRunning: false))]),
        (
            #"{"refuse": "Connect", "message": "le-connection-abort-by-local"}"#,
            [
                .act(
                    .refuse(
                        Scenario.Refusal(
                            member: "Connect", name: "org.bluez.Error.Failed",
                            message: "le-connection-abort-by-local")))
            ]
        ),
        (
            #"{"repeat": 2, "every": 1, "steps": [{"power": true}]}"#,
            [
                .act(.power(true)), .pause(milliseconds: 1_000), .act(.power(true)),
                .pause(milliseconds: 1_000),
            ]
        ),
    ]

    @Test("are read step by step", arguments: known)
    func reads(_ row: (text: String, steps: [Scenario.Step])) throws {
        #expect(try Self.steps(row.text) == row.steps)
    }

    static let wrong: [(text: String, place: String)] = [
        (#"{"sleep": -1}"#, "the scenario.play[0].sleep"),
        (
            #"{"sleep": 1, "slep": 2}"#,
            "the scenario.play[0] has a key that is not known here: slep"
        ),
        (#"{"wait": "rain"}"#, "the scenario.play[0].wait"),
        (#"{"notify": "2A37"}"#, "the scenario.play[0].hex"),
        (#"{"notify": "2A3", "hex": ""}"#, "the scenario.play[0].notify"),
        (#"{"notify": "2A37", "hex": "0"}"#, "the scenario.play[0].hex"),
        (#"{"drop": "terminate", "device": "nobody"}"#, "the scenario.play[0].device"),
        (#"{"faults": {"moody": true}}"#, "the scenario.play[0].faults has a key"),
        (#"{"stream": "hr", "bpm": [0, 90]}"#, "the scenario.play[0].bpm"),
        (#"{"stream": "hr", "rate": 0}"#, "the scenario.play[0].rate"),
        (#"{"dance": true}"#, "the scenario.play[0] is no step that is known"),
        (#"1"#, "the scenario.play[0] has to be an object"),
    ]

    @Test("are refused with the place that is wrong", arguments: wrong)
    func refuses(_ row: (text: String, place: String)) throws {
        let error = #expect(throws: ScenarioError.self) { try Self.steps(row.text) }
        #expect(error?.description.hasPrefix(row.place) == true, "\(error?.description ?? "")")
    }

    @Test(
        "are refused if straps cannot be told apart or reached",
        arguments: [
            #"{"address": "C4:00"}"#, #"{}"#,
            #"{"address": "C4:00:00:00:00:01", "address_type": "secret"}"#,
            #"{"address": "c4:00:00:00:00:01"}, {"address": "C4:00:00:00:00:01"}"#,
            #"{"address": "C4:00:00:00:00:01", "services": ["weather"]}"#,
        ])
    func strangers(_ devices: String) {
        #expect(throws: ScenarioError.self) {
            try Scenario(json: Array(#"{"devices": [\#(devices)]}"#.utf8))
        }
    }

    @Test("describe straps")
    func straps() throws {
        let text = """
            {"about": "One.", "devices": [
              {"id": "a", "name": "A", "address": "C4:00:00:00:00:01", "rssi": -70,
               "address_type": "public", "services": ["hr", "battery", "dis",
                 {"uuid": "1234", "characteristics": [
                   {"uuid": "5678", "properties": "READ|NOTIFY", "hex": "01ff"}]}],
               "battery": 12, "location": 2, "manufacturer": "Works", "advertise": false,
               "play": [{"advertise": true}]}]}
            """
        let scenario = try Scenario(json: Array(text.utf8))
        let strap = try #require(scenario.straps.first)
        #expect(strap.advertised == [GattUUID(0x180D)])
        #expect(strap.addressType == "public")
        #expect(!strap.isAdvertising)
        let characteristics = strap.services.flatMap(\.characteristics)
        #expect(
            characteristics.map(\.value) == [
                [], [2], [12], Array("Works".utf8), Array("Strap-1".utf8), Array("0001".utf8),
                Array("1.0.0".utf8), [1, 255],
            ])
        #expect(characteristics.last?.flags == ["read", "notify"])
        #expect(scenario.parts == [[.act(.advertise(strap: 0, true))]])
    }
}
