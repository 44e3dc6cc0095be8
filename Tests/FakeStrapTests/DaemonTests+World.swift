import BluetoothCentral
import Testing

@testable import DaemonModel

extension DaemonTests {
    // MARK: - Adapter and daemon

    private static let switchedOff = ["changed hci0 Powered=false Discovering=false"]
    private static let begun = [
        "owner came", "added bluez AgentManager1", "added hci0 Adapter1", "added \(device) Device1",
    ]
    private static let second = "/org/bluez/hci1/" + device

    static let powers = [
        Script(
            "switched off and on: the objects stay, and the subscriptions come back",
            [
                .reach, .subscribe, .act(.power(false)), connect, scan, .pass(milliseconds: 60_000),
                .hear(
                    down + switchedOff + [
                        "refusal Connect Failed: Input/output error",
                        "refusal StartDiscovery NotReady: Resource Not Ready",
                    ]),
                .act(.power(true)), connect, .pass(milliseconds: 100), .notify(0, 60),
                .hear(["changed hci0 Powered=true"] + linked + resolved + value("003c")),
            ]),
        Script(
            "an attempt that the power cut off is lost, and noticed late",
            [
                .reach, drop, connect, .pass(milliseconds: 1_000), .act(.power(false)),
                .act(.power(true)), comeBack, connect, .pass(milliseconds: 41_699),
                .hear(down + switchedOff + ["changed hci0 Powered=true"] + busy),
                .pass(milliseconds: 1), .hear(aborted),
            ]),
        Script(
            "pulled out and plugged in: all is removed, the strap is remembered",
            [
                .reach, .act(.plug(false)),
                .hear(
                    down + switchedOff + removed + ["removed hci0 Adapter1"]),
                .act(.plug(true)), .hear(begun.suffix(2) + []),
            ]),
        Script(
            "killed: only the owner's leaving shows it; in the next life no services are known",
            [
                .reach, .subscribe, drop, connect, .hear(down), .act(.daemon(isRunning: false)),
                .notify(0, 60), connect, .act(.daemon(isRunning: true)), startNotify,
                .hear(
                    ["owner left", "sent 003c 0"] + begun + [
                        "refusal StartNotify UnknownObject: Method \"StartNotify\" on interface "
                            + "\"org.bluez.GattCharacteristic1\" doesn't exist"
                    ]),
            ]),
        Script(
            "stopped: everything is removed, and then the owner leaves; the adapter stays on",
            [
                .reach, .act(.stopDaemon),
                .hear(down + switchedOff + removed + ["removed hci0 Adapter1", "owner left"]),
                .act(.daemon(isRunning: true)), connect, .pass(milliseconds: 20),
                .hear(begun + linked),
            ]),
        Script(
            "two adapters hear one strap, and share its one link",
            [
                .reach, .call("StartDiscovery", on: "/org/bluez/hci1"), drop, comeBack,
                .pass(milliseconds: 20), .call("Connect", on: second), connect,
                .pass(milliseconds: 1_000),
                .hear(
                    ["answer StartDiscovery", "changed hci1 Discovering=true"] + down + added
                        + linked + services + resolved),
                .act(.power(false, adapter: 1)), .pass(milliseconds: 100),
                .hear(
                    down + [
                        "changed hci1 Powered=false Discovering=false", "changed \(device) !RSSI",
                    ] + linked + resolved),
            ]
        ) { $0.adapters = [Controller(index: 0), Controller(index: 1)] },
    ]

    // MARK: - Mischief

    static let mischief = [
        Script(
            "the next call is answered as ordered, and the one after it as usual",
            [
                .reach,
                .act(
                    .reply(.refusal(name: "org.bluez.Error.Failed", message: "no"), to: "Connect")),
                .act(.reply(.nonsense, to: "ReadValue")), .act(.reply(.silence, to: "StartNotify")),
                .act(.reply(.done, to: "Disconnect")), connect, read, startNotify, disconnect,
                connect, read, .pass(milliseconds: 100),
                .hear([
                    "refusal Connect Failed: no", "answer ReadValue", "answer Disconnect",
                    "answer Connect", "changed char0011 Value=57", "answer ReadValue",
                ]),
            ]),
        Script(
            "a stranger claims what is not so, to all or to those who are subscribed",
            [
                .reach, .subscribe,
                .act(
                    .spoof(
                        strap: 0,
                        Scenario.Spoof(claim: .value(.heartRateMeasurement, [9]), isDirect: true))),
                .act(.spoof(strap: 0, Scenario.Spoof(claim: .drop, isDirect: false))), .notify(7),
                .hear(
                    ["spoof to a: changed char000b Value=09", "spoof to all: \(lost)"]
                        + value("07")),
            ]),
    ]
}
