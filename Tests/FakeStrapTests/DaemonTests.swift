import Testing

@testable import DaemonModel

/// What bluetoothd 5.66 was measured to do, as scripts: the model does the same.
@Suite("bluetoothd as a value")
struct DaemonTests {
    struct Script: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var scenario = Scenario(straps: [.heart])
        let steps: [Bench.Step]

        init(
            _ testDescription: String, _ steps: [Bench.Step],
            scenario edit: (inout Scenario) -> Void = { _ in }
        ) {
            (self.testDescription, self.steps) = (testDescription, steps)
            edit(&scenario)
        }
    }

    @Test(
        "does what it was measured to do",
        arguments: links + badLinks + values + pairing + powers + mischief)
    func script(_ script: Script) {
        var bench = Bench(script.scenario)
        for step in script.steps { bench.take(step) }
    }

    static let device = "dev_C4_00_00_00_00_01"
    static let scan = Bench.Step.call("StartDiscovery", on: Name.adapter)
    static let endScan = Bench.Step.call("StopDiscovery", on: Name.adapter)
    static let connect = Bench.Step.call("Connect")
    static let disconnect = Bench.Step.call("Disconnect")
    static let read = Bench.Step.call("ReadValue", on: Name.battery)
    static let startNotify = Bench.Step.call("StartNotify", on: Name.measurement)
    static let drop = Bench.Step.act(.drop(strap: 0))
    static let comeBack = Bench.Step.act(.advertise(strap: 0, true))

    static let scanning = ["answer StartDiscovery", "changed hci0 Discovering=true"]
    static let added = ["added \(device) Device1"]
    static let busy = ["refusal Connect Failed: Operation already in progress"]
    static let aborted = ["refusal Connect Failed: le-connection-abort-by-local"]
    static let canceled = ["refusal Connect Failed: br-connection-canceled"]
    static let linked = ["changed \(device) Connected=true", "answer Connect"]
    static let resolved = ["changed \(device) ServicesResolved=true", "added \(device) Battery1"]
    static let unlinked = ["changed \(device) Connected=false"]
    static let lost = "changed \(device) ServicesResolved=false Connected=false"
    static let down = [lost, "removed \(device) Battery1"]
    static let subscribed = ["changed char000b Notifying=true", "answer StartNotify"]
    static let services = [
        "added service000a GattService1", "added char000b GattCharacteristic1",
        "added desc000d GattDescriptor1", "added char000e GattCharacteristic1",
        "added service0010 GattService1", "added char0011 GattCharacteristic1",
        "added desc0013 GattDescriptor1",
    ]
    static let removed = [
        "removed desc0013 GattDescriptor1", "removed char0011 GattCharacteristic1",
        "removed service0010 GattService1", "removed char000e GattCharacteristic1",
        "removed desc000d GattDescriptor1", "removed char000b GattCharacteristic1",
        "removed service000a GattService1", "removed \(device) Device1",
    ]

    /// A value that one program gets.
    static func value(_ hex: String) -> [String] {
        ["changed char000b Value=\(hex)", "sent \(hex) 1"]
    }

    // MARK: - Scans and links

    static let links = [
        Script(
            "each program has a scan, and the last one ends it",
            [
                scan, scan, .pass(milliseconds: 20),
                .hear(
                    scanning + ["refusal StartDiscovery InProgress: Operation already in progress"]
                        + added),
                .call("StartDiscovery", on: Name.adapter, by: "b"), .pass(milliseconds: 20),
                .hear(["answer StartDiscovery", "changed \(device) RSSI=-58"]),
                endScan, endScan, .leave("b"),
                .hear([
                    "answer StopDiscovery", "refusal StopDiscovery Failed: No discovery started",
                    "changed \(device) !RSSI", "changed hci0 Discovering=false",
                ]),
            ]),
        Script(
            "a link comes in the order of bluetoothd",
            [
                .find, connect, .call("Connect", by: "b"), .pass(milliseconds: 100), connect,
                .hear(busy + linked + services + resolved + ["answer Connect"]),
            ]),
        Script(
            "a strap is forgotten 30 s after the link, children first",
            [
                .reach, disconnect, disconnect, .pass(milliseconds: 20),
                .hear([lost, "answer Disconnect", "answer Disconnect"] + down.suffix(1)),
                .pass(milliseconds: 29_999), .hear([]), .pass(milliseconds: 1), .hear(removed),
            ]),
        Script(
            "a link that another program has left is there, with all objects, and kept",
            [
                scan, startNotify, .pass(milliseconds: 60_000), .notify(0, 60),
                .hear(scanning + subscribed + value("003c")),
                drop, endScan, .pass(milliseconds: 60_000),
                .hear(down + ["changed hci0 Discovering=false", "answer StopDiscovery"]),
            ]
        ) { $0.straps[0].acquaintance = .linked },
        Script(
            "a loss keeps the objects and the subscriptions",
            [
                .reach, .subscribe, drop, startNotify, .notify(0, 60),
                .hear(
                    down + [
                        "refusal StartNotify InProgress: Operation already in progress",
                        "sent 003c 0",
                    ]),
                connect, comeBack, .pass(milliseconds: 100), startNotify, .notify(0, 61),
                .hear(linked + resolved + ["answer StartNotify"] + value("003d")),
            ]),
        Script(
            "bluetoothd says why a link ended, if it is new enough",
            [
                .reach, .act(.drop(strap: 0, .remote)),
                .hear([lost, "disconnected \(device) Remote"] + down.suffix(1)),
            ]
        ) { $0.tellsReasons = true },
    ]

    static let badLinks = [
        Script(
            "a strap that is away is waited for, 41.7 s, and kept so long",
            [
                .reach, drop, connect, .pass(milliseconds: 41_699), .hear(down),
                .pass(milliseconds: 1), .hear(aborted), .pass(milliseconds: 30_000),
                .hear(removed),
            ]),
        Script(
            "waiting is called off by Disconnect",
            [
                .reach, drop, connect, disconnect, disconnect,
                .hear(
                    down + canceled + [
                        "answer Disconnect", "refusal Disconnect NotConnected: Not Connected",
                    ]),
            ]),
        Script(
            "a deaf strap is heard, and waited for in vain",
            [
                .find, connect, .pass(milliseconds: 41_700), .hear(aborted), connect,
                .act(.setFaults(strap: 0, Strap.Faults())), .pass(milliseconds: 20), .hear(linked),
            ]
        ) { $0.straps[0].faults.isDeaf = true },
        Script(
            "links break in the moment they are made, or a while later",
            [
                .find, .act(.breakLinks(strap: 0, count: 1)), connect, .pass(milliseconds: 20),
                .hear(linked.prefix(1) + aborted + unlinked),
                connect, .pass(milliseconds: 24), .hear(linked + unlinked),
            ]
        ) { $0.straps[0].faults.linkMilliseconds = 4 },
        Script(
            "an attempt that bluetoothd is lost in ends only by Disconnect",
            [
                .find, connect, .pass(milliseconds: 100_000), connect, disconnect,
                .hear(busy + canceled + ["answer Disconnect"]),
            ]
        ) { $0.straps[0].faults.isLosingAttempts = true },
        Script(
            "objects may come after the promise that they are there",
            [
                .find, connect, .pass(milliseconds: 53), .hear(linked + resolved.prefix(1)),
                .pass(milliseconds: 5), .hear(services),
            ]
        ) {
            $0.straps[0].faults.servicesDelayMilliseconds = 3
            $0.straps[0].faults.objectsDelayMilliseconds = 5
        },
    ]
}
