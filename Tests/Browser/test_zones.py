"""Whatever the browser's zone, the page shows the walker's times: those of the recorded offset."""

import re

from playwright.sync_api import expect

from pages import DESK, PageTest
from scenarios import STRAP, steady

ZONES = ("Pacific/Kiritimati", "America/Los_Angeles", "Asia/Tokyo")


class ZonesTest(PageTest):
    """Looks at screens from three zones."""

    def same(self, *screens):
        """Each screen says the same in each zone; it has the times that are wanted."""
        found = set()
        for zone in ZONES:
            page = self.open("#/devices", DESK, zone=zone)
            self.assertEqual(
                page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone"), zone)
            texts = []
            for where, standing, *wanted in screens:
                self.go(page, where)
                expect(page.locator(standing).first).to_be_visible()
                for text in wanted:
                    expect(page.locator("main")).to_contain_text(text)
                texts.append(page.locator("main").inner_text())
            found.add(tuple(texts))
            page.context.close()
        self.assertEqual(len(found), 1, found)


class PastWalk(ZonesTest):
    """A walk that began at 09:00 UTC under an offset of one hour, and was imported."""

    past = "track"
    only_looks = True

    def test_times(self):
        session = self.program.ask("/api/sessions")["sessions"][0]
        walk = session["position"]
        self.assertEqual(session["startedAt"][11:16], "09:00")
        self.same(
            (f"#/walks/{walk}", ".zones li", "Sunday 1 March 2026, 10:00", "Ended 10:"),
            ("#/history/2026", ".walk", "Sun 1 Mar, 10:00"),
            ("#/history/2026-03", ".dayc", "Walks"),
            ("#/day/2026-03-01", ".step", "Sunday 1 March 2026", "10:00"),
            (f"#/log/{walk}", ".list li", "10:00:00.300", "Sunday 1 March 2026"))

    def test_a_time_is_found(self):
        """A time of the day of the event that is shown."""
        for zone in ZONES:
            page = self.open(f"#/log/{self.walk}", DESK, zone=zone)
            expect(page.locator(".event .say")).to_be_visible()
            page.get_by_label("Time or position").fill("10:00:05")
            page.keyboard.press("Enter")
            expect(page.locator(".time strong")).to_have_text(re.compile(r"^10:00:05\.\d{3}$"))
            page.context.close()


class PresentWalk(ZonesTest):
    """The recorder is in Kolkata: five and a half hours ahead of UTC."""

    straps = steady()

    def prepare(self):
        self.program.environment["TZ"] = "Asia/Kolkata"

    def test_times(self):
        self.program.begin(STRAP)
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
        self.same((f"#/walks/{walk}", ".marks", clock))
