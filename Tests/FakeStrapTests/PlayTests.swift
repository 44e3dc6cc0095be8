import BluetoothCentral
import DBus
import Foundation
import Testing

@testable import DaemonModel

@Suite("A play")
struct PlayTests {
    private static func send(_ value: UInt8) -> Scenario.Step {
        .act(.notify(strap: 0, .heartRateMeasurement, [value]))
    }

    /// Plays one part, and gives what was sent: the values and when.
    private static func times(_ steps: [Scenario.Step]) -> [[UInt64]] {
        var play = Play(Scenario(straps: [.heart], parts: [steps]), now: 50_000)
        var sent: [[UInt64]] = []
        while let due = play.nextDue {
            play.pass(to: due)
            for case .report(.sent(let value)) in play.takeEffects() {
                sent.append([UInt64(value.value[0]), value.bootMilliseconds - 50_000])
            }
        }
        return sent
    }

    @Test("follows the marks, and branches run next to each other")
    func order() {
        let sent = Self.times([
            .mark, Self.send(0),
            .pause(milliseconds: 30), .until(milliseconds: 20), Self.send(1),
            .until(milliseconds: 60), Self.send(2),
            .parallel([
                [.pause(milliseconds: 80), Self.send(4)],
                // Counted from the mark of the whole: 20 ms from here.
                [.until(milliseconds: 80), Self.send(3), .mark, .until(milliseconds: 5)],
                [],
            ]),
            // The mark of a branch is its own: 160 from the begin, 20 from here.
            .until(milliseconds: 160), Self.send(5),
            .mark, .until(milliseconds: 10), Self.send(6),
        ])
        #expect(sent == [[0, 0], [1, 30], [2, 60], [3, 80], [4, 140], [5, 160], [6, 170]])
    }

    // MARK: - The scenario files of the repository

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Tools/Play/FakeStrap/Scenarios")

    static let names =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".json") }.sorted()

    @Test(
        "comes to its end for each scenario file, and waits for nothing in vain", arguments: names)
    func file(_ name: String) throws {
        let file = try Data(contentsOf: Self.folder.appending(path: name))
        var bench = Bench(try Scenario(json: [UInt8](file)))
        while bench.lines.last != "ended", bench.now < 3_600_000 {
            bench.askForEverything()
            bench.pass(5)
        }
        #expect(bench.lines.last == "ended")
        #expect(bench.lines.filter { $0.hasPrefix("problem") } == [])
        let sent = bench.lines.filter { $0.hasPrefix("sent") }
        #expect(sent.isEmpty || sent.contains { !$0.hasSuffix(" 0") })
    }
}

extension Bench {
    /// A program that takes whatever it can get: it scans, connects to all that count heart beats
    /// or steps, subscribes to everything, and consents to every pairing.
    fileprivate mutating func askForEverything() {
        if now == 0 {
            take(
                .call(
                    "RegisterAgent", on: "/org/bluez",
                    [.objectPath("/agent"), .string("NoInputNoOutput")]))
        }
        for adapter in play.daemon.adapters where adapter.isPowered && adapter.scans.isEmpty {
            take(.call("StartDiscovery", on: adapter.path))
        }
        for device in play.daemon.devices where device.isKnown {
            let isWanted = !play.daemon.straps[device.strap].advertised.isEmpty
            if isWanted, !device.isConnected, device.connecting == nil {
                take(.call("Connect", on: device.path))
            }
            guard device.hasServiceObjects, device.isConnected else { continue }
            for place in device.characteristics
            where place.canNotify && place.subscribers.isEmpty && place.starting.isEmpty {
                take(.call("StartNotify", on: place.path))
            }
            if device.question != nil { take(.consent(true)) }
        }
    }
}
