"""The stream of events: cut by a restart of the server it goes on after the last event that was
taken; a walk that was left open is gone on with; another log is not mixed with the old one."""

import shutil
import signal

from playwright.sync_api import expect

from pages import PageTest
from scenarios import STRAP, steady

GONE = r"ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|ERR_NETWORK|Failed to load resource"


class Restart(PageTest):
    """The server ends, in one way or another, and is started again on its port."""

    straps = steady()

    def begin(self):
        self.program.begin(STRAP, kind="steps", target=6000)
        page = self.open()
        self.asked = []
        page.on("request", lambda request: self.asked.append(
            request.headers.get("last-event-id")) if request.url.endswith("/api/events") else None)
        expect(page.locator(".pulse .num")).not_to_have_text("–")
        return page

    def test_killed_and_continued(self):
        page = self.begin()
        walk = self.program.events("sessionStarted")[-1]["position"]
        head = self.program.ask("/api/log")["head"]
        self.tolerated.append(GONE)
        self.program.stop(signal.SIGKILL)
        expect(page.locator("p.away")).to_contain_text("No answer from Pulselog.")
        self.look_around(page, "no answer")
        self.program.start()
        expect(page.locator("p.away")).to_be_hidden()
        expect(page.locator(".still-open")).to_contain_text("is still open.")
        ids = [int(number) for number in self.asked if number is not None]
        self.assertEqual(len(ids), len(self.asked), "It asked without Last-Event-ID.")
        self.assertGreaterEqual(ids[-1], head - 5)
        page.get_by_role("button", name="Continue it").click()
        expect(page.locator(".panel .chip")).to_contain_text("Recording")
        expect(page.locator(".pulse .num")).not_to_have_text("–")
        self.assertEqual(len(self.program.events("sessionStarted")), 1)
        self.program.command("finish")
        page.wait_for_url(f"**/#/walks/{walk}")

    def test_left_open_and_ended(self):
        page = self.begin()
        self.tolerated.append(GONE)
        self.program.stop(signal.SIGKILL)
        expect(page.locator("p.away")).to_be_visible()
        self.program.start()
        expect(page.locator(".still-open")).to_be_visible()
        self.go(page, "#/history")
        expect(page.get_by_label("A walk was left open")).to_be_visible()
        page.get_by_role("button", name="End it there").click()
        expect(page.get_by_label("A walk was left open")).to_have_count(0)
        self.assertEqual(len(self.program.events("sessionEnded")), 1)
        self.go(page, "#/walk")
        expect(page.get_by_role("button", name="Start", exact=True)).to_be_enabled()

    def test_another_log(self):
        page = self.begin()
        self.tolerated.append(GONE)
        self.program.stop(signal.SIGKILL)
        shutil.rmtree(self.program.folder / "store")
        self.program.run("profile", "set", *self.profile)
        self.program.start()
        # Another store has another secret: the page says which address to open.
        expect(page.locator("main")).to_contain_text("Open the address that")
        page.goto(self.program.address)
        expect(page.get_by_role("heading", name="Pair a strap")).to_be_visible()
        self.assertEqual(self.program.events("sessionStarted"), [])


class Shut(PageTest):
    """Without the address that was printed the page shows nothing but how to get in."""

    def test_says_how_to_get_in(self):
        self.tolerated.append("401")
        context_page = self.open(let_in=False)
        expect(context_page.locator("main")).to_contain_text(
            "Open the address that pulselog serve printed.")
        self.look_around(context_page, "without the token")
        # No tab leads anywhere.
        expect(context_page.locator(".bar")).to_be_hidden()
