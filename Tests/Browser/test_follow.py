"""Screens follow what they show, and nothing goes on behind one that was left."""

import re

from playwright.sync_api import expect

from pages import HOLD, PageTest, wait_until
from scenarios import STRAP, beating, heard, strap

HIDE = """(how) => {
    Object.defineProperty(document, "visibilityState", { value: how, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


class OwnZones(PageTest):
    """Zones are those of the walker's profile, live and afterwards."""

    straps = heard(strap([beating(120, 120)]))

    profile = ("zones=90,100,110",)

    def test_are_shown(self):
        self.program.begin(STRAP)
        page = self.open()
        expect(page.locator(".pulse .num")).to_have_text("120")
        expect(page.locator(".pulse .zone")).to_have_text("Maximum")
        expect(page.locator(".panel .hero")).to_contain_text(
            re.compile(r"0:(0[3-9]|[1-5]\d)"))
        self.program.command("finish")
        page.wait_for_url("**/#/walks/*")
        expect(page.locator(".zones")).to_contain_text("from 110")
        expect(page.locator(".zones")).to_contain_text("below 90")


class Icons(PageTest):
    """The icons are a part of the document."""

    def test_stay(self):
        page = self.open("#/devices")
        expect(page.locator("svg.sprite symbol").first).to_be_attached()
        self.go(page, "#/history")
        icons = page.locator("svg.i use")
        widths = icons.evaluate_all("""all => all.filter((one) => one.checkVisibility())
            .map((one) => one.getBBox().width)""")
        self.assertTrue(len(widths) > 4 and all(widths), widths)


class LeftBehind(PageTest):
    """The log screen is left before it was answered."""

    def test_does_not_take_the_address(self):
        page = self.open("#/devices")
        waiting = []
        page.route("**/api/log", lambda route: waiting.append(route))
        self.go(page, "#/log")
        expect(page.get_by_label("Time in the log")).to_be_visible()
        self.go(page, "#/history")
        expect(page.locator(".blank")).to_be_visible()
        for route in waiting:
            route.continue_()
        with page.expect_response("**/api/years"):
            self.go(page, "#/history/all")
        # What was asked before has been answered by now, and did nothing.
        expect(page.locator(".years")).to_be_visible()
        self.assertTrue(page.url.endswith("#/history/all"), page.url)

    def test_does_not_take_a_new_address(self):
        """It is answered after the address has changed, and before the page hears of that."""
        page = self.open("#/devices")
        page.evaluate(HOLD, "/api/log?at=")
        self.go(page, "#/log")
        wait_until(page, "() => held.length > 0")
        page.evaluate("() => { location.hash = '#/history'; held[0](); }")
        expect(page.locator(".blank")).to_be_visible()
        self.assertTrue(page.url.endswith("#/history"), page.url)


class StrangeAddress(PageTest):
    """Somebody has typed an address that leads nowhere."""

    def test_says_so(self):
        self.tolerated.append("status of 4")
        for where in ("#/day/2027-99-99", "#/day/", "#/day/5", "#/log/x", "#/walks/x", "#/walks/",
                      "#/history/x", "#/%E0%A4%A", "#/nowhere"):
            with self.subTest(where=where):
                page = self.open(where)
                expect(page.locator("main h1").first).to_be_visible()
                page.context.close()


class Today(PageTest):
    """The day's screen follows the count."""

    def test_follows(self):
        # A recorder begins the day.
        self.program.command("setUp")
        page = self.open("#/day")
        expect(page.locator(".count")).to_have_text("No steps counted on this day.")
        self.program.run("health", "4321")
        expect(page.locator(".count .n")).to_have_text("4,321")
        expect(page.locator(".steps")).to_contain_text("+4,321")


class Hidden(PageTest):
    """A page that nobody sees lets go of its stream, and goes on with it when it is seen."""

    straps = heard(strap([beating(100, 100)]))

    def test_lets_go(self):
        self.program.begin(STRAP)
        page = self.open()
        expect(page.locator(".pulse .num")).to_have_text("100")
        with page.expect_event(
                "requestfailed", lambda request: request.url.endswith("/api/events")):
            page.evaluate(HIDE, "hidden")
        with page.expect_request("**/api/events") as again:
            page.evaluate(HIDE, "visible")
        self.assertIn("last-event-id", again.value.headers)
        expect(page.locator(".pulse .num")).to_have_text("100")
        expect(page.locator(".away")).to_be_hidden()
