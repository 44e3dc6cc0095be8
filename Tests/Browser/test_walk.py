"""A whole session by keyboard alone: pair, set a goal, walk, mark, pause, finish, look back."""

import re

from playwright.sync_api import expect

from pages import PageTest, press_button, press_tab_until, tab_to
from scenarios import STRAP, crowd


class WalkByKeyboard(PageTest):
    """Nothing is paired at first; no pointer is used."""

    straps = crowd()

    def test_walks(self):
        page = self.open()
        self.pair(page)
        self.set_goal(page)
        self.go_round(page)
        self.look_back_at(page)

    def pair(self, page):
        expect(page.get_by_role("heading", name="Pair a strap")).to_be_visible()
        expect(page.get_by_role("button", name="Pair Strap One")).to_be_visible()
        press_button(page, "Pair Strap One")
        expect(page.locator(".strip")).to_contain_text("BPM")
        expect(page.locator(".strip")).to_contain_text("Strap One")

    def set_goal(self, page):
        # With a strap alone, time is what can be measured.
        tab_to(page, "radio", "Time by the clock")
        field = page.get_by_label("Target in hours and minutes")
        expect(field).to_have_value("1:00")
        press_button(page, "5 minutes more")
        expect(field).to_have_value("1:05")
        press_tab_until(page, page.locator("summary"))
        page.keyboard.press("Enter")
        tab_to(page, "switch", "Out and back")
        page.keyboard.press("Space")
        press_button(page, "Start")

    def go_round(self, page):
        expect(page.locator(".hero")).to_contain_text("of 1:05:00")
        expect(page.locator(".way")).to_contain_text("Turn at 32:30")
        expect(page.locator(".pulse .num")).not_to_have_text("–")
        # So long that a heart rate is among it, however fast the keys are.
        expect(page.locator(".hero")).to_contain_text(re.compile("0:0[2-9]"))
        expect(page.locator(".panel .clock")).to_contain_text("since")
        press_button(page, "Mark")
        expect(page.locator(".news")).to_contain_text(re.compile(r"^Marked at \d\d:\d\d:\d\d\."))
        press_button(page, "Add a word")
        page.keyboard.type("the bridge")
        page.keyboard.press("Enter")
        expect(page.locator(".panel")).to_contain_text("Marked: the bridge")
        press_button(page, "Pause")
        expect(page.locator(".panel .chip")).to_contain_text("Paused for")
        expect(page.locator(".pulse .zone")).to_have_text("Paused")
        expect(page.get_by_role("button", name="Resume")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator(".panel .chip")).to_contain_text("Recording")
        expect(page.get_by_role("button", name="Pause")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Resume")).to_be_focused()
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Enter")
        # It asks once, in place, and the harmless answer has the focus.
        expect(page.get_by_role("group", name="A false start?")).to_be_visible()
        expect(page.get_by_role("button", name="Resume")).to_be_focused()
        press_button(page, "Keep it")

    def look_back_at(self, page):
        page.wait_for_url("**/#/walks/*")
        # A goal that was missed is no word of a walk looked back at.
        expect(page.locator(".head")).not_to_contain_text("Goal")
        expect(page.locator(".marks")).to_contain_text("the bridge")
        expect(page.get_by_label("Along the way")).to_be_visible()
        texts = [event["text"] for event in self.program.events("sessionMarked")]
        self.assertEqual(texts, ["", "the bridge"])
        kinds = [event["kind"] for event in self.program.events()
                 if event["kind"].startswith("session")]
        self.assertEqual(kinds, [
            "sessionStarted", "sessionMarked", "sessionMarked", "sessionPaused",
            "sessionResumed", "sessionPaused", "sessionEnded"])


class FalseStart(PageTest):
    """A walk that had hardly begun."""

    straps = crowd()

    def test_is_thrown_away_and_brought_back(self):
        self.program.begin(STRAP)
        page = self.open()
        places = []
        for name in "Lap", "Mark", "Pause":
            page.get_by_role("button", name=name, exact=True).click()
            told = ".panel .chip.caution" if name == "Pause" else ".news"
            expect(page.locator(told)).to_be_visible()
            places.append([page.locator(place).bounding_box() for place in (
                ".panel", ".hero", ".stats", ".map-tools", ".pulse")])
        # Nothing moves for what is told.
        self.assertEqual(places[0], places[1])
        self.assertEqual(places[1], places[2])
        page.get_by_role("button", name="Finish").click()
        page.get_by_role("button", name="Throw away").click()
        row = page.locator(".told", has_text="Thrown away: ")
        expect(row).to_have_text(re.compile(r"Thrown away: \d+ seconds?\."))
        self.look_around(page, "thrown away")
        self.assertTrue(self.program.ask(f"/api/sessions/{self.walk}")["hidden"])
        row.get_by_role("button", name="Bring it back").click()
        page.wait_for_url(f"**/#/walks/{self.walk}")
        self.assertFalse(self.program.ask(f"/api/sessions/{self.walk}")["hidden"])
