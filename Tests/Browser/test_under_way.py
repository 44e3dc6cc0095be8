"""While somebody walks, by clicking alone: laps, large figures, the pace now, an alert that can be
silenced, and a track that grows and is broken by a pause; afterwards the laps, the heat-map, the
bytes of a value, and the picture."""

import re

from playwright.sync_api import expect

from pages import DESK, PHONE, PROFILE, PageTest
from scenarios import STRAP, beating, heard, strap


class UnderWay(PageTest):
    """A strap between 110 and 130 BPM, and a receiver."""

    straps = heard(strap([beating(110, 130)]))
    receiver = True
    profile = (*PROFILE, "alert-above=100")
    seconds = 40

    def test_walks(self):
        self.program.pair(STRAP)
        page = self.open()
        expect(page.locator(".strip")).to_contain_text("GPS good")
        expect(page.locator(".map path.here")).to_be_attached()
        page.get_by_role("button", name="Start", exact=True).click()
        self.present(page)
        self.alert(page)
        self.laps(page)
        self.large(page)
        self.track(page)
        page.get_by_role("button", name="Pause").click()
        page.get_by_role("button", name="Finish").click()
        # By the time it takes until here it may count as a false start.
        page.locator(".ask").get_by_role("button", name=re.compile("Finish|Keep it")).click()
        page.wait_for_url("**/#/walks/*")
        self.look_back_at(page)
        self.heat(page)
        self.raw(page)
        self.row(page)
        self.log(page)

    def present(self, page):
        """The pace comes once ten seconds are known."""
        pace = page.locator(".stats li").filter(has_text="/km now").locator("strong")
        expect(pace).to_have_text(re.compile(r"^\d+:\d\d$"))

    def alert(self, page):
        """It stands for as long as the heart is beyond, and the card of the heart says so too."""
        card = page.locator(".beyond")
        expect(card).to_contain_text(re.compile(r"Above 100 BPM for \d+ seconds\. You asked"))
        expect(page.locator(".pulse.over .zone")).to_have_text("Above 100")
        page.get_by_role("button", name="Quiet for 5 min").click()
        expect(card).to_be_hidden()
        expect(page.locator(".pulse .zone")).to_have_text("Moderate")

    def laps(self, page):
        for number in (1, 2):
            page.get_by_role("button", name="Lap").click()
            expect(page.locator(".news")).to_have_text(re.compile(rf"^Lap {number}: \d"))
        expect(page.locator(".lapclock")).to_have_text(re.compile(r"^Lap 3, \d+:\d\d$"))

    def large(self, page):
        """They cover everything else, and what is done stays within reach."""
        page.get_by_role("button", name="Large figures").click()
        figures = page.locator(".large")
        expect(figures.locator(".beats dd")).to_have_text(re.compile(r"^1[1-3]\d$"))
        expect(figures.locator("dt").nth(1)).to_have_text("Active")
        expect(page.locator(".panel")).to_have_attribute("inert", "")
        figures.get_by_role("button", name="Lap").click()
        expect(figures.locator(".news")).to_have_text(re.compile("^Lap 3: "))
        figures.get_by_role("button", name="Map").click()
        expect(figures).to_be_hidden()
        expect(page.locator(".panel .news")).to_be_visible()

    def track(self, page):
        """It grows with each fix, and a pause breaks it: a second piece begins."""
        shape = page.locator(".map path.track").last
        before = shape.get_attribute("d")
        expect(shape).not_to_have_attribute("d", before)
        expect(page.locator(".map[data-blind]")).to_have_count(0)
        page.get_by_role("button", name="Pause").click()
        expect(page.locator("body")).to_have_attribute("data-state", "paused")
        page.get_by_role("button", name="Resume").click()
        expect(page.locator(".map path.gap")).to_be_attached()

    def look_back_at(self, page):
        expect(page.locator(".map path.track")).to_have_count(2)
        rows = page.get_by_label("Laps").locator("tbody tr")
        expect(rows).to_have_count(4)
        expect(rows.first).to_contain_text(re.compile(r"0\.\d\d"))
        self.one_line(page)
        opener = page.get_by_role("button", name="Picture")
        opener.click()
        expect(opener).to_have_attribute("aria-expanded", "true")
        picture = page.get_by_label("The picture: ", exact=False)
        # So short a walk has nothing left without its ends; whole, it has a route.
        expect(page.locator(".picture .note")).to_contain_text("too short")
        page.get_by_role("switch", name="Blur start and end").click()
        expect(page.locator(".picture .note")).to_contain_text("The whole route is shown")
        expect(page.locator(".picture")).to_contain_text("Nothing is sent.")
        save = page.get_by_role("link", name="Save picture")
        expect(save).to_have_attribute("href", re.compile("^blob:"))
        with page.expect_download() as download:
            save.click()
        self.assertRegex(download.value.suggested_filename, r"\.png$")
        self.assertEqual(picture.evaluate("node => [node.width, node.height]"), [1080, 1350])
        self.look_around(page, "the picture")
        page.get_by_role("button", name="Close").click()
        expect(picture).to_be_hidden()
        expect(opener).to_be_focused()
        self.leave_out(page)

    def leave_out(self, page):
        """A strap's values can be left out of a walk, and taken in again."""
        heard = page.get_by_label("Heard from")
        heard.get_by_role("button", name="Leave its values out").click()
        back = heard.get_by_role("button", name="Take its values in again")
        expect(back).to_be_focused()
        expect(page.locator(".plot.of-heart")).to_have_count(0)
        back.click()
        expect(heard.get_by_role("button", name="Leave its values out")).to_be_focused()
        expect(page.locator(".plot.of-heart")).to_have_count(1)

    def heat(self, page):
        """Off at first; a type switches it on, and reset goes back."""
        self.assertEqual(page.locator(".map path.seg").count(), 0)
        page.get_by_label("Heat-map shows").select_option("heart")
        self.look_around(page, "a heat-map")
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

    def row(self, page):
        """Its row has the track and the heart rate; on a phone below the text."""
        self.go(page, "#/history")
        page.locator("a.walk").scroll_into_view_if_needed()
        expect(page.locator(".walk .thumb path")).to_be_attached()
        expect(page.locator(".walk .meta .hrt path")).to_be_attached()

    def log(self, page):
        """Bars above the slider, the turns of the walk alone, and two positions side by side."""
        self.go(page, "#/log")
        expect(page.locator(".density rect")).to_have_count(2 * 96)
        expect(page.locator(".density .in")).to_have_count(2)
        slider = page.get_by_role("slider", name="Time in the log")
        said = re.compile(r"^\w+day \d+ \w+ \d{4}, \d\d:\d\d:\d\d\.\d{3}, position [\d,]+ of")
        expect(slider).to_have_attribute("aria-valuetext", said)
        head = self.program.ask("/api/log")["head"]
        # An arrow is an event, a page a day; the log is shorter, so that it leads to its ends.
        for key, position in (("ArrowLeft", head - 1), ("PageDown", 0), ("ArrowUp", 1),
                              ("PageUp", head), ("Home", 0), ("End", head)):
            slider.press(key)
            expect(slider).to_have_attribute(
                "aria-valuetext", re.compile(rf", position {position:,} of"))
        page.locator(".list label", has_text="Walks only").click()
        rows = page.locator(".list li button")
        # After the walk a strap was left out of it, and taken in again.
        expect(rows.first).to_contain_text("count in the walk")
        expect(rows.nth(2)).to_contain_text("The walk has ended")
        expect(rows.nth(3)).to_contain_text("The walk is paused")
        rows.nth(3).click()
        expect(page.locator(".list [aria-current]")).to_contain_text("The walk is paused")
        page.get_by_role("button", name="What changed between two positions").click()
        rows.nth(2).click()
        changes = page.locator(".event tbody tr")
        expect(changes).to_have_count(5)
        expect(changes.filter(has_text="Strap").first).to_be_visible()
        expect(page.locator(".event .same").first).to_contain_text("the same")
        expect(page.locator(".event")).to_contain_text("between")
        self.look_around(page, "two positions")
        page.get_by_role("button", name="Back to the event").click()
        expect(page.locator(".event .say")).to_contain_text("ended")

    def one_line(self, page):
        """On a phone what can be done with a walk stands side by side."""
        tops = page.locator(".head-end").evaluate(
            "node => [...node.querySelectorAll('.btn')].filter((one) => one.offsetParent)"
            ".map((one) => Math.round(one.getBoundingClientRect().top))")
        self.assertGreaterEqual(len(tops), 3)
        self.assertEqual(len(set(tops)), 1, tops)
