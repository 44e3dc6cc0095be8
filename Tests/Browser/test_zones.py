"""Whatever the browser's zone, the page shows the walker's times: those of the recorded offset."""

import re

from playwright.sync_api import expect

from pages import DESK, PageTest
from scenarios import STRAP, steady

ZONES = ("Pacific/Kiritimati", "America/Los_Angeles", "Asia/Tokyo")


class ZonesTest(PageTest):
    """Looks at screens from three zones."""

    def texts(self, where, standing, *wanted):
        """What a screen says, the same in each zone; it has the times that are wanted."""
        found = set()
        for zone in ZONES:
            page = self.open(where, DESK, zone=zone)
            self.assertEqual(
                page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone"), zone)
            expect(page.locator(standing).first).to_be_visible()
            for text in wanted:
                expect(page.locator("main")).to_contain_text(text)
            found.add(page.locator("main").inner_text())
            page.context.close()
        self.assertEqual(len(found), 1, found)
        return found.pop()


class PastWalk(ZonesTest):
    """A walk that began at 09:00 UTC under an offset of one hour, and was imported."""

    replay = "track"

    def test_times(self):
        session = self.program.ask("/api/sessions")["sessions"][0]
        walk = session["position"]
        self.assertEqual(session["startedAt"][11:16], "09:00")
        self.texts(f"#/walks/{walk}", ".zones li", "Sunday 1 March 2026, 10:00", "Ended 10:")
        self.texts("#/history/2026", ".walk", "Sun 1 Mar, 10:00")
        self.texts("#/history/2026-03", ".dayc", "Walks")
        self.texts("#/day/2026-03-01", ".step", "Sunday 1 March 2026", "10:00")
        self.texts(f"#/log/{walk}", ".list li", "10:00:00.300", "Sunday 1 March 2026")

    def test_a_time_is_found(self):
        """A time of the day of the event that is shown."""
        walk = self.program.ask("/api/sessions")["sessions"][0]["position"]
        for zone in ZONES:
            page = self.open(f"#/log/{walk}", DESK, zone=zone)
            expect(page.locator(".event .say")).to_be_visible()
            page.get_by_label("Time or position").fill("10:00:05")
            page.keyboard.press("Enter")
            expect(page.locator(".time strong")).to_have_text(re.compile(r"^10:00:05\.\d{3}$"))
            page.context.close()


class PresentWalk(ZonesTest):
    """The recorder is in Kolkata: five and a half hours ahead of UTC."""

    straps = steady()

    def prepare(self):
        super().prepare()
        self.program.environment["TZ"] = "Asia/Kolkata"

    def test_times(self):
        self.program.pair(STRAP)
        self.program.command("start", goal={"kind": "none"}, outAndBack=False)
        self.program.command("mark", text="here")
        started = self.program.events("sessionStarted")[-1]["wallMilliseconds"] // 1000 + 19_800
        clock = f"{started // 3600 % 24:02}:{started // 60 % 60:02}"
        walk = self.program.events("sessionStarted")[-1]["position"]
        for zone in ZONES:
            page = self.open("#/walk", zone=zone)
            expect(page.locator(".panel .chip")).to_contain_text("Recording")
            self.go(page, "#/history")
            expect(page.locator(".walk h3")).to_contain_text(clock)
            self.go(page, f"#/log/{walk}")
            expect(page.locator(".time strong")).to_contain_text(clock)
            self.go(page, "#/day")
            expect(page.locator(".head h1")).to_have_text(re.compile(r"\w+ \d+ \w+ \d{4}"))
            expect(page.get_by_label("The day after")).to_have_count(0)
            page.context.close()
        self.program.command("finish")
        self.texts(f"#/walks/{walk}", ".marks", clock)
