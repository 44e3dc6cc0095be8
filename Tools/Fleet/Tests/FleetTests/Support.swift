import EventStoreLMDB
import Fleet
import TestSupport
import Text
import Walkers

/// A log in a folder of its own, with its key.
struct Recorder {
    private let folder: TemporaryDirectory
    let log: LMDBEventLog
    let name: FleetLog
    private var walker: SimulatedWalker

    init(seed: UInt64) throws {
        walker = SimulatedWalker(seed: seed)
        folder = try TemporaryDirectory()
        let id = (0..<16).map { UInt8(truncatingIfNeeded: seed >> ($0 % 8 * 8)) ^ UInt8($0) }
        log = try LMDBEventLog.open(
            directory: folder.path + "/store",
            mode: .create(LogOrigin(id: id, createdMilliseconds: 0, events: try walker.begin())))
        name = FleetLog(simulated: "ann", hexadecimal(log.id))
    }

    mutating func walk(seconds: Int) async throws {
        try await walker.walk(seconds: seconds, into: log)
    }

    func sign() async throws {
        try await log.makeCheckpoint(in: CheckpointFolder(folder.path + "/key")) { count in
            (0..<count).map { _ in UInt8.random(in: 0...255) }
        }
    }
}
