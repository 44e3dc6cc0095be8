import Foundation
import TestSupport
import Testing

@Suite("pulselog map")
struct MapTests {
    let bench = Workbench()
    private let folder = TemporaryDirectory.ofTest()

    /// A map of tiles of the tenth level; the track of the tests is in column 543, row 668.
    private func map(
        _ name: String, columns: ClosedRange<Int>, bounds: String = "10,47,12,49",
        format: String = "ffd8ff",
        more: String = "CREATE INDEX i ON tiles (zoom_level, tile_column)"
    ) throws -> String {
        let rows = columns.map { "(10, \($0), 668, x'\(format)')" }.joined(separator: ",")
        return try folder.database(
            name,
            """
            CREATE TABLE metadata (name text, value text);
            CREATE TABLE tiles (
                zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
            INSERT INTO metadata VALUES ('name', 'Isar'), ('bounds', '\(bounds)'),
                ('attribution', '<a href="https://example.org">&copy; Survey</a>');
            INSERT INTO tiles VALUES \(rows); \(more);
            """)
    }

    @Test("says on one page where a map comes from")
    func guide() async throws {
        let text = try await bench.text("map")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 80 })
        #expect(text.contains("  pulselog serve --tiles walks.mbtiles"))
        #expect(try await Line(bench.text("map", "--json")).fields["lines"] as? [String] != nil)
    }

    @Test("says what a file holds, and that there is no log")
    func file() async throws {
        let path = try map(
            "a", columns: 540...545, bounds: "-1.5,47,12,nan", format: "89504e470d0a1a0a")
        #expect(
            try await bench.text("map", path) == """
                \(path): Isar
                  Pictures     PNG, zoom 10 to 10, 1 MB
                  Bounds       not stated
                  Attribution  © Survey
                  Shows        no walk: there is no log, or none in it has a route.

                """)
        #expect(!FileManager.default.fileExists(atPath: bench.store))
    }

    @Test("says which walks lie in it, and where pictures are missing")
    func walks() async throws {
        try await bench.load("track")
        let missing = "1 where pictures are missing, the last"
        for (columns, bounds, words) in [
            (543...543, "10.25,-47,12,49", "1 of 1 walk with a route."),
            (
                1...2, "-5,47,-4.5,49",
                "0 of 1 walk with a route; 1 outside, the last on Sun 1 Mar 2026."
            ),
            (1...2, "10,47,12,49", "0 of 1 walk with a route; \(missing)"),
        ] {
            let path = try map("\(bounds)", columns: columns, bounds: bounds)
            try await bench.expect("map", path, says: "  Shows        \(words)")
        }
        let line = try await Line(bench.text("map", folder.path + "/10,47,12,49", "--json"))
        #expect(line.fields["gaps"] as? [String] == ["2026-03-01"])
        #expect(line.fields["boundsE7"] as? [Int] == [10, 47, 12, 49].map { $0 * 10_000_000 })
        // Without an index each of many tiles would take a look at all.
        let path = try map("slow", columns: 10_000...40_000, more: "")
        try await bench.expect("map", path, says: "has no index")
    }

    @Test("names each file that is no map, and tells of the others")
    func none() async throws {
        let good = try map("good", columns: 1...1)
        let vectors = try map("vectors", columns: 1...1, format: "1f8b08")
        try await bench.expectComplaints([
            ("map \(vectors)", 65, "vectors (pbf); PNG, JPEG or WebP is needed"),
            ("map \(folder.path)", 66, "not a regular"),
            ("map \(folder.path)/no", 66, "No such file"),
            ("serve --tiles \(good) --tiles \(vectors)", 65, "vectors (pbf)"),
        ])
        let end = try await bench.run("map", vectors, good, folder.path)
        #expect(end.status == 66 && end.text.contains("good: Isar"))
        #expect(end.messages.contains("vectors (pbf)") && end.messages.contains("not a regular"))
    }

    @Test("is what doctor means where a map of the configuration file cannot be used")
    func doctor() async throws {
        let (good, none) = (try map("good", columns: 1...1), folder.path + "/none")
        for (tiles, result) in [("\"\(good)\"", "ok"), ("[\"\(good)\", \"\(none)\"]", "problem")] {
            try bench.file(".config/pulselog/config.toml", "[serve]\ntiles = \(tiles)")
            let lines = try await bench.run("doctor", "--json").lines.map { try Line($0) }
            let page = try #require(try lines.first { try $0.text("check") == "page" })
            // A machine without Leaflet has another reason to warn.
            let found = try page.text("result").replacingOccurrences(of: "warning", with: "ok")
            #expect(found == result)
            #expect(try page.text("message").contains(none) == (result == "problem"))
        }
    }
}
