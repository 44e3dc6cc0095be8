import Foundation
import TestSupport
import Testing

/// What `export` writes of a session gives that session, and what it writes without names gives
/// nothing else away.
@Suite("pulselog export")
struct ExportTests {
    let bench = Workbench()

    /// A JSON value without positions, or without times of the calendar as well, to be compared.
    private func comparable(_ value: Any, without names: Set<String>) throws -> String {
        func stripped(_ value: Any) -> Any {
            if let list = value as? [Any] { return list.map(stripped) }
            guard let object = value as? [String: Any] else { return value }
            return object.filter { !names.contains($0.key) }.mapValues(stripped)
        }
        return String(
            decoding: try JSONSerialization.data(
                withJSONObject: stripped(value), options: [.sortedKeys]), as: UTF8.self)
    }

    private static let positions: Set<String> = [
        "position", "maxPosition", "supportedMaxPosition",
    ]

    /// What a session has beside its totals when it is shown with `--json`.
    private static let series: Set<String> = [
        "intervals", "markList", "splits", "samples", "track", "heatMap",
    ]

    private func fields(_ bytes: [UInt8]) throws -> [String: Any] {
        try Line(String(decoding: bytes, as: UTF8.self)).fields
    }

    // MARK: - A session

    /// Expects that a session's file gives that session, replayed and restored.
    ///
    /// - Returns: How many events the file has.
    @discardableResult
    private func expectSame(_ session: String, in name: String = "session.jsonl") async throws
        -> Int
    {
        let shown = try fields(try await bench.output("sessions", "show", session, "--json"))
        let exported = try await bench.output("export", session)
        let file = try bench.file(name, exported)
        let replayed = try fields(try await bench.output("replay", file, "--json"))
        let sessions = try #require(replayed["sessions"] as? [[String: Any]])
        #expect(sessions.count == 1)
        let totals = try comparable(
            try #require(sessions.first), without: Self.positions)
        let report = shown.filter { !Self.series.contains($0.key) }
        #expect(try totals == comparable(report, without: Self.positions))

        let folder = "\(bench.folder)/\(name)-store"
        _ = try await bench.output("import", file, "--store", folder)
        let restored = try fields(
            try await bench.output("sessions", "show", "last", "--json", "--store", folder))
        #expect(
            try comparable(restored, without: Self.positions)
                == comparable(shown, without: Self.positions))
        try await bench.expect("log", "verify", "--store", folder)
        return exported.count { $0 == 10 }
    }

    @Test("gives a file whose session is that of the log", arguments: ReplayCase.tested)
    func session(_ replay: ReplayCase) async throws {
        try await bench.load(replay.name)
        for line in try await bench.run("sessions", "list", "--json").lines {
            let position = try Line(line).integer("position")
            try await expectSame("\(position)", in: "\(position).jsonl")
        }
    }

    /// A log of two days, each with the same walk, and between them another boot or none.
    private func twoDays(boots: Bool) throws -> String {
        let capture = ReplayCase("ordinary-walk")
        let lines = String(decoding: try capture.bytes(of: "capture.jsonl"), as: UTF8.self)
            .split(separator: "\n").map(String.init)
        var all = lines
        for line in lines.dropFirst() {
            if !boots, line.contains("\"bootBegan\"") { continue }
            let event = try Line(line)
            var text = line.replacing(
                "\"position\":\(try event.integer("position")),", with: "\"position\":\(all.count),"
            )
            let wall = try event.integer("wallMilliseconds")
            text = text.replacing(
                "\"wallMilliseconds\":\(wall)", with: "\"wallMilliseconds\":\(wall + 86_400_000)")
            let boot = try event.integer("bootMilliseconds")
            text =
                boots
                ? text.replacing("\"bootNumber\":0", with: "\"bootNumber\":1")
                    .replacing("\"bootID\":\"5f", with: "\"bootID\":\"60")
                : text.replacing(
                    "\"bootMilliseconds\":\(boot)",
                    with: "\"bootMilliseconds\":\(boot + 86_400_000)")
            all.append(text.replacing("2026-03-01", with: "2026-03-02"))
        }
        return try bench.file("days.jsonl", Array((all.joined(separator: "\n") + "\n").utf8))
    }

