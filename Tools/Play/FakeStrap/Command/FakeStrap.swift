import ArgumentParser
import DaemonModel
import Foundation
import TestSupport

/// The command line.
@main
struct FakeStrap: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "FakeStrap",
        abstract: "Plays org.bluez with heart-rate straps in range on a D-Bus bus.",
        discussion: """
            Prints {"ready":true,"address":"unix:path=…"} once a client may come; let it run with \
            DBUS_SYSTEM_BUS_ADDRESS set to that address. Prints {"ended":true,…} when the play \
            is over. Ends by SIGTERM or SIGINT, or when its standard input, if that is a pipe, \
            is closed.
            """)

    @Option(help: "A capture to play: events as JSON Lines.")
    var capture: String?

    @Option(help: "A scenario to play: straps and steps as JSON.")
    var scenario: String?

    @Option(help: "The bus to play on; without it a private one is started.")
    var address: String?

    @Option(help: "How much faster than the clock the play runs.")
    var speed = 1.0

    @Option(help: "How many milliseconds early things come at most; it varies at random.")
    var jitter: UInt64 = 0

    @Flag(help: "Stop a capture's clock when a strap is back, until somebody is subscribed.")
    var waitForReturn = false

    @Flag(help: "Take as much time for scans and connections as bluetoothd and a radio do.")
    var realistic = false

    @Flag(help: "End when the play is over.")
    var untilEnd = false

    @Option(help: "A file for what was sent, as JSON Lines.")
    var sent: String?

    func validate() throws {
        guard (capture == nil) != (scenario == nil) else {
            throw ValidationError("Name either a capture or a scenario.")
        }
        guard speed > 0, speed.isFinite else {
            throw ValidationError("The speed has to be a number above 0.")
        }
        guard jitter <= 60_000 else { throw ValidationError("The jitter is at most 60000 ms.") }
    }

    func run() throws {
        let play = try readPlay()
        let lines = try ReportLines(sentTo: sent)
        // Before any other thread is there, so that all of them leave the signals to this one.
        let ending = EndSignal()
        let privateBus =
            address == nil ? try PrivateBus(endsWithThread: true) { ending.raise() } : nil
        let options = Run.Options(
            address: address ?? privateBus?.socketAddress ?? "",
            timing: realistic ? .realistic : .short,
            speed: speed, jitterMilliseconds: jitter, endsWithPlay: untilEnd)
        let run = Run(play, lines, options) { ending.raise() }
        ending.raiseWhenInputCloses()
        run.begin()
        ending.wait()
        run.close()
        try privateBus?.close()
        if let failure = run.failure { throw failure }
    }

    private func readPlay() throws -> Scenario {
        if let capture {
            return try Scenario(
                capture: try FakeStrap.bytes(of: capture), waitsForReturn: waitForReturn)
        }
        return try Scenario(json: try FakeStrap.bytes(of: scenario ?? ""))
    }

    private static func bytes(of path: String) throws -> [UInt8] {
        do {
            return [UInt8](try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw ScenarioError("\(path) cannot be read: \(error.localizedDescription)")
        }
    }
}
