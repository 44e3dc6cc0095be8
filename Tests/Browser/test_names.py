"""Names are a stranger's data: markup in them is text, wherever they are shown."""

from playwright.sync_api import expect

from pages import DESK, PageTest
from scenarios import LONG, MARKUP, SECOND, crowd


class NamesAsMarkup(PageTest):
    """A strap is called like HTML that would take the page over."""

    straps = crowd()

    def check(self, page):
        self.assertNotEqual(page.title(), "taken")
        self.assertEqual(page.locator("main img, main b:has-text('Strap')").count(), 0)
        self.fits(page, "a page with such a name")

    def test_in_range_and_paired(self):
        page = self.open()
        expect(page.locator(".pair")).to_contain_text("<img src=x onerror=")
        expect(page.locator(".pair")).to_contain_text(LONG[:40])
        self.check(page)
        page.get_by_role("button", name=f"Pair {MARKUP}").click()
        expect(page.locator(".strip")).to_contain_text("<b>Strap</b>")
        expect(page.locator(".strip")).to_contain_text("BPM")
        self.check(page)
        self.go(page, "#/devices")
        expect(page.get_by_label("Heart", exact=True)).to_contain_text("<b>Strap</b>")
        expect(page.get_by_label("In range")).to_contain_text("Strap One")
        self.check(page)
        self.go(page, f"#/log/{self.program.events('devicePaired')[-1]['position']}")
        expect(page.get_by_label("Event", exact=True)).to_contain_text("onerror")
        self.check(page)

    def test_forget_asks_with_the_name(self):
        self.program.pair(SECOND)
        page = self.open("#/devices", DESK)
        page.get_by_role("button", name=f"Forget {MARKUP}").click()
        expect(page.locator(".ask")).to_contain_text(f"Forget {MARKUP}?")
        self.check(page)
        expect(page.get_by_role("button", name="Keep")).to_be_focused()
        self.look_around(page, "a strap is to be forgotten")
        page.get_by_role("button", name="Forget", exact=True).click()
        expect(page.get_by_label("Heart", exact=True)).to_contain_text("No strap yet.")

    def test_mark_with_markup(self):
        self.program.begin(SECOND)
        page = self.open()
        page.get_by_role("button", name="Mark", exact=True).click()
        page.get_by_role("button", name="Add a word").click()
        page.get_by_label("Word of the mark").fill(MARKUP)
        page.keyboard.press("Enter")
        expect(page.locator(".panel")).to_contain_text("Marked: <img")
        self.check(page)
        self.program.command("finish")
        expect(page.locator(".marks")).to_contain_text("<img")
        self.check(page)