    @Test(
        "takes along of the days before only what the session hangs on",
        arguments: sample(of: [true, false]))
    func later(boots: Bool) async throws {
        _ = try await bench.output("import", try twoDays(boots: boots))
        let positions = try await bench.run("sessions", "list", "--json").lines
            .map { try Line($0).integer("position") }
        #expect(positions.count == 2)
        let first = try await expectSame("\(positions[0])", in: "first.jsonl")
        let last = try await expectSame("last", in: "last.jsonl")
        #expect(first < 270 && last < 290, "\(first) and \(last) events")
    }

    /// Two pedometers of which nobody chose one: the one that was read first counts, and on the day
    /// before it was read last as well.
    private static let firstSeen: [(day: Int, kind: String, fields: String)] = {
        func zone(_ kind: String, _ more: String) -> (Int, String, String) {
            (0, kind, more + #","zoneOffsetMinutes":60,"zoneName":"CET""#)
        }
        func read(_ day: Int, _ device: Int, _ count: Int) -> (Int, String, String) {
            let address = "C4:00:00:00:00:0\(device)"
            return (
                day, "pedometerRead",
                #""device":"\#(address)","form":"counter","count":\#(count),"#
                    + #""distanceMillimetres":null"#
            )
        }
        func reconciled(_ day: Int) -> (Int, String, String) {
            (
                day, "reconciliationTriggered",
                #""trigger":"start","healthTotal":null,"validUntilMilliseconds":null,"#
                    + #""date":"2026-03-0\#(1 + day)","offsetMinutes":60"#
            )
        }
        let started =
            #""goalKind":"none","goalTarget":0,"outAndBack":false,"heightMillimetres":1800,"#
            + #""weightGrams":75000,"dailyGoalSteps":8000,"maximumHeartRateBPM":null,"#
            + #""restingHeartRateBPM":null,"zones":"standard","stepsPerCadenceCount":1"#
        return [
            (0, "originBegan", #""cause":"created","checkpoint":null"#),
            zone("bootBegan", #""bootID":"5f0c7d1a6b2e4c3d9a8b7c6d5e4f3a2b""#),
            zone("recorderStarted", #""programVersion":"0.1.0""#), reconciled(0),
            read(0, 1, 100), read(0, 2, 200), read(0, 1, 110), reconciled(1),
            (1, "sessionStarted", started), read(1, 1, 130), read(1, 2, 300), read(1, 1, 140),
            (1, "sessionEnded", #""reason":"requested""#),
        ]
    }()

    @Test("takes along more where the last word on each thing is not enough")
    func wider() async throws {
        var lines = ""
        for (position, event) in Self.firstSeen.enumerated() {
            let time = position * 1_000 + event.day * 86_400_000
            lines +=
                #"{"position":\#(position),"source":0,"bootMilliseconds":\#(time),"#
                + #""wallMilliseconds":\#(1_772_355_600_000 + time),"bootNumber":0,"#
                + #""wallTrusted":true,"simulated":false,"kind":"\#(event.kind)","version":1,"#
                + event.fields + "}\n"
        }
        _ = try await bench.output("import", try bench.file("log.jsonl", lines))
        let shown = try await bench.object("sessions", "show")
        #expect(try shown.object("steps").integer("session") == 10)
        #expect(try await expectSame("last") == 13)
    }

    @Test("exports a session that is still open, as of the log's end")
    func open() async throws {
        let capture = ReplayCase("crash")
        let lines = try capture.bytes(of: "capture.jsonl").split(separator: 10)
        let file = try bench.file("open.jsonl", Array(lines[..<100].joined(separator: [10]) + [10]))
        _ = try await bench.output("import", file)
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
        let expected = try fields(try replay.bytes(of: "expected.json"))
        for options in [["--anonymous"], ["--anonymous", "--with-track"]] {
            let end = try await bench.expect(["export"] + options)
            #expect(Self.secrets.filter { end.text.contains($0) && !isKept($0, options) } == [])
            let isNewer = replay.name == "newer-events"
            #expect(end.messages.contains("3 events of a kind or version") == isNewer)
            let hasTrack = replay.name == "track" && options.count == 1
            #expect(end.messages.contains("--with-track") == hasTrack, "\(end.messages)")

            let file = try bench.file("anonymous.jsonl", end.output)
            let replayed = try fields(try await bench.output("replay", file, "--json"))
            let calendar = Self.positions.union([
                "startedAt", "endedAt", "date", "contactlessStrap", "straps", "leftAt",
            ])
            for key in ["sessions", "days"] where !hasTrack {
                #expect(
                    try comparable(replayed[key] ?? 0, without: calendar)
                        == comparable(expected[key] ?? 0, without: calendar))
            }
        }
    }

    private func isKept(_ secret: String, _ options: [String]) -> Bool {
        secret.contains("itude") && options.count == 2
    }

    @Test("leaves the time of the day, and the days' distances")
    func times() async throws {
        try await bench.load("midnight")
        let file = try bench.file("a.jsonl", try await bench.output("export", "--anonymous"))
        let line = try await bench.object("replay", file)
        #expect(try line.objects("sessions")[0].text("startedAt") == "2024-01-02T22:59:30.300Z")
        #expect(
            try line.objects("days").map { try $0.text("date") } == ["2024-01-02", "2024-01-03"])
        let one = try bench.file("b.jsonl", try await bench.output("export", "last", "--anonymous"))
        let session = try await bench.object("replay", one).objects("sessions")
        #expect(try session[0].text("startedAt") == "2024-01-02T22:59:30.300Z")
    }

    // MARK: - The file

    private func contents() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: bench.folder).sorted()
    }

    @Test("is written whole or not at all, and over nothing unless it is told to")
    func file() async throws {
        let capture = ReplayCase("malformed")
        try await bench.load(capture.name)
        let path = bench.folder + "/walk.jsonl"
        let first = try await bench.expect("export", "--out", path)
        #expect(first.text == "\(path) holds 37 events.\n", "\(first.messages)")
        let wanted = try await bench.start(["export"]).end.output
        #expect(try [UInt8](Data(contentsOf: URL(filePath: path))) == wanted)
        let again = try await bench.expect(
            "export", "last", "--out", path, status: 73, says: "--force", "Nothing was written")
        #expect(again.output.isEmpty)
        #expect(try [UInt8](Data(contentsOf: URL(filePath: path))) == wanted)
        let forced = try await bench.run("export", "last", "--out", path, "--force", "--json")
        #expect(try Line(forced.text).text("file") == path)
        #expect(
            try [UInt8](Data(contentsOf: URL(filePath: path)))
                == (try await bench.start(["export", "last", "--out", "-"]).end.output))
        try await bench.expect("export", "--out", bench.folder, "--force", status: 73)
        try await bench.expect("export", "--out", bench.folder + "/none/walk.jsonl", status: 73)
        #expect(try contents() == ["store", "walk.jsonl"])
    }

    @Test("says that the disk is full, and leaves nothing", .enabled(if: SmallDisk.isPossible))
    func fullDisk() async throws {
        _ = try await bench.output("import", try bench.file("log.jsonl", LogImportTests.log))
        let path = try bench.folder("disk")
        let disk = try SmallDisk(on: path)
        defer { disk.unmount() }
        try await bench.expect(
            "export", "--out", path + "/walk.jsonl", status: 74, says: "No space left")
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
    }
}
