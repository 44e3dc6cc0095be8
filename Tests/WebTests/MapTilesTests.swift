import Foundation
import TestSupport
import Testing

@testable import Web
import Words

@Suite("The tiles of a map")
struct MapTilesTests {
    private static let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 7]

    private let folder = TemporaryDirectory.ofTest()

    /// A file that these statements make.
    private func file(_ sql: String) throws -> String {
        try folder.database("map.mbtiles", sql)
    }

    /// The tables of MBTiles 1.3, 2.1 and 2.2, with some tiles.
    private func map(
        _ tiles: [(zoom: Int, column: Int, row: Int, bytes: [UInt8])],
        attribution: String = "somebody", then sql: String = ""
    ) throws -> String {
        let rows = tiles.map { tile in
            let hexadecimal = tile.bytes.map { String(format: "%02x", $0) }.joined()
            return "(\(tile.zoom), \(tile.column), \(tile.row), x'\(hexadecimal)')"
        }
        let insert = rows.isEmpty ? "" : "INSERT INTO tiles VALUES \(rows.joined(separator: ","));"
        return try file(
            """
            CREATE TABLE metadata (name text, value text);
            CREATE TABLE tiles (
                zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
            INSERT INTO metadata VALUES ('attribution', '\(attribution)');
            \(insert) \(sql);
            """)
    }

    private func place(_ zoom: UInt64, _ column: UInt64, _ row: UInt64) throws -> MapTiles.Place {
        try #require(MapTiles.Place(zoom: zoom, column: column, row: row))
    }

    @Test("are not waited for where a pipe or a folder is")
    func special() throws {
        let path = "\(folder.path)/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        for path in [path, folder.path] {
            #expect(throws: CommandFailure.self) { try MapFile(reading: path) }
        }
    }

    @Test("are found by their rows from the north, which the file counts from the south")
    func rows() throws {
        let tiles = try MapFile(reading: try map([(3, 2, 0, Self.picture)]))
        #expect(tiles.zooms == 3...3)
        #expect(tiles.attribution == "somebody")
        #expect(tiles.tile(at: try place(3, 2, 7))?.bytes == Self.picture)
        #expect(tiles.tile(at: try place(3, 2, 0)) == nil)
        #expect(tiles.tile(at: try place(2, 2, 3)) == nil)
    }

    @Test("are found where they are a view of other tables, as most programs make them")
    func view() throws {
        let path = try file(
            """
            CREATE TABLE metadata (name text, value text);
            CREATE TABLE map (zoom_level integer, tile_column integer, tile_row integer, id text);
            CREATE TABLE images (id text, data blob);
            INSERT INTO map VALUES (0, 0, 0, 'a');
            INSERT INTO images VALUES ('a', x'ffd8ff00');
            CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, data AS tile_data
                FROM map JOIN images ON images.id = map.id;
            """)
        let tile = try MapFile(reading: path).tile(at: try place(0, 0, 0))
        #expect(tile?.type == "image/jpeg")
    }

    @Test(
        "have the media type that their first bytes tell",
        arguments: [
            (picture, "image/png"), ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
            (Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ".utf8), "image/webp"),
        ])
    func types(_ bytes: [UInt8], _ type: String) throws {
        let tiles = try MapFile(reading: try map([(0, 0, 0, bytes)]))
        #expect(tiles.tile(at: try place(0, 0, 0))?.type == type)
    }

    @Test("are not passed on if they are no pictures")
    func noPictures() throws {
        let page = Array("<script>alert(1)</script>".utf8)
        let tiles = try MapFile(
            reading: try map([(0, 0, 0, Self.picture), (1, 0, 0, page)]))
        #expect(tiles.tile(at: try place(1, 0, 1)) == nil)
    }

    @Test(
        "name who made them in words, whatever markup the file has",
        arguments: [
            ("", ""), ("Somebody", "Somebody"), ("Rock & stone", "Rock & stone"),
            (
                "<a href=\"https://example.org\">&copy; Map\n makers</a>, 2 &lt; 3",
                "© Map makers, 2 < 3"
            ),
            ("&amp;lt;", "&lt;"), ("a < b", "a"),
        ])
    func attributions(_ markup: String, _ text: String) throws {
        let path = try map([(0, 0, 0, Self.picture)], attribution: markup)
        #expect(try MapFile(reading: path).attribution == text)
    }

    @Test("are within their level")
    func levels() {
        #expect(MapTiles.Place(zoom: 2, column: 3, row: 3) != nil)
        #expect(MapTiles.Place(zoom: 2, column: 4, row: 0) == nil)
        #expect(MapTiles.Place(zoom: 2, column: 0, row: 4) == nil)
        #expect(MapTiles.Place(zoom: 25, column: 0, row: 0) == nil)
        #expect(MapTiles.Place(zoom: .max, column: .max, row: .max) == nil)
    }

    @Test("of a file that is none are refused with the reason")
    func refused() throws {
        func reason(_ path: String) -> CommandFailure? {
            #expect(throws: CommandFailure.self) { try MapFile(reading: path) }
        }
        #expect(reason("\(folder.path)/none")?.exitCode == .noInput)
        #expect(try reason(map([]))?.message.contains("It has no tiles.") == true)
        try FileManager.default.removeItem(atPath: "\(folder.path)/map.mbtiles")
        let text = "\(folder.path)/text"
        try Data("no database at all, but long enough to be looked at".utf8)
            .write(to: URL(filePath: text))
        #expect(reason(text)?.exitCode == .badData)
        let cut = try map(
            (0..<99).map { (7, $0, 0, Self.picture + Array(repeating: 7, count: 999)) })
        try FileHandle(forWritingTo: URL(filePath: cut)).truncate(atOffset: 20_480)
        #expect(reason(cut)?.message.contains("damaged") == true)
    }

    @Test(
        "of a file that is odd are refused by name",
        arguments: [
            ("INSERT INTO metadata VALUES ('format', 'pbf')", [0x26], "vectors (pbf)"),
            ("", [0x1F, 0x8B, 8], "vectors (pbf)"),
            ("", Array("GIF89a".utf8), "in an unknown format"),
            ("UPDATE tiles SET zoom_level = 99", picture, "has no tiles"),
            ("UPDATE tiles SET zoom_level = -1", picture, "has no tiles"),
            ("UPDATE tiles SET zoom_level = 'x'", picture, "has no tiles"),
            ("UPDATE tiles SET tile_data = 'text'", picture, "has no tiles"),
            ("UPDATE tiles SET tile_data = zeroblob(2000000)", picture, "more than a mebibyte"),
            ("DROP TABLE tiles", picture, "No such table: tiles"),
            ("DROP TABLE metadata", picture, "No such table: metadata"),
        ])
    func odd(_ sql: String, _ bytes: [UInt8], _ words: String) throws {
        let path = try map([(3, 1, 1, bytes)], then: sql)
        let error = try #require(throws: CommandFailure.self) { try MapFile(reading: path) }
        #expect(error.exitCode == .badData && error.message.contains(words), "\(error.message)")
    }

    @Test("have bounds only where these make sense, and words of bounded length")
    func metadata() throws {
        func about(_ name: String, _ value: String) throws -> MapFile {
            defer { _ = unlink("\(folder.path)/map.mbtiles") }
            let sql = "INSERT INTO metadata VALUES ('\(name)', '\(value)')"
            return try MapFile(reading: try map([(0, 0, 0, Self.picture)], then: sql))
        }
        let file = try about("bounds", "-1.5, -2,3,4.25")
        #expect(file.bounds == [-15_000_000, -20_000_000, 30_000_000, 42_500_000])
        for value in ["", "1,2,3", "nan,0,1,1", "0,0,1e308,1", "0,0,inf,1", "3,0,1,1", "0,0,1,x"] {
            #expect(try about("bounds", value).bounds == [], "\(value)")
        }
        let name = try about("name", String(repeating: "\u{1B}[31m\u{202E}", count: 50_000)).name
        #expect(name.count < 70)
        #expect(name.unicodeScalars.allSatisfy { $0.value >= 32 && !$0.properties.isBidiControl })
    }

    @Test("of several files are those of the first that has one, and each maker is named once")
    func several() throws {
        func made(_ name: String, _ zoom: Int, _ byte: UInt8, _ maker: String) throws -> MapFile {
            let path = try map([(zoom, 0, 0, Self.picture + [byte])], attribution: maker)
            try FileManager.default.moveItem(atPath: path, toPath: "\(folder.path)/\(name)")
            return try MapFile(reading: "\(folder.path)/\(name)")
        }
        let files = try [
            made("a", 3, 1, "A"), made("b", 3, 2, "B"), made("c", 5, 3, "A"),
            made("d", 4, 4, ""),
        ]
        let tiles = try #require(MapTiles(files))
        #expect(tiles.zooms == 3...5 && tiles.attribution == "A · B")
        #expect(tiles.tile(at: try place(3, 0, 7))?.bytes.last == 1)
        #expect(tiles.tile(at: try place(5, 0, 31))?.bytes.last == 3)
        #expect(tiles.tile(at: try place(5, 1, 31)) == nil)
        #expect(MapTiles([]) == nil)
    }

    @Test(
        "of a file that never ends its answer, or contradicts itself, are given up",
        arguments: [
            ("i", "n"), ("random() % 60", "n LIMIT 999"), ("99 + 0 * hex(randomblob(500000))", "n"),
        ])
    func endless(_ zoom: String, _ rows: String) throws {
        let path = try file(
            """
            CREATE TABLE metadata (name text, value text);
            CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
                SELECT \(zoom) AS zoom_level, 0 AS tile_column, 0 AS tile_row, x'00' AS tile_data
                FROM \(rows);
            """)
        let error = try #require(throws: CommandFailure.self) { try MapFile(reading: path) }
        #expect(error.exitCode == .badData)
    }

    @Test("are lent to whoever has the token, and may be kept a while")
    func lent() async throws {
        let tiles = try MapFile(reading: try map([(2, 1, 3, Self.picture)]))
        try await Bench.serving(tiles: MapTiles([tiles])) { bench in
            let told = try await bench.get("/api/map")
            #expect(
                told.body
                    == #"{"tiles":{"minZoom":2,"maxZoom":2,"attribution":"somebody"}}"# + "\n")
            let tile = try await bench.get("/tiles/2/1/0")
            #expect(tile.status == 200 && tile.has("Content-Type: image/png"))
            #expect(tile.has("Cache-Control: private, max-age=600"))
            for (path, status) in [
                ("/tiles/2/1/3", 204), ("/tiles/2/4/0", 204), ("/tiles/99/0/0", 204),
                ("/tiles/x/0/0", 400), ("/tiles/2/-1/0", 400), ("/tiles/2/1", 404),
                ("/tiles/2/1/0/0", 404), ("/tiles/2/1/0.png", 400),
            ] {
                #expect(try await bench.get(path).status == status, "\(path)")
            }
            for path in ["/api/map", "/tiles/2/1/0"] {
                #expect(try await bench.get(path, token: "x").status == 401)
            }
        }
    }

    @Test("are none where no file was named")
    func none() async throws {
        try await Bench.serving { bench in
            let told = try await bench.get("/api/map")
            let tile = try await bench.get("/tiles/0/0/0")
            #expect(told.body == "{\"tiles\":null}\n")
            #expect(tile.status == 204)
        }
    }
}
