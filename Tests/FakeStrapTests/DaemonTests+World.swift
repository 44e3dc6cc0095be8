import BluetoothCentral
import DBus
import Testing

@testable import DaemonModel

// MARK: - Adapter and daemon

extension DaemonTests {
    static let powers = [
        Script(
            "switched off and on: the objects stay, and the subscriptions come back",
            [
                .reach, .subscribe, .act(.power(false)), .call("Connect"), scan, endScan,
                .pass(milliseconds: 60_000), .act(.power(true)), .call("Connect"),
                .pass(milliseconds: 100), .notify(0, 60),
                .hear(
                    [
                        lost, "removed \(device) Battery1",
                        "changed hci0 Powered=false Discovering=false",
                        "refusal Connect Failed: Input/output error",
                        "refusal StartDiscovery NotReady: Resource Not Ready",
                        "refusal StopDiscovery NotReady: Resource Not Ready",
                        "changed hci0 Powered=true",
                    ] + again + ["changed char000b Value=003c", "sent 003c 1"]),
            ]),
        Script(
            "an attempt that the power cut off is lost, and noticed late",
            [
                .reach, drop, .call("Connect"), .pass(milliseconds: 1_000), .act(.power(false)),
                .act(.power(true)), comeBack, .call("Connect"), .pass(milliseconds: 41_699),
                .hear([
                    lost, "removed \(device) Battery1",
                    "changed hci0 Powered=false Discovering=false", "changed hci0 Powered=true",
                    "refusal Connect Failed: Operation already in progress",
                ]),
                .pass(milliseconds: 1), .hear([aborted]),
            ]),
        Script(
            "pulled out and plugged in: all is removed, the strap is remembered",
            [
                .reach, .act(.plug(false)), .act(.plug(true)),
                .hear(
                    [
                        lost, "removed \(device) Battery1",
                        "changed hci0 Powered=false Discovering=false",
                    ] + removed + [
                        "removed hci0 Adapter1", "added hci0 Adapter1", "added \(device) Device1",
                    ]),
            ]),
        Script(
            "killed: only the owner's leaving shows it; in the next life no services are known",
            [
                .reach, .subscribe, drop, .hear([lost, "removed \(device) Battery1"]),
                .call("Connect"), .act(.daemon(isRunning: false)), .notify(0, 60), .call("Connect"),
                .act(.daemon(isRunning: true)), .call("StartNotify", on: Name.measurement),
                .hear([
                    "owner left", "sent 003c 0", "owner came", "added bluez AgentManager1",
                    "added hci0 Adapter1", "added \(device) Device1",
                    "refusal StartNotify UnknownObject: Method \"StartNotify\" on interface "
                        + "\"org.bluez.GattCharacteristic1\" doesn't exist",
                ]),
            ]),
        Script(
            "stopped: everything is removed, and then the owner leaves; the adapter stays as it was",
            [
                .reach, .act(.stopDaemon),
                .hear(
                    [
                        lost, "removed \(device) Battery1",
                        "changed hci0 Powered=false Discovering=false",
                    ] + removed + ["removed hci0 Adapter1", "owner left"]),
                .act(.daemon(isRunning: true)), comeBack, .call("Connect"), .pass(milliseconds: 20),
                .hear([
                    "owner came", "added bluez AgentManager1", "added hci0 Adapter1",
                    "added \(device) Device1", "changed \(device) Connected=true",
                    "answer Connect",
                ]),
            ]),
        Script(
            "two adapters hear one strap, and share its one link",
            [
                .reach, .call("StartDiscovery", on: "/org/bluez/hci1"), drop, comeBack,
                .pass(milliseconds: 20), .call("Connect", on: second), .call("Connect"),
                .pass(milliseconds: 1_000), .act(.power(false, adapter: 1)),
                .pass(milliseconds: 100),
                .hear(
                    [
                        "answer StartDiscovery", "changed hci1 Discovering=true", lost,
                        "removed \(device) Battery1", "added \(device) Device1",
                    ] + again.prefix(2) + services + again.suffix(2) + [
                        lost, "removed \(device) Battery1",
                        "changed hci1 Powered=false Discovering=false", "changed \(device) !RSSI",
                    ] + again),
            ]
        ) { $0.adapters = [Controller(index: 0), Controller(index: 1)] },
    ]

    private static let second = "/org/bluez/hci1/" + device

    // MARK: - Mischief

    static let mischief = [
        Script(
            "the next call is answered as ordered, and the one after it as usual",
            [
                .reach,
                .act(
                    .reply(.refusal(name: "org.bluez.Error.Failed", message: "no"), to: "Connect")),
                .act(.reply(.nonsense, to: "ReadValue")), .act(.reply(.silence, to: "StartNotify")),
                .act(.reply(.done, to: "Disconnect")), .call("Connect"), read, startNotify,
                .call("Disconnect"), .call("Connect"), read, .pass(milliseconds: 100),
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
                .hear([
                    "spoof to a: changed char000b Value=09", "spoof to all: \(lost)",
                    "changed char000b Value=07", "sent 07 1",
                ]),
            ]),
    ]

    @Test("says each malformed thing once, and goes on", arguments: Malformation.allCases)
    func malformed(_ malformation: Malformation) {
        var bench = Bench(Scenario(straps: [.heart]))
        for step in [Bench.Step.reach, .subscribe] { bench.take(step) }
        bench.change {
            $0.act(.malform(strap: 0, .heartRateMeasurement, malformation, sizeBytes: 513))
        }
        bench.take(.notify(7))
        #expect(bench.lines.count == 3)
        #expect(bench.lines.suffix(2) == ["changed char000b Value=07", "sent 07 1"])
    }

    /// Filters, and the straps that fit.
    static let filters: [(filter: [(String, Value)], seen: [Int])] = [
        ([], [1, 2, 3, 4]),
        ([("UUIDs", .strings(["180d"])), ("DuplicateData", .boolean(false))], [1]),
        ([("UUIDs", .strings(["0000180D-0000-1000-8000-00805F9B34FB", "1814"]))], [1, 2]),
        ([("Transport", .string("bredr"))], []),
    ]

    @Test("shows the straps that fit the filter and no others", arguments: filters)
    func fits(_ row: (filter: [(String, Value)], seen: [Int])) {
        let straps: [Strap] = [
            .make(1, "Same", "hr"), .make(2, "Same", "rsc"), .make(3, "Watch", "motion"),
            .make(4, "Lamp", "battery"),
        ]
        var bench = Bench(Scenario(straps: straps))
        bench.take(.call("SetDiscoveryFilter", on: Name.adapter, [.properties(row.filter)]))
        bench.take(Self.scan)
        bench.pass(20)
        let added = row.seen.map { "added dev_C4_00_00_00_00_0\($0) Device1" }
        #expect(bench.lines == ["answer SetDiscoveryFilter"] + Self.beginning + added)
    }
}
