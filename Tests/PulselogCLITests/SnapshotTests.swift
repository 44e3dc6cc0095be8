import EventStore
import EventStoreLMDB
import Events
import Foundation
import Projections
import TestSupport
import Testing

@Suite("Snapshots of a store")
struct SnapshotTests {
    let bench = Workbench()

    private var file: URL { URL(filePath: bench.store + "/" + SnapshotFile.name) }

    /// How many events the snapshot holds; nil if there is none.
    private func snapshotEvents() async throws -> Int? {
        let line = try await bench.object("log", "stats")
        return line.fields["snapshotEvents"] as? Int
    }

    @Test("of walks' outlines are held against the log, and removed by a rebuild")
    func outlines() async throws {
        try await bench.load("track")
        _ = try await bench.output("records", "--year", "2026")
        try await bench.expect("log", "verify")
        do {
            let log = try LMDBEventLog.open(directory: bench.store, mode: .readOnly)
            defer { log.close() }
            let file = try #require(SnapshotFile(of: log).beside(.outlines))
            var kept = try #require(file.read { _ in true })
            let outlines = try WalkOutlines(bytes: kept.state)
            let walk = try #require(outlines.positions.first)
            // Some byte makes another outline of it.
            kept.state = try #require(
                kept.state.indices.lazy.map { index in
                    var state = kept.state
                    state[index] ^= 1
                    return state
                }.first { state in
                    do {
                        let other = try WalkOutlines(bytes: state)
                        return other[walk] != nil && other[walk] != outlines[walk]
                    } catch {
                        return false
                    }
                })
            file.write(kept)
        }
        try await bench.expect("log", "verify", status: 1, says: "What is kept of the walk at")
        let line = try await bench.object("log", "verify")
        #expect(line.fields["wrongOutlinePosition"] as? Int != nil)
        _ = try await bench.output("log", "rebuild")
        try await bench.expect("log", "verify")
    }

    @Test("are kept by what reads and by what appends, when it has answered, and then used")
    func kept() async throws {
        try await bench.load("late-health-total")
        // An import keeps one.
        try FileManager.default.removeItem(at: file)
        let steps = try await bench.output("steps", "--day", "2026-03-01")
        let events = try #require(try await snapshotEvents())
        #expect(try await bench.output("steps", "--day", "2026-03-01") == steps)
        _ = try await bench.output("profile", "set", "height=180cm")
        let later = try #require(try await snapshotEvents())
        #expect(later > events)
        #expect(try await bench.output("steps", "--day", "2026-03-01") == steps)
        _ = try await bench.output("record", "--simulate", "--for", "1s")
        let head = try await bench.object("log", "rebuild")
        #expect(try head.integer("events") > later)
        #expect(head.flag("snapshotHolds"))
        // What fails has not answered.
        try FileManager.default.removeItem(at: file)
        try await bench.expect("sessions", "show", "4000", status: 66)
        try await bench.expect("mark", status: 64, says: "There is no session")
        #expect(try await snapshotEvents() == nil)
    }

    @Test("are kept of many events only, unless tests want it otherwise")
    func usual() async throws {
        try await bench.load("late-health-total")
        try FileManager.default.removeItem(at: file)
        let variables = ["PULSELOG_SNAPSHOT_EVENTS": ""]
        _ = try await bench.output("steps", variables: variables)
        _ = try await bench.output("profile", "set", "height=180cm", variables: variables)
        #expect(try await snapshotEvents() == nil)
        // A rebuild is asked for.
        _ = try await bench.output("log", "rebuild", variables: variables)
        #expect(try await snapshotEvents() != nil)
    }

    @Test("are not written while somebody records")
    func besideRecorder() async throws {
        try await bench.load("late-health-total")
        try FileManager.default.removeItem(at: file)
        let recorder = try bench.start(["record", "--simulate", "--json"])
        try await recorder.event("sessionStarted")
        _ = try await bench.output("status")
        _ = try await bench.output("mark", "here")
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.store)
        #expect(!names.contains { $0.hasPrefix(SnapshotFile.name) })
        await recorder.finish()
        #expect(try await snapshotEvents() != nil)
    }

    /// Puts another state under the head of the snapshot.
    private func forge() async throws {
        let log = try LMDBEventLog.open(directory: bench.store, mode: .readOnly)
        defer { log.close() }
        let snapshots = SnapshotFile(of: log)
        let snapshot = try #require(snapshots.read { _ in true })
        let other = InMemoryEventLog()
        var batch = EventBatch()
        for number in 0..<snapshot.head.next {
            try batch.append(
                .noted(Noted(text: "\(number)", author: "")),
                stamp: Stamp(bootMilliseconds: 0, wallMilliseconds: 0, bootNumber: 0), flags: [])
        }
        _ = try await other.append(batch, expecting: 0)
        var state = LogState()
        try other.read { event in
            state.evolve(event)
            return true
        }
        snapshots.write(Snapshot(snapshot.head, state: state.snapshotBytes()))
    }

    @Test("that hold something else are found by what verifies, and made anew by a rebuild")
    func forged() async throws {
        try await bench.load("late-health-total")
        _ = try await bench.output("steps")
        let certified = try await bench.output("audit", "check")
        let digest = try await bench.object("log", "rebuild").text("digest")
        try await forge()
        let events = try await snapshotEvents()
        try await bench.expect("log", "verify", status: 1, says: "snapshot of the first")
        let line = try await bench.object("log", "verify")
        #expect(line.flag("sound") && line.fields["snapshotHolds"] as? Bool == false)
        let checked = try await bench.expect("audit", "check", "--json", status: 1)
        #expect(try Line(checked.text).integer("snapshotEvents") == events)
        try await bench.expect("log", "rebuild", status: 1, says: "snapshot of the first", digest)
        let again = try await bench.object("log", "rebuild")
        #expect(again.flag("snapshotHolds"))
        try await bench.expect("log", "verify")
        #expect(try await bench.output("audit", "check") == certified)
    }
}
