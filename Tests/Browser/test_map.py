"""A map of the walker's own below the track."""

import sqlite3
import struct
import zlib

from playwright.sync_api import expect

from pages import PageTest


def picture():
    """A PNG of one grey pixel (ISO 15948, 11.2)."""
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"\0\x80")) + chunk(b"IEND", b""))


class OwnMap(PageTest):
    """An MBTiles file with tiles of the first levels only, stretched over the deeper ones."""

    replay = "track"
    credit = "<b onmouseover=\"document.title='taken'\">&copy; Surveyors</b>"

    def prepare(self):
        path = self.program.folder / "map.mbtiles"
        with sqlite3.connect(path) as file:
            file.execute("CREATE TABLE metadata (name text, value text)")
            file.execute("CREATE TABLE tiles (zoom_level integer, tile_column integer,"
                         " tile_row integer, tile_data blob)")
            file.execute("INSERT INTO metadata VALUES ('attribution', ?)", [self.credit])
            file.executemany(
                "INSERT INTO tiles VALUES (?, ?, ?, ?)",
                # Of the third level only what is north: a flipped row would find nothing.
                [(zoom, column, row, picture()) for zoom in range(5)
                 for column in range(2 ** zoom) for row in range(2 ** zoom)
                 if row >= 2 ** zoom // 2])
        file.close()
        self.program.options = ["--tiles", str(path)]

    def test_lies_below(self):
        walk = self.program.ask("/api/sessions")["sessions"][0]["position"]
        page = self.open(f"#/walks/{walk}")
        expect(page.locator(".map .leaflet-tile-loaded").first).to_be_visible()
        expect(page.locator(".map path.track").first).to_be_visible()
        self.assertTrue(page.locator(".map .leaflet-tile-loaded").first.evaluate(
            "image => image.naturalWidth > 0"))
        expect(page.locator(".map .credit")).to_have_text("© Surveyors")
        self.assertEqual(page.locator(".map .credit *").count(), 0)
        for screen in ("#/walk", f"#/walks/{walk}"):
            self.go(page, screen)
            expect(page.locator(".sheet" if screen == "#/walk" else ".zones")).to_be_visible()
            expect(page.locator(".map .credit")).to_be_visible()
            # On a phone the bar lies over what is below it.
            page.locator(".map .credit").evaluate("node => node.scrollIntoView({ block: 'center' })")
            self.assertTrue(page.locator(".map .credit").evaluate("""node => {
                const { left, top, width, height } = node.getBoundingClientRect();
                return document.elementFromPoint(left + width / 2, top + height / 2) === node;
            }"""), f"the credit is covered on {screen}")
