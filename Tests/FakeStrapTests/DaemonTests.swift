import Testing

@testable import DaemonModel

/// What bluetoothd 5.66 was measured to do, as scripts: the model does the same.
@Suite("bluetoothd as a value")
struct DaemonTests {
    struct Script: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var scenario: Scenario
        var timing: Timing
        let steps: [Bench.Step]

        init(
            _ testDescription: String, timing: Timing = .short, _ steps: [Bench.Step],
            scenario edit: (inout Scenario) -> Void = { _ in }
        ) {
            self.testDescription = testDescription
            self.steps = steps
            self.timing = timing
            scenario = Scenario(straps: [.heart])
            edit(&scenario)
        }
    }

    @Test(
        "does what it was measured to do",
        arguments: discovery + links + values + requests + pairing + powers + mischief)
    func script(_ script: Script) {
        var bench = Bench(script.scenario, timing: script.timing)
        for step in script.steps { bench.take(step) }
    }

    static let device = "dev_C4_00_00_00_00_01"
    static let lost = "changed \(device) ServicesResolved=false Connected=false"
    static let scan = Bench.Step.call("StartDiscovery", on: Name.adapter)
    static let endScan = Bench.Step.call("StopDiscovery", on: Name.adapter)
    static let read = Bench.Step.call("ReadValue", on: Name.battery)
    static let startNotify = Bench.Step.call("StartNotify", on: Name.measurement)
    static let drop = Bench.Step.act(.drop(strap: 0))
    static let comeBack = Bench.Step.act(.advertise(strap: 0, true))
    static let beginning = ["answer StartDiscovery", "changed hci0 Discovering=true"]
    static let aborted = "refusal Connect Failed: le-connection-abort-by-local"
    /// What comes of a link to a strap that is known with its services.
    static let again = [
        "changed \(device) Connected=true", "answer Connect",
        "changed \(device) ServicesResolved=true", "added \(device) Battery1",
    ]
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

    // MARK: - Scans

    static let discovery = [
        Script(
            "each client has a scan, and the last one ends it",
            [
                scan, scan, .pass(milliseconds: 20),
                .hear(
                    beginning + [
                        "refusal StartDiscovery InProgress: Operation already in progress",
                        "added \(device) Device1",
                    ]),
                .call("StartDiscovery", on: Name.adapter, by: "b"), .pass(milliseconds: 20),
                .hear(["answer StartDiscovery", "changed \(device) RSSI=-58"]),
                endScan, endScan,
                .hear([
                    "answer StopDiscovery", "refusal StopDiscovery Failed: No discovery started",
                ]),
                .leave("b"),
                .hear(["changed \(device) !RSSI", "changed hci0 Discovering=false"]),
            ]),
        Script(
            "a strap is forgotten 30 s after the link, children first",
            [
                .reach, .call("Disconnect"), .pass(milliseconds: 29_000),
                .hear([lost, "answer Disconnect", "removed \(device) Battery1"]),
                .pass(milliseconds: 1_100), .hear(removed),
            ]),
        Script(
            "a strap that somebody trusted is kept",
            [
                scan, endScan, .pass(milliseconds: 60_000),
                .hear(beginning + ["changed hci0 Discovering=false", "answer StopDiscovery"]),
                comeBack, .call("Connect"), .pass(milliseconds: 20),
                .hear(["changed \(device) Connected=true", "answer Connect"]),
            ]
        ) {
            $0.straps[0].acquaintance = .remembered
            $0.straps[0].isAdvertising = false
        },
    ]

    // MARK: - Links

    static let links = [
        Script(
            "a link comes in the order of bluetoothd",
            [
                .find, .call("Connect"), .call("Connect", by: "b"), .pass(milliseconds: 100),
                .call("Connect"),
                .hear(
                    ["refusal Connect Failed: Operation already in progress"] + again.prefix(2)
                        + services + again.suffix(2) + ["answer Connect"]),
            ]),
        Script(
            "a link that another program has left is there, with all objects",
            [
                scan, .pass(milliseconds: 60_000), .hear(beginning),
                startNotify, .pass(milliseconds: 5), .notify(0, 60),
                .hear([
                    "changed char000b Notifying=true", "answer StartNotify",
                    "changed char000b Value=003c", "sent 003c 1",
                ]),
            ]
        ) { $0.straps[0].acquaintance = .linked },
        Script(
            "a loss keeps the objects and the subscriptions",
            [
                .reach, .subscribe, drop, startNotify, .notify(0, 60),
                .hear([
                    lost, "removed \(device) Battery1",
                    "refusal StartNotify InProgress: Operation already in progress", "sent 003c 0",
                ]),
                .call("Connect"), comeBack, .pass(milliseconds: 100), startNotify, .notify(0, 61),
                .hear(
                    again + ["answer StartNotify", "changed char000b Value=003d", "sent 003d 1"]),
            ]),
        Script(
            "bluetoothd says why a link ended, if it is new enough",
            [
                .reach, .act(.drop(strap: 0, .remote)),
                .hear([lost, "disconnected \(device) Remote", "removed \(device) Battery1"]),
                comeBack, .call("Connect"), .pass(milliseconds: 100), .hear(again), drop,
                .hear([lost, "disconnected \(device) Timeout", "removed \(device) Battery1"]),
            ]
        ) { $0.tellsReasons = true },
        Script(
            "a strap that is away is waited for, 41.7 s, and kept so long",
            [
                .reach, drop, .call("Connect"), .pass(milliseconds: 41_000),
                .hear([lost, "removed \(device) Battery1"]),
                .pass(milliseconds: 700), .hear([aborted]),
                .pass(milliseconds: 30_000), .hear(removed),
            ]),
        Script(
            "waiting is called off by Disconnect",
            [
                .reach, drop, .call("Connect"), .call("Disconnect"), .call("Disconnect"),
                .hear([
                    lost, "removed \(device) Battery1",
                    "refusal Connect Failed: br-connection-canceled", "answer Disconnect",
                    "refusal Disconnect NotConnected: Not Connected",
                ]),
            ]),
        Script(
            "with a radio a link takes its time, ten times as long while somebody scans",
            timing: .realistic,
            [
                scan, .pass(milliseconds: 100), .call("Connect"), .pass(milliseconds: 7_999),
                .hear(beginning + ["added \(device) Device1"]), .pass(milliseconds: 1),
                .hear(["changed \(device) Connected=true", "answer Connect"]),
                .call("Disconnect"), .call("Connect"),
                // A link that is being ended still counts.
                .hear(["answer Connect"]),
            ]),
        Script(
            "a deaf strap is heard, and waited for in vain",
            [
                .find, .call("Connect"), .pass(milliseconds: 41_699),
                .act(.setFaults(strap: 0, Strap.Faults())), .hear([]),
                .pass(milliseconds: 1), .hear([aborted]),
                .call("Connect"), .pass(milliseconds: 20),
                .hear(["changed \(device) Connected=true", "answer Connect"]),
            ]
        ) { $0.straps[0].faults.isDeaf = true },
        Script(
            "links break in the moment they are made, or a while later",
            [
                .find, .act(.breakLinks(strap: 0, count: 1)), .call("Connect"),
                .pass(milliseconds: 20),
                .hear([
                    "changed \(device) Connected=true", aborted,
                    "changed \(device) Connected=false",
                ]),
                .call("Connect"), .pass(milliseconds: 24),
                .hear([
                    "changed \(device) Connected=true", "answer Connect",
                    "changed \(device) Connected=false",
                ]),
            ]
        ) { $0.straps[0].faults.linkMilliseconds = 4 },
        Script(
            "an attempt that bluetoothd is lost in ends only by Disconnect",
            [
                .find, .call("Connect"), .pass(milliseconds: 100_000), .call("Connect"),
                .call("Disconnect"),
                .hear([
                    "refusal Connect Failed: Operation already in progress",
                    "refusal Connect Failed: br-connection-canceled", "answer Disconnect",
                ]),
            ]
        ) { $0.straps[0].faults.isLosingAttempts = true },
        Script(
            "objects may come after the promise that they are there",
            [
                .find, .call("Connect"), .pass(milliseconds: 53),
                .hear([
                    "changed \(device) Connected=true", "answer Connect",
                    "changed \(device) ServicesResolved=true",
                ]),
            ]
        ) {
            $0.straps[0].faults.servicesDelayMilliseconds = 3
            $0.straps[0].faults.objectsDelayMilliseconds = 5
        },
    ]
}
