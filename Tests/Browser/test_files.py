"""A walk's files: a menu by keyboard and by pointer, and the bytes that `export` writes."""

import tempfile
from pathlib import Path

from playwright.sync_api import expect

from pages import DESK, PHONE, PageTest, press_tab_until

NAMES = {"FIT": "fit", "GPX": "gpx", "TCX": "tcx", "CSV": "csv", "RR intervals": "rr",
         "RR gaps": "gaps", "JSON": "json"}


class FilesTest(PageTest):
    """What the menus of several walks share."""

    only_looks = True

    def menu(self, page):
        menu = page.get_by_role("list", name="Export this walk")
        page.locator("summary", has_text="Export").click()
        expect(menu).to_be_visible()
        return menu

    def exported(self, form):
        """What the command writes."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "walk"
            self.program.run("export", "last", "--format", form, "--out", str(path))
            return path.read_bytes()


class WholeWalk(FilesTest):
    """A walk with a track and a heart rate."""

    past = "track"

    def test_same_bytes(self):
        page = self.open(f"#/walks/{self.walk}", DESK)
        for name, form in NAMES.items():
            menu = self.menu(page)
            with page.expect_download() as download:
                menu.get_by_role("link", name=name).click()
            expect(menu).to_be_hidden()
            ending = {"rr": "txt", "gaps": "gaps.csv"}.get(form, form)
            self.assertEqual(download.value.suggested_filename, f"2026-03-01-1000-walk.{ending}")
            with self.subTest(form=form):
                self.assertEqual(
                    Path(download.value.path()).read_bytes(), self.exported(form))

    def test_by_keyboard(self):
        page = self.open(f"#/walks/{self.walk}", DESK)
        summary = page.locator("summary", has_text="Export")
        expect(summary).to_be_visible()
        press_tab_until(page, summary)
        page.keyboard.press("Enter")
        menu = page.get_by_role("list", name="Export this walk")
        expect(menu).to_be_visible()
        page.keyboard.press("Tab")
        expect(menu.get_by_role("link", name="FIT")).to_be_focused()
        page.keyboard.press("Escape")
        expect(menu).to_be_hidden()
        expect(summary).to_be_focused()
        page.keyboard.press("Enter")
        expect(menu).to_be_visible()
        for _ in NAMES:
            page.keyboard.press("Tab")
        expect(menu.get_by_role("link", name="JSON")).to_be_focused()
        page.keyboard.press("Tab")
        expect(menu).to_be_hidden()
        self.menu(page)
        page.locator("h1").click()
        expect(menu).to_be_hidden()

    def test_looks(self):
        for size, dark in ((PHONE, True), (PHONE, False), (DESK, True), (DESK, False)):
            page = self.open(f"#/walks/{self.walk}", size, dark=dark)
            self.menu(page)
            self.look(page, f"the menu at {size[0]}")
            page.context.close()


class IndoorWalk(FilesTest):
    """A walk without a position."""

    past = "one-minute"

    def test_offers_no_gpx(self):
        page = self.open(f"#/walks/{self.walk}", PHONE)
        menu = self.menu(page)
        self.look(page, "the menu without GPX")
        refused = menu.get_by_role("link", name="GPX")
        expect(refused).to_be_disabled()
        expect(refused).to_contain_text("no positions")
        self.assertIsNone(refused.get_attribute("href"))
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        expect(refused).to_be_focused()
