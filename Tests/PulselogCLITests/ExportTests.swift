import Events
import Foundation
import TestSelection
import TestSupport
import Testing

/// What `export` writes of a session gives that session, and what it writes without names gives
/// nothing else away.
@Suite("pulselog export")
struct ExportTests {
    let bench = Workbench()

    private static let positions: Set<String> = [
        "position", "maxPosition", "supportedMaxPosition",
    ]

    /// What a session has beside its totals when it is shown with `--json`.
    private static let series: Set<String> = [
        "intervals", "markList", "splits", "samples", "track", "heatMap",
    ]

    // MARK: - A session

    /// Expects that a session's file gives that session, replayed and restored.
    ///
    /// - Returns: How many events the file has.
    @discardableResult
    private func expectSame(_ session: String) async throws -> Int {
        let shown = try await bench.object("sessions", "show", session)
        let exported = try await bench.output("export", session)
        let file = try bench.file("\(session).jsonl", exported)
        let sessions = try await bench.object("replay", file).objects("sessions")
        #expect(sessions.count == 1)
        let totals = Line(fields: shown.fields.filter { !Self.series.contains($0.key) })
        #expect(
            try sessions[0].text(without: Self.positions.contains)
                == totals.text(without: Self.positions.contains))

        let folder = "\(bench.folder)/\(session)-store"
        _ = try await bench.output("import", file, "--store", folder)
        let restored = try await bench.object("sessions", "show", "last", "--store", folder)
        #expect(
            try restored.text(without: Self.positions.contains)
                == shown.text(without: Self.positions.contains))
        try await bench.expect("log", "verify", "--store", folder)
        return exported.count { $0 == 10 }
    }

    private func sessions() async throws -> [String] {
        try await bench.objects("sessions", "list").map { "\(try $0.integer("position"))" }
    }

    @Test("gives a file whose session is that of the log", arguments: ReplayCase.tested)
    func session(_ replay: ReplayCase) async throws {
        try await bench.load(replay.name)
        for session in try await sessions() { try await expectSame(session) }
    }

    @Test(
        "takes along of the days before only what the session hangs on",
        arguments: sample([true, false]))
    func later(boots: Bool) async throws {
        // The same walk on two days, and between them another boot or none.
        let first = try ReplayCase("ordinary-walk").lines
        let second = try first.dropFirst(boots ? 1 : 2).map { line in
            let boot = try Line(line).integer("bootMilliseconds")
            let later = try line.later(86_400_000).replacing("2026-03-01", with: "2026-03-02")
            guard boots else { return later }
            return later.setting("bootMilliseconds", to: boot).setting("bootNumber", to: 1)
                .replacing("\"bootID\":\"5f", with: "\"bootID\":\"60")
        }
        try await bench.load(first + second)
        let sessions = try await sessions()
        #expect(sessions.count == 2)
        let counts = [try await expectSame(sessions[0]), try await expectSame("last")]
        #expect(counts[0] < 270 && counts[1] < 290, "\(counts) events")
    }

    /// Two pedometers of which nobody chose one: the one that was read first counts, and on the day
    /// before it was read last as well.
    private static func firstSeen() throws -> [[Event]] {
        func read(_ device: UInt64, _ count: UInt64) -> Event {
            .counted(DeviceID(address: device, space: .random), count)
        }
        let dates = try ["2026-03-01", "2026-03-02"].map { try #require(CivilDate($0)) }
        let reconciled = dates.map {
            Event.reconciliationTriggered(ReconciliationTriggered(date: $0, offsetMinutes: 60))
        }
        let profile = Profile(heightMillimetres: 1_800)
        return [
            [
                .originBegan(OriginBegan()),
                .bootBegan(BootBegan(zoneOffsetMinutes: 60, zoneName: "CET")),
                .recorderStarted(RecorderStarted(zoneOffsetMinutes: 60, zoneName: "CET")),
                reconciled[0], read(1, 100), read(2, 200), read(1, 110),
            ],
            [
                reconciled[1], .sessionStarted(SessionStarted(profile: profile)),
                read(1, 130), read(2, 300), read(1, 140), .sessionEnded(SessionEnded()),
            ],
        ]
    }

    @Test("takes along more where the last word on each thing is not enough")
    func wider() async throws {
        var lines: [String] = []
        for (day, events) in try Self.firstSeen().enumerated() {
            for event in events {
                lines.append(event.line(at: Int64(day * 86_400_000 + lines.count * 1_000)))
            }
        }
        try await bench.load(lines)
        let shown = try await bench.object("sessions", "show")
        #expect(try shown.object("steps").integer("session") == 10)
        #expect(try await expectSame("last") == 13)
    }

    @Test("exports a session that is still open, as of the log's end")
    func open() async throws {
        try await bench.load(ReplayCase("crash").lines[..<100])
        try await expectSame("last")
    }

    @Test("refuses a session that is not there, and options that do not go together")
    func refusals() async throws {
        try await bench.load("malformed")
        try await bench.expectComplaints([
            ("export 3", 66, "no such session"), ("export first", 64, "`last`"),
            ("export --with-track", 64, "--anonymous"), ("export --force", 64, "--out FILE"),
            ("export --format pdf", 64, "jsonl"), ("export --all", 64, "another --format"),
            ("export --all --format jsonl", 64, "another --format"),
        ])
    }

    // MARK: - Without names

    /// What the captures hold that nobody else needs to know.
    private static let secrets = [
        "C4:00:00:00", "Strap One", "Footstep", "bench by the river", "CET", "hci0", "phone",
        "walker", "shaken in the bag", "5f0c7d1a", "00112233", "2026-", ":17723", ":17724",
        "\"latitudeE7\":48", "\"longitudeE7\":11",
    ]

    @Test(
        "tells no name and no date, and gives the same totals",
        arguments: ReplayCase.tested)
    func anonymous(_ replay: ReplayCase) async throws {
        try await bench.load(replay.name)
        let expected = try replay.result
        let calendar = Self.positions.union([
            "startedAt", "endedAt", "date", "contactlessStrap", "straps", "leftAt",
        ])
        func totals(_ result: Line) throws -> String {
            try Line(fields: result.fields.filter { ["sessions", "days"].contains($0.key) })
                .text(without: calendar.contains)
        }
        for options in [["--anonymous"], ["--anonymous", "--with-track"]] {
            let end = try await bench.expect(["export"] + options)
            #expect(Self.secrets.filter { end.text.contains($0) && !isKept($0, options) } == [])
            let isNewer = replay.name == "newer-events"
            #expect(end.messages.contains("3 events of a kind or version") == isNewer)
            let hasTrack = replay.name == "track" && options.count == 1
            #expect(end.messages.contains("--with-track") == hasTrack, "\(end.messages)")

            let file = try bench.file("anonymous.jsonl", end.output)
            let replayed = try await bench.object("replay", file)
            #expect(try hasTrack || totals(replayed) == totals(expected))
        }
    }

    private func isKept(_ secret: String, _ options: [String]) -> Bool {
        secret.contains("itude") && options.count == 2
    }

    @Test("leaves the time of the day, and the days' distances")
    func times() async throws {
        try await bench.load("midnight")
        for (options, days) in [([], ["2024-01-02", "2024-01-03"]), (["last"], nil)] {
            let path = "\(bench.folder)/\(options.count).jsonl"
            try await bench.expect(["export", "--anonymous", "--out", path] + options)
            let line = try await bench.object("replay", path)
            let start = try line.objects("sessions")[0].text("startedAt")
            #expect(start == "2024-01-02T22:59:30.300Z")
            let dates = try line.objects("days").map { try $0.text("date") }
            #expect(days == nil || dates == days)
        }
    }

    // MARK: - The file

    @Test("is written whole or not at all, and over nothing unless it is told to")
    func file() async throws {
        let capture = ReplayCase("malformed")
        try await bench.load(capture.name)
        let path = bench.folder + "/walk.jsonl"
        func expectFile(as arguments: String...) async throws {
            let wanted = try await bench.start(["export"] + arguments).end.output
            #expect(try [UInt8](Data(contentsOf: URL(filePath: path))) == wanted)
        }
        let first = try await bench.expect("export", "--out", path)
        #expect(first.text == "\(path) holds 37 events.\n", "\(first.messages)")
        try await expectFile()
        let again = try await bench.expect(
            "export", "last", "--out", path, status: 73, says: "--force", "Nothing was written")
        #expect(again.output.isEmpty)
        try await expectFile()
        let forced = try await bench.object("export", "last", "--out", path, "--force")
        #expect(try forced.text("file") == path)
        try await expectFile(as: "last", "--out", "-")
        try await bench.expect("export", "--out", bench.folder, "--force", status: 73)
        try await bench.expect("export", "--out", bench.folder + "/none/walk.jsonl", status: 73)
        #expect(try bench.names() == ["store", "walk.jsonl"])
    }

    @Test("says that the disk is full, and leaves nothing", .enabled(if: SmallDisk.isPossible))
    func fullDisk() async throws {
        _ = try await bench.output("import", try bench.file("log.jsonl", LogImportTests.log))
        let path = try bench.folder("disk")
        let disk = try SmallDisk(on: path)
        defer { disk.unmount() }
        try await bench.expect(
            "export", "--out", path + "/walk.jsonl", status: 74, says: "No space left")
        try await bench.expectComplaints([
            ("log backup \(path)/copy", 74, "The disk is full"),
            ("log restore \(bench.store) --store \(path)/copy", 74, "The disk is full"),
            ("log recover --out \(path)/copy", 74, "The disk is full"),
        ])
        #expect(try bench.names(in: path) == [])
    }
}
