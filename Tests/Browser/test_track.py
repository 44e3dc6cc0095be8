"""A walk with a receiver that moves, by clicking alone: its track grows, is broken by a pause, and is
the walk's route afterwards."""

import re

from playwright.sync_api import expect

from pages import PageTest
from program import Receiver
from scenarios import STRAP, beating, heard, strap


class MovingTrack(PageTest):
    """gpsd reports a place each 200 ms."""

    straps = heard(strap([beating(110, 130)]))

    def prepare(self):
        super().prepare()
        receiver = Receiver("--interval", "200")
        self.addCleanup(receiver.stop)
        self.program.environment["PULSELOG_GPSD"] = receiver.address

    def shape(self, page):
        return page.locator(".map path.track").last.get_attribute("d")

    def test_moves(self):
        self.program.pair(STRAP)
        page = self.open()
        expect(page.locator(".strip")).to_contain_text("GPS good")
        expect(page.locator(".map path.here")).to_be_attached()
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator(".pulse .beat")).to_be_visible()
        expect(page.locator(".map path.track").last).to_be_attached()
        before = self.shape(page)
        expect(page.locator(".map path.track").last).not_to_have_attribute("d", before)
        expect(page.locator(".no-gps")).to_be_hidden()
        # A heart rate each second: some fall between two fixes.
        expect(page.locator(".panel .clock")).to_have_text(re.compile(r"0:(0[4-9]|[1-5]\d)$"))
        page.get_by_role("button", name="Pause").click()
        expect(page.locator("body")).to_have_attribute("data-state", "paused")
        page.get_by_role("button", name="Resume").click()
        # The pause has broken the track: a second piece begins.
        expect(page.locator(".map path.gap")).to_be_attached()
        page.get_by_role("button", name="Pause").click()
        page.get_by_role("button", name="Finish").click()
        page.get_by_role("button", name="Finish").click()
        page.wait_for_url("**/#/walks/*")
        expect(page.locator(".map path.track")).to_have_count(2)
        self.heat(page)
        self.raw(page)

    def heat(self, page):
        """Off at first; a type switches it on, and reset goes back."""
        self.assertEqual(page.locator(".map path.seg").count(), 0)
        page.get_by_label("Heat-map shows").select_option("heart")
        expect(page.locator(".map path.seg").first).to_be_attached()
        expect(page.get_by_role("switch", name="Heat-map")).to_be_checked()
        page.get_by_role("button", name="Reset the heat-map").click()
        expect(page.locator(".map path.seg")).to_have_count(0)
        expect(page.get_by_role("switch", name="Heat-map")).not_to_be_checked()

    def raw(self, page):
        """Whoever points at a value sees its bytes, and a click leads to its event."""
        plot = page.locator(".plot.of-heart [role=img]")
        plot.scroll_into_view_if_needed()
        place = next(place for place, text in self.readouts(page, plot) if "BPM" in text)
        page.mouse.move(*place)
        expect(page.locator(".bytes")).to_contain_text("bytes 1")
        page.mouse.click(*place)
        page.wait_for_url("**/#/log/*")
        expect(page.get_by_label("Event", exact=True)).to_contain_text("beats per minute")
