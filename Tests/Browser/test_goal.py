"""A goal that is typed while its server is slow."""

from playwright.sync_api import expect

from pages import HOLD, PageTest, wait_until
from scenarios import STRAP, WATCH, steady, watch


class TypedGoal(PageTest):
    """What was typed is what begins, and what was chosen stays chosen."""

    straps = steady(watch())

    def prepare(self):
        for address in STRAP, WATCH:
            self.program.run("devices", "pair", address)

    def type_steps(self, text):
        """Types a number of steps, whose answer is held back."""
        page = self.open()
        page.evaluate(HOLD, "/api/goal?")
        field = page.get_by_label("Target in steps")
        expect(field).to_have_value("6,000")
        field.fill(text)
        field.blur()
        wait_until(page, "() => held.length > 0")
        return page

    def let_go(self, page):
        page.evaluate("held[0]()")

    def choose(self, page, kind):
        page.locator(".goals label", has_text=kind).click()

    def test_started_at_once(self):
        page = self.type_steps("7000")
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.get_by_role("button", name="Start", exact=True)).to_be_disabled()
        self.let_go(page)
        expect(page.locator(".hero")).to_contain_text("of 7,000")

    def test_unreadable(self):
        self.tolerated.append("422")
        page = self.type_steps("1e6")
        page.get_by_role("button", name="Start", exact=True).click()
        self.let_go(page)
        expect(page.locator(".said").last).to_have_text("Enter steps, such as 6,000.")
        expect(page.get_by_role("button", name="Start", exact=True)).to_be_enabled()
        self.assertEqual(self.program.events("sessionStarted"), [])
        self.choose(page, "Distance")
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator(".hero")).to_contain_text("of 5.00 km")

    def test_other_kind(self):
        page = self.type_steps("7000")
        self.choose(page, "Distance")
        expect(page.get_by_label("Target in kilometres")).to_have_value("5.00")
        self.let_go(page)
        # The answer is taken in turn: what asks after it is answered after it.
        page.evaluate("() => fetch('/api/map').then((answer) => answer.text())")
        expect(page.get_by_label("Target in kilometres")).to_have_value("5.00")
        self.choose(page, "Steps")
        expect(page.get_by_label("Target in steps")).to_have_value("7,000")
        self.choose(page, "Distance")
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator(".hero")).to_contain_text("of 5.00 km")
