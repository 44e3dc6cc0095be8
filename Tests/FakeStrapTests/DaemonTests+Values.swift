import BluetoothCentral
import DBus

@testable import DaemonModel

// MARK: - Values and requests

extension DaemonTests {
    static let values = [
        Script(
            "values come byte for byte, once for each subscriber",
            [
                .reach, .subscribe, .notify(0, 60), .notify(0, 60), .notify(),
                .hear([
                    "changed char000b Value=003c", "sent 003c 1", "changed char000b Value=003c",
                    "sent 003c 1", "changed char000b Value=", "sent  1",
                ]),
                .call("StartNotify", on: Name.measurement, by: "b"), .pass(milliseconds: 5),
                .notify(0, 61), .leave("b"), .notify(0, 62),
                .hear([
                    "answer StartNotify", "changed char000b Value=003d",
                    "changed char000b Value=003d", "sent 003d 2", "changed char000b Value=003e",
                    "sent 003e 1",
                ]),
            ]),
        Script(
            "values are lost while nobody is subscribed; the link stays",
            [
                .reach, .subscribe, .call("StopNotify", on: Name.measurement),
                .call("StopNotify", on: Name.measurement), .notify(0, 60), .call("Connect"),
                .hear([
                    "changed char000b Notifying=false", "answer StopNotify",
                    "refusal StopNotify Failed: No notify session started", "sent 003c 0",
                    "answer Connect",
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
                .reach, read, .pass(milliseconds: 5),
                .act(.setValue(strap: 0, .batteryLevel, [86])),
                read, .pass(milliseconds: 5), .act(.notify(strap: 0, .batteryLevel, [85])),
                .hear([
                    "changed char0011 Value=57", "answer ReadValue", "changed char0011 Value=56",
                    "answer ReadValue", "changed \(device) Percentage=85", "sent 55 0",
                ]),
            ]),
    ]

    static let requests = [
        Script(
            "requests that make no sense are refused in bluetoothd's words",
            [
                .reach, .call("ReadValue", on: Name.measurement),
                .call("StartNotify", on: Name.location),
                .call("Connect", on: Name.adapter + "/dev_0"),
                .hear([
                    "refusal ReadValue NotPermitted: Read not permitted",
                    "refusal StartNotify NotSupported: Operation is not supported",
                    "refusal Connect UnknownObject: Method \"Connect\" on interface "
                        + "\"org.bluez.Device1\" doesn't exist",
                ]),
                drop, read,
                .hear([
                    lost, "removed \(device) Battery1", "refusal ReadValue Failed: Not connected",
                ]),
            ]),
        Script(
            "a strap answers with errors, until it does no longer",
            [
                .reach,
                .act(
                    .setErrors(
                        strap: 0,
                        AttributeErrors(
                            reads: [.batteryLevel: 0x05],
                            subscriptions: [.heartRateMeasurement: 0x80]))),
                read, startNotify, .call("ReadValue", on: Name.location), .pass(milliseconds: 5),
                .act(.setErrors(strap: 0, AttributeErrors())), startNotify, .pass(milliseconds: 5),
                .hear([
                    "refusal ReadValue NotPermitted: Not paired",
                    "refusal StartNotify Failed: Operation failed with ATT error: 0x80",
                    "changed char000e Value=01", "answer ReadValue",
                    "changed char000b Notifying=true", "answer StartNotify",
                ]),
            ]),
        Script(
            "a mute strap sends nothing, fails a read after 30 s, and is given up 2 s later",
            [
                .reach, .subscribe, .act(.mute(strap: 0, true)), .notify(0, 60), read,
                .pass(milliseconds: 29_999), .hear(["sent 003c 0"]), .pass(milliseconds: 1),
                .hear(["refusal ReadValue Failed: Operation failed with ATT error: 0x0e"]),
                .pass(milliseconds: 2_000), .hear([lost, "removed \(device) Battery1"]),
            ]),
        Script(
            "a mute strap gets a link whose services never come",
            [
                .find, .act(.mute(strap: 0, true)), .call("Connect"), .pass(milliseconds: 32_020),
                .hear(again.prefix(2) + ["changed \(device) Connected=false"]),
            ]),
    ]

    // MARK: - Pairing

    private static let register = Bench.Step.call(
        "RegisterAgent", on: "/org/bluez", [.objectPath("/agent"), .string("NoInputNoOutput")])

    private static func encrypted(_ scenario: inout Scenario) {
        scenario.straps[0].isEncrypted = true
    }

    static let pairing = [
        Script(
            "without an agent a strap that wants pairing answers nothing, and is removed",
            [
                .reach, startNotify, read, .pass(milliseconds: 29_999), .hear([]),
                .pass(milliseconds: 1), .hear([lost, "removed \(device) Battery1"] + removed),
            ], scenario: encrypted),
        Script(
            "an agent's consent lets the requests go on, once and for all links",
            [
                register, .reach, startNotify, .consent(true), .pass(milliseconds: 30),
                .hear([
                    "question RequestAuthorization", "changed \(device) Paired=true Bonded=true",
                    "changed char000b Notifying=true", "answer StartNotify",
                ]),
                drop, .pass(milliseconds: 60_000), comeBack, .call("Connect"),
                .pass(milliseconds: 100), read, .pass(milliseconds: 5),
                .hear(
                    [lost, "removed \(device) Battery1"] + again + [
                        "changed char0011 Value=57", "answer ReadValue",
                    ]),
            ], scenario: encrypted),
        Script(
            "agents are known as long as they are there",
            [
                register, register,
                .hear([
                    "answer RegisterAgent", "refusal RegisterAgent AlreadyExists: Already Exists",
                ]),
                .leave("a"), .reach, startNotify, .hear([]),
            ], scenario: encrypted),
    ]
}
