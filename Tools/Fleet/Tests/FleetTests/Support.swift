import Deciding
import EventStore
import EventStoreLMDB
import Events
import Fleet
import Foundation
import Projections
import TamperEvidence
import Testing
import Walkers

/// A log in a folder of its own, with its key.
struct Recorder {
    let folder = FileManager.default.temporaryDirectory
        .appending(path: "fleet-\(UUID().uuidString)").path
    let log: LMDBEventLog
    var walker: MadeUpWalker

    init(seed: UInt64) throws {
        walker = MadeUpWalker(seed: seed)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let id = (0..<16).map { UInt8(truncatingIfNeeded: seed >> ($0 % 8 * 8)) ^ UInt8($0) }
        log = try LMDBEventLog.open(
            directory: folder + "/store",
            mode: .create(LogOrigin(id: id, createdMilliseconds: 0, events: try walker.begin())))
    }

    var name: FleetLog {
        get throws {
            let id = log.id.map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
            return try #require(FleetLog(person: "ann", id: id))
        }
    }

    mutating func walk(seconds: Int) async throws {
        for _ in 0..<seconds { _ = try await log.append(try walker.second(), expecting: nil) }
    }

    func sign() async throws {
        try await log.makeCheckpoint(in: CheckpointFolder(folder + "/key")) { count in
            (0..<count).map { _ in UInt8.random(in: 0...255) }
        }
    }

    var state: LogState {
        get throws {
            var state = LogState()
            try log.fold(into: &state)
            return state
        }
    }

    func remove() {
        log.close()
        do {
            try FileManager.default.removeItem(atPath: folder)
        } catch {
            Issue.record("\(folder) stays: \(error)")
        }
    }
}

/// Sends until there is nothing left to send; what the cluster loses is sent again.
///
/// - Returns: How many messages were stored.
@discardableResult
func forwardAll(_ forwarder: inout Forwarder, tries limit: Int = 10_000) async throws -> Int {
    var sent = 0
    for _ in 0..<limit {
        do throws(ForwardingError) {
            switch try await forwarder.step() {
            case .sent: sent += 1
            case .idle: return sent
            case .overtaken: break
            }
        } catch {
            guard case .cluster(let failure) = error, failure.code == .lost else { throw error }
        }
    }
    Issue.record("It never comes to an end.")
    return sent
}
