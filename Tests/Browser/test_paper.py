"""A walk on paper: light, as wide as a sheet, with nothing to press; and a legend for each heat-map
that never says a number twice."""

from playwright.sync_api import expect

from pages import DESK, PHONE, PageTest

SHEET = 689
"""Pixels of A4 within its margins."""


class OnPaper(PageTest):
    """A walk with a route and a heart rate."""

    past = "track"
    only_looks = True

    def opened(self, size=DESK, dark=False):
        page = self.open_walk(size, dark)
        expect(page.locator(".plot .line").first).to_be_visible()
        return page

    def tell(self, page, name):
        page.evaluate("(name) => { dispatchEvent(new Event(name)); }", name)

    def test_paper(self):
        for size in PHONE, DESK:
            page = self.opened(size, dark=True)
            ground = page.evaluate("getComputedStyle(document.querySelector('.card')).color")
            self.tell(page, "beforeprint")
            expect(page.locator(".head-end")).to_be_hidden()
            expect(page.locator(".heat")).to_be_hidden()
            widths = page.evaluate(
                "[...document.querySelectorAll('.card, .plot > svg, .map')]"
                ".map((node) => node.getBoundingClientRect().right)")
            self.assertLessEqual(max(widths), SHEET)
            on_paper = page.evaluate("getComputedStyle(document.querySelector('.card')).color")
            self.assertNotEqual(ground, on_paper)
            self.tell(page, "afterprint")
            expect(page.locator(".head-end")).to_be_visible()
            expect(page.locator("html")).not_to_have_attribute("data-theme", "light")
            self.assertGreater(len(page.pdf(format="A4", print_background=True)), 20_000)

    def test_legend(self):
        for size, dark in ((PHONE, True), (DESK, False)):
            page = self.opened(size, dark)
            select = page.get_by_label("Heat-map shows")
            for option in page.locator(".heat option:not([disabled])").all():
                key = option.get_attribute("value")
                select.select_option(key)
                if key == "heart":
                    continue
                texts = [text for text in page.locator(".ramp text").all_text_contents() if text]
                self.assertEqual(len(texts), len(set(texts)), key)
                expect(page.locator(".ramp svg[role=img]")).to_have_attribute(
                    "aria-label", f"{option.inner_text()}"
                    f" from {page.locator('.ramp > span').first.inner_text()} to "
                    f"{page.locator('.ramp > span').last.inner_text().split(',')[0]}, "
                    f"with limits at {', '.join(texts)}")
            page.get_by_role("slider", name="Moment of the walk").press("PageUp")
            expect(page.locator(".legend .at")).to_have_count(1)
            self.look(page, f"legend at {size[0]}")
