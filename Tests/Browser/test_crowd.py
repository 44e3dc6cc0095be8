"""More straps in range than a sheet has room for."""

from playwright.sync_api import expect

from pages import PageTest
from scenarios import steady, strap, beating


class Crowd(PageTest):
    """The list scrolls; what stands below it stays where it can be read and pressed."""

    straps = steady(*(
        strap([beating()], f"Strap {number}", f"C4:00:00:00:01:{number:02}", -60 - number)
        for number in range(2, 12)))

    def test_scrolls(self):
        page = self.open()
        expect(page.get_by_role("button", name="Pair Strap 11")).to_be_attached()
        goal = page.locator(".goal-line").bounding_box()
        rows = page.locator(".pair .rows")
        box = rows.bounding_box()
        self.assertLessEqual(box["y"] + box["height"], goal["y"] + 1)
        last = page.get_by_role("button", name="Pair Strap 11")
        # At once: straps that are still coming in keep the list moving.
        last.evaluate("button => button.scrollIntoView()")
        expect(last).to_be_in_viewport()
        page.get_by_role("button", name="Change", exact=True).click(trial=True)
