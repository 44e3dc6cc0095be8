import Testing

@testable import FakeStrap

@Suite("Scenario files")
struct ScenarioTests {
    private static func steps(_ text: String) throws -> [Scenario.Step] {
        let scenario = try Scenario(
            json: Array(
                """
                {"adapters": [{}, {"address": "00:AA:01:00:00:50", "powered": false}],
                 "devices": [
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
        (#"{"drop": "terminate"}"#, [.act(.drop(strap: 0, .remote))]),
        (#"{"advertise": false}"#, [.act(.advertise(strap: 0, false))]),
        (#"{"rssi": 127}"#, [.act(.setRSSI(strap: 0, 127))]),
        (#"{"rssi": null}"#, [.act(.setRSSI(strap: 0, nil))]),
        (#"{"set": "2A19", "hex": "0c"}"#, [.act(.setValue(strap: 0, .batteryLevel, [12]))]),
        (
            #"{"set": "2A19", "hex": "0c", "notify": true}"#,
            [.act(.notify(strap: 0, .batteryLevel, [12]))]
        ),
        (
            #"{"faults": {"deaf": true, "copies": 2, "early_values": ["00"],"#
                + #" "services_delay": 4}}"#,
            [
                .act(
                    .setFaults(
                        strap: 0,
                        Strap.Faults(
                            isDeaf: true, servicesDelayMilliseconds: 4_000, earlyValues: [[0]],
                            copies: 2)))
            ]
        ),
        (#"{"at": 2}"#, [.until(milliseconds: 2_000)]),
        (
            #"{"at": 2, "rssi": 127}"#,
            [.until(milliseconds: 2_000), .act(.setRSSI(strap: 0, 127))]
        ),
        (#"{"mark": true}"#, [.mark]),
        (
            #"{"parallel": [[{"sleep": 1}, {"mark": true}], [], [{"advertise": false}]]}"#,
            [
                .parallel([
                    [.pause(milliseconds: 1_000), .mark], [],
                    [.act(.advertise(strap: 0, false))],
                ])
            ]
        ),
        (
            #"{"hr": 72, "rr": [833], "contact": true, "energy": 5, "wide": true}"#,
            [
                .act(
                    .notify(
                        strap: 0, .heartRateMeasurement, [0x1F, 72, 0, 5, 0, 0x55, 0x03]))
            ]
        ),
        (#"{"hr": 300}"#, [.act(.notify(strap: 0, .heartRateMeasurement, [1, 0x2C, 1]))]),
        (
            #"{"rsc": {"speed": 3.2, "cadence": 86, "stride": 1.1, "distance": 10}}"#,
            [
                .act(
                    .notify(
                        strap: 0, .runningSpeedCadenceMeasurement,
                        [7, 0x33, 0x03, 86, 110, 0, 100, 0, 0, 0]))
            ]
        ),
        (#"{"name": "\u001b[2J"}"#, [.act(.setName(strap: 0, "\u{1B}[2J"))]),
        (#"{"name": ""}"#, [.act(.setName(strap: 0, nil))]),
        (#"{"mute": true}"#, [.act(.mute(strap: 0, true))]),
        (#"{"fail_connects": 2}"#, [.act(.breakLinks(strap: 0, count: 2))]),
        (
            #"{"errors": {"2A38": 14, "2A37.CCCD": 128}}"#,
            [
                .act(
                    .setErrors(
                        strap: 0,
                        AttributeErrors(
                            reads: [.bodySensorLocation: 14],
                            subscriptions: [.heartRateMeasurement: 128])))
            ]
        ),
        (
            #"{"spoof": "2A37", "hex": "00ff"}"#,
            [
                .act(
                    .spoof(
                        strap: 0,
                        Scenario.Spoof(
                            claim: .value(.heartRateMeasurement, [0, 255]), isDirect: false)))
            ]
        ),
        (
            #"{"spoof": "drop", "direct": true}"#,
            [.act(.spoof(strap: 0, Scenario.Spoof(claim: .drop, isDirect: true)))]
        ),
        (
            #"{"malformed": "value-oversized", "size": 513}"#,
            [.act(.malform(strap: 0, .heartRateMeasurement, .valueOversized, sizeBytes: 513))]
        ),
        (#"{"garble": "ReadValue"}"#, [.act(.reply(.nonsense, to: "ReadValue"))]),
        (#"{"ignore": "Connect"}"#, [.act(.reply(.silence, to: "Connect"))]),
        (#"{"daemon": "stop"}"#, [.act(.stopDaemon)]),
        (#"{"power": true, "hci": 1}"#, [.act(.power(true, adapter: 1))]),
        (#"{"adapter": "plug", "hci": 1}"#, [.act(.plug(true, adapter: 1))]),
        (
            #"{"repeat": 2, "every": 3, "steps": [{"sleep": 1}]}"#,
            [
                .pause(milliseconds: 1_000), .pause(milliseconds: 2_000),
                .pause(milliseconds: 1_000), .pause(milliseconds: 2_000),
            ]
        ),
        (#"{"power": false}"#, [.act(.power(false))]),
        (#"{"adapter": "unplug"}"#, [.act(.plug(false))]),
        (#"{"daemon": "kill"}"#, [.act(.daemon(isRunning: false))]),
        (
            #"{"refuse": "Connect", "message": "le-connection-abort-by-local"}"#,
            [
                .act(
                    .reply(
                        .refusal(
                            name: "org.bluez.Error.Failed",
                            message: "le-connection-abort-by-local"), to: "Connect"))
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
            "the scenario.play[0] has an unknown key: slep"
        ),
        (#"{"wait": "rain"}"#, "the scenario.play[0].wait"),
        (#"{"notify": "2A37"}"#, "the scenario.play[0].hex"),
        (#"{"notify": "2A3", "hex": ""}"#, "the scenario.play[0].notify"),
        (#"{"notify": "2A37", "hex": "0"}"#, "the scenario.play[0].hex"),
        (#"{"drop": "terminate", "device": "nobody"}"#, "the scenario.play[0].device"),
        (#"{"faults": {"moody": true}}"#, "the scenario.play[0].faults has an unknown key"),
        (#"{"stream": "hr", "bpm": [0, 90]}"#, "the scenario.play[0].bpm"),
        (#"{"stream": "hr", "rate": 0}"#, "the scenario.play[0].rate"),
        (#"{"stream": "hr", "rate": 2001}"#, "the scenario.play[0].rate"),
        (#"{"stream": "hr", "rate": 2000, "for": 3600}"#, "the scenario.play[0].count"),
        (#"{"parallel": [{"sleep": 1}]}"#, "the scenario.play[0].parallel[0] has to be a list"),
        (
            #"{"parallel": [[{"sleep": -1}]]}"#,
            "the scenario.play[0].parallel[0][0].sleep"
        ),
        (#"{"power": true, "hci": 2}"#, "the scenario.play[0].hci"),
        (#"{"hr": -1}"#, "the scenario.play[0].hr"),
        (#"{"rsc": {"speed": 1}}"#, "the scenario.play[0].rsc.cadence"),
        (#"{"errors": {"2A38": 0}}"#, "the scenario.play[0].errors.2A38"),
        (#"{"errors": {"heart": 1}}"#, "the scenario.play[0].errors has to name"),
        (#"{"malformed": "badly"}"#, "the scenario.play[0].malformed"),
        (#"{"malformed": "value-oversized", "size": 99999999}"#, "the scenario.play[0].size"),
        (#"{"spoof": "rain"}"#, "the scenario.play[0].spoof"),
        (#"{"drop": "sideways"}"#, "the scenario.play[0].drop"),
        (#"{"daemon": "feed"}"#, "the scenario.play[0].daemon"),
        (#"{"guest": "date -s +1hour"}"#, "the scenario.play[0] is not a known step"),
        (#"{"dance": true}"#, "the scenario.play[0] is not a known step"),
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
