"""Every screen, light and dark, on a phone and on a desk: nothing serious for somebody who reads
with other means (axe), nothing wider than the screen, no complaint, no foreign request."""

import re
import signal
from datetime import datetime, timezone

from playwright.sync_api import expect

from pages import DESK, PROFILE, PageTest
from scenarios import STRAP, crowd, steady


class PlantedFault(PageTest):
    """The look finds what it is for."""

    def test_is_found(self):
        page = self.open("#/history")
        expect(page.locator(".blank")).to_be_visible()
        page.evaluate("document.querySelector('main').append(document.createElement('img'))")
        with self.assertRaisesRegex(AssertionError, "image-alt"):
            self.look(page, "a picture without words")

    def test_foreign_request_is_found(self):
        page = self.open("#/history")
        wanted = "policy connect-src http://127.0.0.2:9/"
        with page.expect_console_message(lambda message: message.text == wanted):
            page.evaluate("fetch('http://127.0.0.2:9/').catch(() => {})")
        page.goto("about:blank")
        self.assertIn(wanted, self.complaints)
        self.complaints.clear()


class EmptyStore(PageTest):
    """Nothing was ever recorded, and two straps are in range."""

    straps = crowd()

    screens = (("#/walk", ".pair li"), ("#/history", ".blank"), ("#/history/trends", ".blank"),
               ("#/history/records", ".blank"), ("#/history/routes", "h1"),
               ("#/history/all", ".years"), ("#/devices", ".rows li"), ("#/log", ".event"),
               ("#/day", ".count"))

    def test_looks(self):
        self.look_at(*self.screens)

    def test_small_screens(self):
        self.is_narrow(*self.screens)


class WithAWalk(PageTest):
    """The store of a walk with a route; then another walk begins, and pauses."""

    straps = steady()
    past = "track"

    screens = (("#/history/2026", ".walk"), ("#/history/all", ".years"),
               ("#/day/2026-03-01", ".count"), ("#/log/100", ".event li, .event .say"),
               ("#/devices", ".blank, .dev"))

    def test_stored(self):
        self.look_at((f"#/walks/{self.walk}", ".zones li"), *self.screens)

    def test_small_screens(self):
        self.is_narrow((f"#/walks/{self.walk}", ".zones li"), *self.screens)

    def test_walking(self):
        self.program.pair(STRAP)
        self.look_at(("#/walk", ".strip .beat"))
        self.program.command("start", goal={"kind": "steps", "target": 6000}, outAndBack=True)
        self.look_at(("#/walk", ".pulse .beat"), ("#/devices", ".dev"))
        self.program.command("pause")
        self.look_at(("#/walk", ".chip.caution"))


class UnderWay(PageTest):
    """What is done during a walk, while the heart beats faster than the walker wants."""

    straps = steady()
    profile = (*PROFILE, "alert-above=60")

    def test_looks(self):
        self.program.begin(STRAP)
        page = self.open()
        expect(page.locator(".beyond")).to_be_visible()
        self.look_around(page, "an alert")
        for name, standing in (("Mark", ".news"), ("Add a word", ".mark-line"),
                               ("Large figures", ".large"), ("Map", ".panel"),
                               ("Pause", ".panel .chip.caution"), ("Finish", ".ask")):
            page.get_by_role("button", name=name, exact=True).click()
            expect(page.locator(standing)).to_be_visible()
            self.look_around(page, name)


class WithAnImport(PageTest):
    """Values that were imported, of this week, next to a walk."""

    past = "track"

    def prepare(self):
        values = self.program.folder / "values.txt"
        day = datetime.now(timezone.utc).strftime("%Y-%m-%d")
        values.write_text("".join(
            f"{day} 00:00:{second:02} Notification handle = 0x0010 value: 00 {60 + second}\n"
            for second in range(40)))
        self.program.run("import", str(values), "--handle", "0x10=2a37",
                         "--zone", "+00:00")

    def test_is_named(self):
        self.look_at(("#/history", ".walk"))
        page = self.open("#/history")
        expect(page.locator(".walk", has_text="imported")).to_have_count(1)


