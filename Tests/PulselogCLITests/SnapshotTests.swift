import EventStore
import EventStoreLMDB
import Events
import Foundation
import Projections
import TestSupport
import Testing

@Suite("Snapshots of a store")
struct SnapshotTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    private var file: URL { URL(filePath: bench.store + "/" + SnapshotFile.name) }

    private func makeStore() async throws {
        let capture = GoldenReplayTests.Case(name: "late-health-total").capture
        _ = try await bench.output("import", capture)
    }

    /// How many events the snapshot holds; nil if there is none.
    private func snapshotEvents() async throws -> Int? {
        let line = try Line(try await bench.run("log", "stats", "--json").text)
        return line.fields["snapshotEvents"] as? Int
    }

    @Test("of walks' outlines are held against the log, and removed by a rebuild")
    func outlines() async throws {
        let capture = GoldenReplayTests.Case(name: "track").capture
        _ = try await bench.output("import", capture)
        _ = try await bench.output("records", "--year", "2026")
        #expect(try await bench.run("log", "verify").status == 0)
        do {
            let log = try LMDBEventLog.open(directory: bench.store, mode: .readOnly)
            defer { log.close() }
            let file = SnapshotFile(of: log, name: SnapshotFile.outlines)
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
        let verified = try await bench.run("log", "verify")
        #expect(verified.status == 1 && verified.text.contains("What is kept of the walk at"))
        let line = try Line(try await bench.run("log", "verify", "--json").text)
        #expect(line.fields["wrongOutlinePosition"] as? Int != nil)
        _ = try await bench.output("log", "rebuild")
        #expect(try await bench.run("log", "verify").status == 0)
    }

    @Test("are kept by what reads and by what appends, when it has answered, and then used")
    func kept() async throws {
        try await makeStore()
        #expect(try await snapshotEvents() == nil)
        let steps = try await bench.output("steps", "--day", "2026-03-01")
        let events = try #require(try await snapshotEvents())
        #expect(try await bench.output("steps", "--day", "2026-03-01") == steps)
        _ = try await bench.output("profile", "set", "height=180cm")
        let later = try #require(try await snapshotEvents())
        #expect(later > events)
        #expect(try await bench.output("steps", "--day", "2026-03-01") == steps)
        _ = try await bench.output("record", "--simulate", "--for", "1s")
        let head = try Line(try await bench.run("log", "rebuild", "--json").text)
        #expect(try head.integer("events") > later)
        #expect(head.flag("snapshotHolds"))
        // What fails has not answered.
        try FileManager.default.removeItem(at: file)
        #expect(try await bench.run("sessions", "show", "4000").status == 66)
        #expect(try await bench.run("mark").status == 64)
        #expect(try await snapshotEvents() == nil)
    }

    @Test("are kept of many events only, unless tests want it otherwise")
    func usual() async throws {
        try await makeStore()
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
        try await makeStore()
        let recorder = try bench.start(["record", "--simulate", "--json"])
        _ = try await recorder.line { $0.contains("sessionStarted") }
        _ = try await bench.output("status")
        _ = try await bench.output("mark", "here")
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.store)
        #expect(!names.contains { $0.hasPrefix(SnapshotFile.name) })
        recorder.signal(SIGINT)
        #expect(await recorder.end.status == 0)
        #expect(try await snapshotEvents() != nil)
    }

    @Test("that are damaged, cut, empty or another log's are passed over and made anew")
    func spoiled() async throws {
        try await makeStore()
        let before = try await bench.output("steps", "--day", "2026-03-01")
        let whole = try Data(contentsOf: file)
        let events = try await snapshotEvents()
        let other = try Workbench()
        _ = try await other.output("import", GoldenReplayTests.Case(name: "ordinary-walk").capture)
        _ = try await other.output("steps")
        let foreign = try Data(contentsOf: URL(filePath: other.store + "/" + SnapshotFile.name))
        var flipped = whole
        flipped[whole.count / 2] ^= 4
        for bytes in [flipped, whole.dropLast(), Data(), foreign, whole + whole] {
            try bytes.write(to: file)
            #expect(try await snapshotEvents() == nil)
            #expect(try await bench.run("log", "verify").status == 0)
            #expect(try await bench.output("steps", "--day", "2026-03-01") == before)
            #expect(try await snapshotEvents() == events)
            #expect(try Data(contentsOf: file) == whole)
        }
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
        try await makeStore()
        _ = try await bench.output("steps")
        let certified = try await bench.output("audit", "check")
        let digest = try Line(try await bench.run("log", "rebuild", "--json").text).text("digest")
        try await forge()
        let events = try await snapshotEvents()
        let verified = try await bench.run("log", "verify")
        #expect(verified.status == 1 && verified.text.contains("snapshot of the first"))
        let line = try Line(try await bench.run("log", "verify", "--json").text)
        #expect(line.flag("sound") && line.fields["snapshotHolds"] as? Bool == false)
        let checked = try await bench.run("audit", "check", "--day", "2026-03-01", "--json")
        #expect(checked.status == 1, "\(checked.messages)")
        #expect(try Line(checked.text).integer("snapshotEvents") == events)
        let rebuilt = try await bench.run("log", "rebuild")
        #expect(rebuilt.status == 1 && rebuilt.text.contains("snapshot of the first"))
        #expect(rebuilt.text.contains(digest))
        let again = try Line(try await bench.run("log", "rebuild", "--json").text)
        #expect(again.flag("snapshotHolds"))
        #expect(try await bench.run("log", "verify").status == 0)
        #expect(try await bench.output("audit", "check") == certified)
    }
}
