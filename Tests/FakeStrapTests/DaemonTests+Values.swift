import BluetoothCentral
import DBus

@testable import DaemonModel

extension DaemonTests {
    // MARK: - Values and requests

    static let values = [
        Script(
            "values come byte for byte, once for each subscriber, and are lost without one",
            [
                .reach, .subscribe, .notify(0, 60), .notify(0, 60), .notify(),
                .hear(value("003c") + value("003c") + value("")),
                .call("StartNotify", on: Name.measurement, by: "b"), .pass(milliseconds: 5),
                .notify(0, 61), .leave("b"), .notify(0, 62),
                .hear(
                    ["answer StartNotify", "changed char000b Value=003d"]
                        + ["changed char000b Value=003d", "sent 003d 2"] + value("003e")),
                .call("StopNotify", on: Name.measurement),
                .call("StopNotify", on: Name.measurement), .notify(0, 60),
                .hear([
                    "changed char000b Notifying=false", "answer StopNotify",
                    "refusal StopNotify Failed: No notify session started", "sent 003c 0",
                ]),
            ]),
        Script(
            "values may come before the answer of StartNotify, and more than once",
            [
                .reach, startNotify, .pass(milliseconds: 5),
                .hear([
                    "changed char000b Notifying=true", "changed char000b Value=003b",
                    "changed char000b Value=003b", "sent 003b 2", "answer StartNotify",
                ]),
            ]
        ) {
            $0.straps[0].faults.earlyValues = [[0, 59]]
            $0.straps[0].faults.copies = 2
        },
        Script(
            "what is read is also signalled; the battery has its own interface",
            [
                .reach, .act(.setValue(strap: 0, .batteryLevel, [86])), read,
                .pass(milliseconds: 5), .act(.notify(strap: 0, .batteryLevel, [85])),
                .hear([
                    "changed char0011 Value=56", "answer ReadValue",
                    "changed \(device) Percentage=85", "sent 55 0",
                ]),
            ]),
        Script(
            "requests that make no sense are refused in bluetoothd's words",
            [
                .reach, .call("ReadValue", on: Name.measurement),
                .call("StartNotify", on: Name.location), drop, read,
                .hear(
                    [
                        "refusal ReadValue NotPermitted: Read not permitted",
                        "refusal StartNotify NotSupported: Operation is not supported",
                    ] + down + ["refusal ReadValue Failed: Not connected"]),
            ]),
        Script(
            "a strap answers with errors",
            [
                .reach, read, startNotify, .call("ReadValue", on: Name.location),
                .pass(milliseconds: 5),
                .hear([
                    "refusal ReadValue NotPermitted: Not paired",
                    "refusal StartNotify Failed: Operation failed with ATT error: 0x80",
                    "changed char000e Value=01", "answer ReadValue",
                ]),
            ]
        ) {
            $0.straps[0].errors = AttributeErrors(
                reads: [.batteryLevel: 0x05], subscriptions: [.heartRateMeasurement: 0x80])
        },
        Script(
            "a mute strap sends nothing, fails a read after 30 s, and is given up 2 s later",
            [
                .reach, .subscribe, .act(.mute(strap: 0, true)), .pass(milliseconds: 60_000),
                .notify(0, 60), read, .pass(milliseconds: 29_999), .hear(["sent 003c 0"]),
                .pass(milliseconds: 1),
                .hear(["refusal ReadValue Failed: Operation failed with ATT error: 0x0e"]),
                .pass(milliseconds: 2_000), .hear(down),
            ]),
    ]

    // MARK: - Pairing

    private static let register = Bench.Step.call(
        "RegisterAgent", on: "/org/bluez", [.objectPath("/agent"), .string("NoInputNoOutput")])
    private static let question = ["question RequestAuthorization"]

    private static func encrypted(_ scenario: inout Scenario) {
        scenario.straps[0].isEncrypted = true
    }

    static let pairing = [
        Script(
            "without an agent a strap that wants pairing answers nothing, and is removed",
            [
                register, register, .leave("a"),
                .hear([
                    "answer RegisterAgent", "refusal RegisterAgent AlreadyExists: Already Exists",
                ]),
                .reach, startNotify, read, .pass(milliseconds: 29_999), .hear([]),
                .pass(milliseconds: 1), .hear(down + removed),
            ], scenario: encrypted),
        Script(
            "an agent's consent lets the requests go on, once and for all links",
            [
                register, .reach, startNotify, .consent(true), .pass(milliseconds: 30),
                .hear(question + ["changed \(device) Paired=true Bonded=true"] + subscribed),
                drop, .pass(milliseconds: 60_000), comeBack, connect, .pass(milliseconds: 100),
                read, .pass(milliseconds: 5),
                .hear(
                    down + linked + resolved + ["changed char0011 Value=57", "answer ReadValue"]),
            ], scenario: encrypted),
    ]
}