class LeftOpen(PageTest):
    """The program was killed during a walk."""

    straps = steady()

    def test_looks(self):
        self.program.begin(STRAP, kind="distance", target=5_000_000)
        self.program.stop(signal.SIGKILL)
        self.program.start()
        self.look_at(("#/walk", ".still-open"), ("#/history", ".open"))


class ADayWithACorrection(PageTest):
    """Health totals that came late, and a correction."""

    past = "late-health-total"

    def test_looks(self):
        self.look_at(("#/day/2026-03-01", ".step .ops"), ("#/walk", ".sheet .say:visible"))

    def test_zoom(self):
        """A mouse draws the part that is shown, Shift moves it, two clicks show all; keys do."""
        page = self.open("#/day/2026-03-01", DESK)
        stairs, times = page.locator(".stairs"), page.locator(".stairs text[y='294']")
        expect(times).to_have_count(9)
        box = stairs.bounding_box()

        def drag(start, end):
            x, each = box["x"] + 50, (box["width"] - 56) / 24
            page.mouse.move(x + each * start, box["y"] + 90)
            page.mouse.down()
            page.mouse.move(x + each * end, box["y"] + 90, steps=3)
            page.mouse.up()

        drag(8, 13)
        expect(times).to_have_text(["09:00", "12:00"])
        page.keyboard.down("Shift")
        drag(5, 22)
        page.keyboard.up("Shift")
        expect(times).to_have_text(["06:00", "09:00"])
        stairs.dblclick()
        expect(times).to_have_count(9)
        slider = page.get_by_role("slider", name="Moment of the day")
        slider.press("Home")
        slider.press("+")
        expect(times).to_have_count(5)
        slider.press("End")
        expect(slider).to_have_attribute("aria-valuetext", "24:00, 5,300 steps")
        expect(times.last).to_have_text("24:00")
        slider.press("0")
        expect(times).to_have_count(9)


class AWalkWithLosses(PageTest):
    """The link was lost four times: the gaps have names, and the parts sum to the whole."""

    past = "drops"
    only_looks = True

    def test_looks(self):
        self.look_at((f"#/walks/{self.walk}", ".account"))
        page = self.open(f"#/walks/{self.walk}")
        expect(page.locator(".plot [role=img]").first).to_have_attribute(
            "aria-label", re.compile("disconnected"))

    def test_gap_is_named(self):
        """Whoever points at a gap reads why there is no value."""
        page = self.open(f"#/walks/{self.walk}")
        plot = page.locator(".plot.of-heart [role=img]")
        plot.scroll_into_view_if_needed()
        said = [text for _, text in self.readouts(page, plot)]
        for text in said:
            self.assertRegex(text, r"^(Move .*|\d\d:\d\d(\d+ BPM|held|silent|disconnected))$")
        for part in "BPM", "disconnected":
            self.assertTrue([text for text in said if part in text], said)


class Motion(PageTest):
    """The heart beats; for whoever asked for less motion nothing moves."""

    straps = steady()

    def animations(self, page):
        return page.evaluate("document.getAnimations().map((one) => one.animationName ?? '')")

    def test_reduced(self):
        self.program.pair(STRAP)
        self.program.begin()
        page = self.open(reduced=True)
        expect(page.locator(".pulse .beat")).to_be_visible()
        self.assertEqual(self.animations(page), [])

    def test_beats(self):
        self.program.pair(STRAP)
        page = self.open()
        page.locator("summary").click()
        page.get_by_role("switch", name="Beat with the heart").check()
        self.look_around(page, "settings of a walk")
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator(".pulse .beat-own")).to_be_visible()
        bpm = int(page.locator(".pulse .num").inner_text())
        length = page.locator(".pulse .beat-own").evaluate(
            "node => parseFloat(getComputedStyle(node).animationDuration) * 1000")
        self.assertAlmostEqual(length, 60_000 / bpm, delta=60)
        self.load(page, page.reload)
        expect(page.locator(".pulse .beat-own")).to_be_visible()


class Themes(PageTest):
    """The system's theme, unless the address asks for one."""

    def ground(self, page):
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    def test_follows(self):
        light, dark = self.ground(self.open()), self.ground(self.open(dark=True))
        self.assertNotEqual(light, dark)
        self.assertEqual(self.ground(self.open(theme="dark")), dark)
        self.assertEqual(self.ground(self.open(dark=True, theme="light")), light)
