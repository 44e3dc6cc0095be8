"""A goal that is typed while its server is slow."""

from playwright.sync_api import expect

from pages import PageTest
from scenarios import STRAP, steady


class TypedGoal(PageTest):
    """What was typed is what begins, and what was chosen stays chosen."""

    straps = steady()

    def prepare(self):
        super().prepare()
        self.program.run("devices", "pair", STRAP)

    def hold_goals(self, page):
        """Keeps what is asked of goals from the server, until somebody lets it go."""
        held = []
        page.route("**/api/goal?*", lambda route: held.append(route))
        return held

    def type_steps(self, page, text, held):
        field = page.get_by_label("Target in steps")
        expect(field).to_have_value("6,000")
        with page.expect_request("**/api/goal?*"):
            field.fill(text)
            field.blur()
        while not held:
            page.wait_for_timeout(10)

    def choose(self, page, kind):
        page.locator(".goals label", has_text=kind).click()

    def test_started_at_once(self):
        page = self.open()
        held = self.hold_goals(page)
        self.type_steps(page, "7000", held)
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.get_by_role("button", name="Start", exact=True)).to_be_disabled()
        held[0].continue_()
        expect(page.locator(".hero")).to_contain_text("of 7,000")

    def test_unreadable(self):
        page = self.open()
        self.tolerated.append("422")
        held = self.hold_goals(page)
        self.type_steps(page, "1e6", held)
        page.get_by_role("button", name="Start", exact=True).click()
        held[0].continue_()
        expect(page.locator(".said").last).to_have_text("Enter steps, such as 6,000.")
        expect(page.get_by_role("button", name="Start", exact=True)).to_be_enabled()
        self.assertEqual(self.program.events("sessionStarted"), [])
        self.choose(page, "Distance")
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator(".hero")).to_contain_text("of 5.00 km")

    def test_other_kind(self):
        page = self.open()
        held = self.hold_goals(page)
        self.type_steps(page, "7000", held)
        self.choose(page, "Distance")
        expect(page.get_by_label("Target in kilometres")).to_have_value("5")
        with page.expect_response("**/api/goal?*"):
            held[0].continue_()
        # The answer is taken in turn: what asks after it is answered after it.
        page.evaluate("() => fetch('/api/map').then((answer) => answer.text())")
        expect(page.get_by_label("Target in kilometres")).to_have_value("5")
        self.choose(page, "Steps")
        expect(page.get_by_label("Target in steps")).to_have_value("7,000")
        self.choose(page, "Distance")
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator(".hero")).to_contain_text("of 5.00 km")
