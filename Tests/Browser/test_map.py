"""A map of the walker's own below the track."""

import base64
import sqlite3

from playwright.sync_api import expect

from pages import PageTest


# A PNG of one grey pixel.
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==")


class OwnMap(PageTest):
    """Two MBTiles files with tiles of the first levels only, stretched over the deeper ones."""

    past = "track"
    credit = "<b onmouseover=\"document.title='taken'\">&copy; Surveyors</b>"

    def prepare(self):
        # Of the fourth level only what is north: a flipped row would find nothing.
        near = [(zoom, column, row) for zoom in (3, 4) for column in range(2 ** zoom)
                for row in range(2 ** zoom) if row >= 2 ** zoom // 2]
        self.program.options = [
            "--tiles", self.make("far.mbtiles", self.credit, [(0, 0, 0)]),
            # The deepest level has a tile, but not where the walk was.
            "--tiles", self.make("near.mbtiles", "Others", near + [(5, 0, 0)])]

    def make(self, name, credit, tiles):
        path = self.program.folder / name
        with sqlite3.connect(path) as file:
            file.execute("CREATE TABLE metadata (name text, value text)")
            file.execute("CREATE TABLE tiles (zoom_level integer, tile_column integer,"
                         " tile_row integer, tile_data blob)")
            file.execute("INSERT INTO metadata VALUES ('attribution', ?)", [credit])
            file.executemany(
                "INSERT INTO tiles VALUES (?, ?, ?, ?)", [(*tile, PICTURE) for tile in tiles])
        file.close()
        return str(path)

    def test_lies_below(self):
        page = self.open(f"#/walks/{self.walk}")
        expect(page.locator(".map .leaflet-tile-loaded").first).to_be_visible()
        expect(page.locator(".map path.track").first).to_be_visible()
        picture = page.locator(".map .leaflet-tile-loaded img").first
        self.assertTrue(picture.evaluate("image => image.naturalWidth > 0"))
        self.assertRegex(picture.get_attribute("src"), "^/tiles/4/")
        self.assertEqual(
            picture.evaluate("image => image.height / image.parentElement.offsetWidth"), 2)
        expect(page.locator(".map .credit")).to_have_text("© Surveyors · Others")
        self.assertEqual(page.locator(".map .credit *").count(), 0)
        for screen in ("#/walk", f"#/walks/{self.walk}"):
            self.go(page, screen)
            expect(page.locator(".sheet" if screen == "#/walk" else ".zones")).to_be_visible()
            expect(page.locator(".map .credit")).to_be_visible()
            # On a phone the bar lies over what is below it.
            page.locator(".map .credit").evaluate(
                "node => node.scrollIntoView({ block: 'center' })")
            self.assertTrue(page.locator(".map .credit").evaluate("""node => {
                const { left, top, width, height } = node.getBoundingClientRect();
                return document.elementFromPoint(left + width / 2, top + height / 2) === node;
            }"""), f"the credit is covered on {screen}")
