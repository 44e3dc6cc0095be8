"""Another process has the recorder: the page shows what it records and can pause and end it, and
says why nothing can be started meanwhile."""

import os
import subprocess

from playwright.sync_api import expect

from pages import PageTest
from program import Program, end
from scenarios import STRAP, steady


class Elsewhere(PageTest):
    """A terminal, or a second server, works on the same store."""

    straps = steady()

    def test_terminal_records(self):
        self.program.pair(STRAP)
        # It would keep the recorder for two minutes, for whoever pairs.
        self.program.stop()
        self.program.start()
        terminal = subprocess.Popen(
            [os.environ["PULSELOG"], "record", "--goal", "steps=6000", "--json"],
            env=self.program.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(terminal.stdout.close)
        self.addCleanup(end, terminal)
        # It has the recorder before a page can ask for it.
        self.assertTrue(terminal.stdout.readline())
        page = self.open()
        expect(page.locator(".panel .chip")).to_contain_text("Recording")
        expect(page.locator(".pulse .num")).not_to_have_text("–")
        page.get_by_role("button", name="Pause").click()
        expect(page.locator(".panel .chip")).to_contain_text("Paused for")
        page.get_by_role("button", name="Finish").click()
        page.get_by_role("button", name="Keep it").click()
        page.wait_for_url("**/#/walks/*")
        self.assertEqual(terminal.wait(60), 0)

    def test_another_server_sets_up(self):
        other = Program(self.played, beside=self.program)
        self.addCleanup(other.remove)
        other.start()
        other.command("setUp")
        self.tolerated.append("409")
        page = self.open()
        expect(page.locator(".sheet .say:visible")).to_contain_text(
            "The recorder is used by pulselog serve (started ")
        expect(page.get_by_role("button", name="Start", exact=True)).to_be_disabled()
        self.look_around(page, "another server sets up")
        self.go(page, "#/devices")
        expect(page.get_by_label("In range")).to_contain_text(
            "You can pair straps here when that ends.")
