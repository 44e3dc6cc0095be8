import Foundation
import TestSupport
import Testing

@Suite("pulselog export --format")
struct ExportWalksTests {
    let bench = Workbench()

    private func bytes(_ path: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(filePath: path)))
    }

    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    /// A log of the case's walk, and of the same a day and two days later.
    private func threeDays(_ name: String) throws -> String {
        let capture = ReplayCase(name)
        let lines = String(decoding: try capture.bytes(of: "capture.jsonl"), as: UTF8.self)
            .split(separator: "\n").map(String.init)
        var all: [String] = []
        for day in 0..<3 {
            for line in day == 0 ? lines[...] : lines.dropFirst(2) {
                let event = try Line(line)
                var text = line
                for (key, value) in [
                    ("position", all.count),
                    ("wallMilliseconds", try event.integer("wallMilliseconds") + day * 86_400_000),
                    ("bootMilliseconds", try event.integer("bootMilliseconds") + day * 86_400_000),
                ] {
                    text = text.replacing(
                        "\"\(key)\":\(try event.integer(key)),", with: "\"\(key)\":\(value),")
                }
                all.append(text.replacing("2026-03-01", with: "2026-03-0\(1 + day)"))
            }
        }
        return try bench.file("days.jsonl", Array((all.joined(separator: "\n") + "\n").utf8))
    }

    @Test("gives the same bytes to a file, to a folder and to standard output")
    func places() async throws {
        try await bench.load("track")
        let shown = try await bench.output("sessions", "show", "last", "--json")
        for (format, ending) in [
            ("fit", "fit"), ("gpx", "gpx"), ("tcx", "tcx"), ("csv", "csv"), ("rr", "txt"),
            ("json", "json"),
        ] {
            let path = "\(bench.folder)/walk.\(ending)"
            let end = try await bench.expect("export", "last", "--format", format, "--out", path)
            #expect(end.text == "\(path) holds the walk of 2026-03-01, 10:00.\n")
            let folder = "\(bench.folder)/\(format)"
            _ = try await bench.output("export", "--all", "--format", format, "--out", folder)
            #expect(try names(in: folder).first?.hasPrefix("2026-03-01-1000-walk.") == true)
            let written = try bytes(path)
            #expect(try bytes("\(folder)/2026-03-01-1000-walk.\(ending)") == written)
            let printed = try await bench.expect("export", "last", "--format", format)
            #expect(printed.output == written)
            if format == "json" { #expect(written == shown) }
        }
        #expect(try names(in: bench.folder).contains("walk.gaps.csv"))
    }

    @Test("gives many walks a file each, of a day, of a span, or all")
    func many() async throws {
        _ = try await bench.output("import", try threeDays("track"))
        func written(_ folder: String, _ options: String...) async throws -> [String] {
            let path = "\(bench.folder)/\(folder)"
            let end = try await bench.start(
                ["export", "--format", "json", "--out", path] + options
            ).end
            guard end.status == 0 else { return ["\(end.status)"] }
            return try names(in: path).map { String($0.prefix(10)) }
        }
        let all = ["2026-03-01", "2026-03-02", "2026-03-03"]
        #expect(try await written("all", "--all") == all)
        #expect(try await written("day", "--day", "2026-03-02") == [all[1]])
        #expect(
            try await written("from", "--from", "2026-03-02T00:00:00+01:00") == Array(all[1...]))
        #expect(try await written("until", "--until", "2026-03-01T09:00:00.300Z") == [all[0]])
        #expect(try await written("time", "--day", "2026-03-01", "--from", "10:01") == ["66"])
        #expect(try await written("time", "--from", "10:00") == ["64"])
        // Each is what it is by itself, though the log is read once.
        for line in try await bench.run("sessions", "--json").lines {
            let position = try Line(line).integer("position")
            let date = try Line(line).text("startedAt").prefix(10)
            #expect(
                try bytes("\(bench.folder)/all/\(date)-1000-walk.json")
                    == (try await bench.output("sessions", "show", "\(position)", "--json")))
        }
        try await bench.expect(
            "export", "--all", "--format", "json", "--out", bench.folder + "/all", status: 73,
            says: "0 of 3 walks were written")
        try await bench.expect(
            "export", "--all", "--format", "json", "--out", bench.folder + "/all", "--force",
            says: "Wrote 3 walks to")
    }

    @Test("writes intervals with their gaps, or neither")
    func gaps() async throws {
        try await bench.load("track")
        let gaps = try bench.file("walk.gaps.csv", "of another walk")
        let path = bench.folder + "/walk.txt"
        try await bench.expect(
            "export", "last", "--format", "rr", "--out", path, status: 73,
            says: "walk.gaps.csv already exists")
        #expect(try names(in: bench.folder) == ["store", "walk.gaps.csv"])
        _ = try await bench.output("export", "last", "--format", "rr", "--out", path, "--force")
        #expect(String(decoding: try bytes(gaps), as: UTF8.self).hasPrefix("intervals_before,"))
    }

    @Test("says what it cannot write, before it writes anything")
    func refusals() async throws {
        try await bench.load("one-minute")
        let (folder, store) = (bench.folder, bench.store)
        try await bench.expectComplaints([
            ("export last --format gpx --out \(folder)/w.gpx", 65, "no positions"),
            ("export --all --format gpx --out \(folder)/w", 65, "no positions"),
            ("export last --format fit --out \(store)/w.fit", 73, "files of a log"),
            ("export --all --format fit --out \(store)/w", 73, "files of a log"),
            ("export --all --format fit --out \(folder)/a/b", 73, "cannot be made"),
            ("export --format fit", 64, "Which walk?"), ("export last --all", 64, "Name a walk"),
            ("export --day 2026-03-01", 64, "jsonl"), ("export --rows samples", 64, "csv"),
            ("export --day 2026-02-01 --format csv --out \(folder)", 66, "No walk"),
        ])
        #expect(try names(in: bench.folder) == ["store", "w"])
    }

    @Test("gives two walks of one minute names of their own, and leaves simulated ones out")
    func names() async throws {
        for _ in 0..<2 {
            _ = try await bench.output("record", "--simulate", "--for", "1s")
        }
        let folder = bench.folder + "/walks"
        try await bench.expect(
            "export", "--all", "--format", "fit", "--out", folder, status: 66,
            says: "2 simulated walks")
        let other = Workbench()
        try await other.load("track")
        let path = other.folder + "/walks/"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        for _ in 0..<2 {
            let end = try await other.run(
                "export", "last", "--format", "tcx", "--out", path, "--json", "--force")
            #expect(try Line(end.text).text("file") == path + "2026-03-01-1000-walk.tcx")
        }
    }

    @Test(
        "without names shows the same walk and nothing else",
        arguments: sample(of: ["track", "ordinary-walk", "two-straps"]))
    func anonymous(_ name: String) async throws {
        try await bench.load(name)
        let shown = try await bench.object("sessions", "show", "last")
        for (options, folder) in [(["last"], "one"), (["--all"], "all")] {
            for format in ["json", "csv", "tcx", "fit"] {
                let path = try bench.folder("\(folder)-\(format)/")
                try await bench.expect(
                    ["export", "--anonymous", "--format", format, "--out", path] + options)
                for file in try names(in: path) {
                    #expect(file.hasPrefix("2024-01-02-1000-walk."))
                    let text = String(decoding: try bytes(path + file), as: UTF8.self)
                    for secret in [
                        "C4:00:00:00", "Strap One", "bench by the river", "2026-", "latitudeE7\":",
                        "<LatitudeDegrees>",
                    ] { #expect(!text.contains(secret), "\(file): \(secret)") }
                    if format == "csv" {
                        let cells = text.split(separator: "\r\n").dropFirst().map {
                            $0.split(separator: ",", omittingEmptySubsequences: false)
                        }
                        #expect(cells.count > 10 && cells.allSatisfy { $0[4].isEmpty })
                    }
                    guard format == "json" else { continue }
                    let walk = try Line(text)
                    for key in ["elapsedMilliseconds", "activeMilliseconds", "marks"] {
                        #expect(try walk.integer(key) == shown.integer(key))
                    }
                    #expect(
                        try walk.objects("samples").map { try $0.integer("bpm") }
                            == shown.objects("samples").map { try $0.integer("bpm") })
                    #expect(try walk.objects("track").isEmpty)
                }
            }
        }
        guard name == "track" else { return }
        let end = try await bench.start(
            ["export", "last", "--anonymous", "--with-track", "--format", "json"]
        ).end
        let walk = try Line(end.text)
        #expect(
            try walk.objects("track").map { try $0.integer("latitudeE7") }
                == shown.objects("track").map { try $0.integer("latitudeE7") })
        #expect(try walk.objects("track")[0].integer("longitudeE7") == 0)
        // Positions count from 0, like those of a bug report, whatever else the log holds.
        _ = try await bench.run("record", "--simulate", "--for", "1s")
        let own = try await bench.object("sessions", "show", "last")
        let other = try Line(
            await bench.start(["export", "last", "--anonymous", "--format", "json"]).end.text)
        #expect(try other.integer("position") < own.integer("position"))
    }

    @Test("without names leaves out the strap that was left out of a simulated walk")
    func simulatedExclusion() async throws {
        let capture = ReplayCase("two-straps")
        var lines = String(decoding: try capture.bytes(of: "capture.jsonl"), as: UTF8.self)
            .replacing("\"simulated\":false", with: "\"simulated\":true")
            .split(separator: "\n").map(String.init)
        let end = try Line(try #require(lines.last))
        lines.append(
            #"{"position":\#(lines.count),"source":0,"bootMilliseconds":"#
                + "\(try end.integer("bootMilliseconds")),\"wallMilliseconds\":"
                + "\(try end.integer("wallMilliseconds")),"
                + #""bootNumber":0,"wallTrusted":true,"simulated":true,"kind":"deviceExcluded","#
                + #""version":1,"session":14,"device":"C4:00:00:00:00:04","excluded":true}"#)
        let log = try bench.file("log.jsonl", Array((lines.joined(separator: "\n") + "\n").utf8))
        _ = try await bench.output("import", log)
        let shown = try await bench.object("sessions", "show", "last")
        let walk = try Line(
            await bench.start(["export", "last", "--anonymous", "--format", "json"]).end.text)
        #expect(try shown.objects("samples").count == 30)
        #expect(try walk.objects("samples").count == 30)
    }

    @Test("without names leaves out the strap that was left out after the walk")
    func anonymousExclusion() async throws {
        try await bench.load("two-straps")
        let straps = try await bench.object("sessions", "show", "last")
            .objects("straps")
        try #require(straps.count == 2)
        _ = try await bench.output("sessions", "exclude", try straps[1].text("device"), "last")
        let shown = try await bench.object("sessions", "show", "last")
        for selection in [["last"], ["--all"]] {
            let path = "\(bench.folder)/\(selection.count)\(selection[0])"
            _ = try await bench.start(
                ["export", "--anonymous", "--format", "json", "--out", path] + selection
            ).end
            let file = selection == ["last"] ? path : "\(path)/2024-01-02-1000-walk.json"
            let walk = try Line(String(decoding: try bytes(file), as: UTF8.self))
            #expect(
                try walk.object("heartRate").integer("sum")
                    == shown.object("heartRate").integer("sum"))
            #expect(try walk.objects("samples").count == shown.objects("samples").count)
        }
    }
}
