import BluetoothCentral
import Testing

@testable import DaemonModel

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

    private static func heart(_ bytes: UInt8...) -> Scenario.Step {
        .act(.notify(strap: 0, .heartRateMeasurement, bytes))
    }

    private static func second(_ count: UInt64 = 1) -> Scenario.Step {
        .pause(milliseconds: count * 1_000)
    }

    static let known: [(text: String, steps: [Scenario.Step])] = [
        (#"{"sleep": 1.5}, {"log": "text"}"#, [.pause(milliseconds: 1_500)]),
        (
            #"{"wait": "subscribed", "char": "2A37", "device": "other", "timeout": 60}"#,
            [.wait(.subscribed(strap: 1, .heartRateMeasurement), limitMilliseconds: 60_000)]
        ),
        (
            #"{"at": 2}, {"at": 3, "rssi": null}, {"mark": true}"#,
            [
                .until(milliseconds: 2_000), .until(milliseconds: 3_000),
                .act(.setRSSI(strap: 0, nil)), .mark,
            ]
        ),
        (
            #"{"notify": "2A37", "hex": ["0048", ""], "every": 1}"#,
            [heart(0, 0x48), second(), heart(), second()]
        ),
        (
            #"{"stream": "counter", "for": 2}, {"stream": "hr", "for": 1, "bpm": [60, 90], "#
                + #""rr": true, "contact": true}, {"hr": 72, "energy": 5, "wide": true}"#,
            [
                heart(0, 1), second(), heart(0, 2), second(), heart(0x16, 60, 0, 4), second(),
                heart(9, 72, 0, 5, 0),
            ]
        ),
        (
            #"{"stream": "rsc", "for": 1}, "#
                + #"{"rsc": {"speed": 3.2, "cadence": 86, "stride": 1.1, "distance": 10}}"#,
            [
                .act(.notify(strap: 0, .runningSpeedCadenceMeasurement, [0, 0x80, 1, 110])),
                second(),
                .act(
                    .notify(
                        strap: 0, .runningSpeedCadenceMeasurement,
                        [7, 0x33, 0x03, 86, 110, 0, 100, 0, 0, 0])),
            ]
        ),
        (
            #"{"drop": "out-of-range", "for": 9}, {"drop": "terminate"}"#,
            [
                .act(.drop(strap: 0)), second(9), .act(.advertise(strap: 0, true)),
                .act(.drop(strap: 0, .remote)),
            ]
        ),
        (
            #"{"faults": {"deaf": true, "copies": 2, "services_delay": 4}}, "#
                + #"{"fail_connects": 2}, {"mute": true}, {"name": ""}"#,
            [
                .act(.setFaults(strap: 0, faults)), .act(.breakLinks(strap: 0, count: 2)),
                .act(.mute(strap: 0, true)), .act(.setName(strap: 0, nil)),
            ]
        ),
        (
            #"{"repeat": 2, "every": 3, "steps": [{"power": true, "hci": 1}, {"sleep": 1}]}"#,
            [
                .act(.power(true, adapter: 1)), second(), second(2),
                .act(.power(true, adapter: 1)), second(), second(2),
            ]
        ),
    ]

    private static var faults: Strap.Faults {
        var faults = Strap.Faults()
        faults.isDeaf = true
        faults.copies = 2
        faults.servicesDelayMilliseconds = 4_000
        return faults
    }

    @Test("are read step by step", arguments: known)
    func reads(_ row: (text: String, steps: [Scenario.Step])) throws {
        #expect(try Self.steps(row.text) == row.steps)
    }

    static let wrong: [(text: String, place: String)] = [
        (
            #"{"sleep": 1, "slep": 2}"#,
            "the scenario.play[0] has an unknown key: slep"
        ),
        (#"{"wait": "rain"}"#, "the scenario.play[0].wait"),
        (#"{"stream": "hr", "rate": 2000, "for": 3600}"#, "the scenario.play[0].count"),
        (#"{"parallel": [{"sleep": 1}]}"#, "the scenario.play[0].parallel[0] has to be a list"),
        (
            #"{"parallel": [[{"sleep": -1}]]}"#,
            "the scenario.play[0].parallel[0][0].sleep"
        ),
        (#"{"malformed": "value-oversized", "size": 99999999}"#, "the scenario.play[0].size"),
    ]

    @Test("are refused with the place that is wrong", arguments: wrong)
    func refuses(_ row: (text: String, place: String)) throws {
        let error = #expect(throws: ScenarioError.self) { try Self.steps(row.text) }
        #expect(error?.description.hasPrefix(row.place) == true, "\(error?.description ?? "")")
    }

    @Test("describe straps")
    func straps() throws {
        let text = """
            {"about": "One.", "devices": [
              {"id": "a", "address": "C4:00:00:00:00:01", "address_type": "public", "battery": 12,
               "location": 2, "advertise": false, "manufacturer": "Works",
               "play": [{"advertise": true}], "services": ["hr", "battery", "dis",
                 {"uuid": "1234", "characteristics": [
                   {"uuid": "5678", "properties": "READ|NOTIFY", "hex": "01ff"}]}]}]}
            """
        let scenario = try Scenario(json: Array(text.utf8))
        let strap = try #require(scenario.straps.first)
        #expect(strap.advertised == [BluetoothUUID(0x180D)])
        #expect(strap.addressType == "public" && !strap.isAdvertising)
        let characteristics = strap.services.flatMap(\.characteristics)
        let texts = ["Works", "Strap-1", "0001", "1.0.0"].map { Array($0.utf8) }
        #expect(characteristics.map(\.value) == [[], [2], [12]] + texts + [[1, 255]])
        #expect(scenario.parts == [[.act(.advertise(strap: 0, true))]])
        #expect(characteristics.last?.flags == ["read", "notify"])
    }
}
