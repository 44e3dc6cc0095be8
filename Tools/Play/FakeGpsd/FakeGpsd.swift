import ArgumentParser
import Foundation
import TestSupport

/// The command line.
@main
struct FakeGpsd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "FakeGpsd",
        abstract: "Plays gpsd with a receiver that is carried along a track.",
        discussion: """
            Prints {"ready":true,"port":N} once a client may come, at 127.0.0.1; let pulselog \
            record with --position 127.0.0.1:N, or with PULSELOG_GPSD set to that. Speaks as gpsd \
            3.22 does: the first report has no coordinates, and each epoch is reported twice. Ends \
            by SIGTERM or SIGINT, or when its standard input, if that is a pipe, is closed.
            """)

    @Option(help: "The points to pass, a GPX file; without it a round of 628 m in a park.")
    var track: String?

    @Option(help: "The port; 0 for any free one.")
    var port: UInt16 = 0

    @Option(help: "Milliseconds from each point to the next.")
    var interval: UInt64 = 1_000

    @Option(help: "How many satellites are used.")
    var satellites = 9

    func validate() throws {
        guard (10...60_000).contains(interval) else {
            throw ValidationError("The interval is 10 to 60000 ms.")
        }
        guard (0...60).contains(satellites) else {
            throw ValidationError("0 to 60 satellites are used.")
        }
    }

    func run() throws {
        let places = try track.map { try Track.read($0) } ?? Track.round
        // Before any other thread is there, so that all of them leave the signals to this one.
        let ending = EndSignal()
        let receiver = Receiver(
            places: places, intervalMilliseconds: interval, satellites: satellites)
        let server = try LoopbackServer(port: port) { receiver.serve($0) }
        let ready = #"{"ready":true,"port":\#(server.port)}"# + "\n"
        try FileHandle.standardOutput.write(contentsOf: Data(ready.utf8))
        ending.raiseWhenInputCloses()
        ending.wait()
        withExtendedLifetime(server) {}
    }
}
