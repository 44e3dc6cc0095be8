import Foundation
import TestSelection
import TestSupport
import Testing

@Suite("pulselog export --format")
struct ExportWalksTests {
    let bench = Workbench()

    private func bytes(_ path: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(filePath: path)))
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
            #expect(try bench.names(in: folder).first?.hasPrefix("2026-03-01-1000-walk.") == true)
            let written = try bytes(path)
            #expect(try bytes("\(folder)/2026-03-01-1000-walk.\(ending)") == written)
            let printed = try await bench.expect("export", "last", "--format", format)
            #expect(printed.output == written)
            if format == "json" { #expect(written == shown) }
        }
        #expect(try bench.names().contains("walk.gaps.csv"))
    }

    @Test("gives many walks a file each, of a day, of a span, or all")
    func many() async throws {
        let all = ["2026-03-01", "2026-03-02", "2026-03-03"]
        // The same walk on each of the days.
        let lines = try ReplayCase("track").lines
        try await bench.load(
            lines[..<2]
                + all.enumerated().flatMap { index, day in
                    try lines[2...].map {
                        try $0.later(index * 86_400_000).replacing(all[0], with: day)
                    }
                })
        func written(_ folder: String, _ options: String...) async throws -> [String] {
            let path = "\(bench.folder)/\(folder)"
            let end = try await bench.start(
                ["export", "--format", "json", "--out", path] + options
            ).end
            guard end.status == 0 else { return ["\(end.status)"] }
            return try bench.names(in: path).map { String($0.prefix(10)) }
        }
        #expect(try await written("all", "--all") == all)
        #expect(try await written("day", "--day", "2026-03-02") == [all[1]])
        #expect(
            try await written("from", "--from", "2026-03-02T00:00:00+01:00") == Array(all[1...]))
        #expect(try await written("until", "--until", "2026-03-01T09:00:00.300Z") == [all[0]])
        #expect(try await written("time", "--day", "2026-03-01", "--from", "10:01") == ["66"])
        #expect(try await written("time", "--from", "10:00") == ["64"])
        // Each is what it is by itself, though the log is read once.
        for walk in try await bench.objects("sessions") {
            let position = try walk.integer("position")
            let date = try walk.text("startedAt").prefix(10)
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
        #expect(try bench.names() == ["store", "walk.gaps.csv"])
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
        #expect(try bench.names() == ["store", "w"])
    }

    @Test("gives two walks of one minute names of their own, and leaves simulated ones out")
    func names() async throws {
        for _ in 0..<2 { _ = try await bench.output("record", "--simulate", "--for", "1s") }
        let folder = bench.folder + "/walks"
        try await bench.expect(
            "export", "--all", "--format", "fit", "--out", folder, status: 66,
            says: "2 simulated walks")
        let other = Workbench()
        try await other.load("track")
        let path = try other.folder("walks/")
        for _ in 0..<2 {
            let line = try await other.object(
                "export", "last", "--format", "tcx", "--out", path, "--force")
            #expect(try line.text("file") == path + "2026-03-01-1000-walk.tcx")
        }
    }

    @Test(
        "without names shows the same walk and nothing else",
        arguments: sample(["track", "ordinary-walk", "two-straps"]))
    func anonymous(_ name: String) async throws {
        try await bench.load(name)
        let shown = try await bench.object("sessions", "show", "last")
        for (options, folder) in [(["last"], "one"), (["--all"], "all")] {
            for format in ["json", "csv", "tcx", "fit"] {
                let path = try bench.folder("\(folder)-\(format)/")
                try await bench.expect(
                    ["export", "--anonymous", "--format", format, "--out", path] + options)
                for file in try bench.names(in: path) {
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
        let walk = try await withoutNames("--with-track")
        #expect(
            try walk.objects("track").map { try $0.integer("latitudeE7") }
                == shown.objects("track").map { try $0.integer("latitudeE7") })
        #expect(try walk.objects("track")[0].integer("longitudeE7") == 0)
        // Positions count from 0, like those of a bug report, whatever else the log holds.
        _ = try await bench.run("record", "--simulate", "--for", "1s")
        let own = try await bench.object("sessions", "show", "last")
        #expect(try await withoutNames().integer("position") < own.integer("position"))
    }

    @Test(
        "without names leaves out the strap that was left out after the walk",
        arguments: [false, true])
    func exclusion(isSimulated: Bool) async throws {
        let lines = try ReplayCase("two-straps").lines
        let exclusion = try ExcludeTests.exclusion(with: #require(lines.last))
        try await bench.load(
            (lines + [exclusion]).map {
                $0.replacing("\"simulated\":false", with: "\"simulated\":\(isSimulated)")
            })
        let shown = try await bench.object("sessions", "show", "last")
        var walks = [try await withoutNames()]
        if !isSimulated {
            let path = try bench.folder("walks/")
            _ = try await bench.output(
                "export", "--all", "--anonymous", "--format", "json", "--out", path)
            let file = try bytes("\(path)2024-01-02-1000-walk.json")
            walks.append(try Line(String(decoding: file, as: UTF8.self)))
        }
        for walk in [shown] + walks {
            #expect(try walk.objects("samples").count == 30)
            #expect(
                try walk.object("heartRate").integer("sum")
                    == shown.object("heartRate").integer("sum"))
        }
    }

    /// The last walk without names.
    private func withoutNames(_ options: String...) async throws -> Line {
        let arguments = ["export", "last", "--anonymous", "--format", "json"] + options
        return try Line(await bench.start(arguments).end.text)
    }
}
