"""Trends and records of a walker who wears a strap in the morning, and on walks with positions."""

import contextlib
import functools
import json
import re
from datetime import date, timedelta

from playwright.sync_api import expect

from made_logs import mornings
from pages import DESK, PHONE, SMALL, PageTest
from program import Refusal

LARGEST_BYTES = 300_000
LONGEST_SECONDS = 2.0
MEASURES = ("steps", "distance", "active", "climb", "heart", "resting", "hrv", "load", "pace")

class AYear(PageTest):
    """Every measure and span, by pointer, keyboard and touch."""

    past = functools.partial(mornings, 200)
    only_looks = True
    seconds = 90

    def test_looks(self):
        self.look_at(
            ("#/history/trends/steps/4w", ".trend path.b1"),
            ("#/history/trends/hrv/3m", ".trend circle.hollow"),
            ("#/history/trends/load/3m", ".trend path.b0"),
            ("#/history/trends/pace/all", ".trend path.line"),
            ("#/history/records", ".recrow .v"), ("#/profile", ".note a[href$='resting/year']"))

    def test_small_screens(self):
        self.is_narrow(
            ("#/history/trends/resting/year", ".trend path.line"),
            ("#/history/trends/active/3m", ".trend path.b1"), ("#/history/records", ".recrow .v"))

    def test_answers(self):
        """Each is small, and once the walks have been read, quick."""
        # A machine that is too busy to read them in time says so, and is asked again.
        for _ in range(10):
            with contextlib.suppress(Refusal):
                self.program.ask("/api/records")
                break
        for path in ["/api/records"] + [f"/api/trends?measure={measure}&span={span}"
                                        for measure in MEASURES for span in ("4w", "year", "all")]:
            begin = self.program.processor_seconds()
            answer = json.dumps(self.program.ask(path), ensure_ascii=False, separators=(",", ":"))
            with self.subTest(path=path):
                self.assertLess(self.program.processor_seconds() - begin, LONGEST_SECONDS)
                self.assertLess(len(answer.encode()), LARGEST_BYTES)

    def test_measures(self):
        """Each has a figure, a sentence, one chart with a value, and its explanation."""
        page = self.open("#/history/trends", DESK)
        for name, sentence in (
                ("Steps", "You walked"), ("Distance", "You walked"),
                ("Active time", "You were active"), ("Climb", "You climbed"),
                ("Heart rate", "Your heart beat"), ("Resting rate", "Your resting heart rate"),
                ("Morning HRV", "Your morning HRV"), ("Training load", "Your training load"),
                ("Pace at 120", "At 120 BPM you walked")):
            page.locator(".pills label", has_text=name).click()
            expect(page.locator(".say")).to_contain_text(sentence)
            expect(page.locator(".trend [role=img]")).to_have_count(1)
            with self.subTest(name=name):
                self.assertGreater(page.locator(".trend").locator("path.b1, circle.b1").count(), 0)
                self.assertGreater(page.locator(".how p:not(.note)").count(), 0)
        # The address follows, so that a reload shows the same.
        self.assertTrue(page.url.endswith("#/history/trends/pace/4w"), page.url)
        page.get_by_role("button", name="Year", exact=True).click()
        expect(page.get_by_role("button", name="Year", exact=True)).to_be_focused()
        expect(page.locator(".loud")).to_contain_text("weeks")
        self.load(page, page.reload)
        expect(page.locator(".pills input:checked + span")).to_have_text("Pace at 120")

    def test_table(self):
        """A phone shows every column."""
        for size in (PHONE, SMALL):
            page = self.open("#/history", size)
            for what in "steps/4w", "hrv/4w", "pace/year":
                self.go(page, f"#/history/trends/{what}")
                table = page.locator(".two .table")
                expect(table).to_be_visible()
                for head in table.locator("th").all():
                    expect(head).to_be_visible()
                with self.subTest(what=what, size=size):
                    self.assertLessEqual(*table.evaluate(
                        "node => [node.offsetWidth, node.parentElement.clientWidth]"))
            page.context.close()

    def test_means_have_their_values(self):
        """Each stands on its own line, not where it could be the value of a bar."""
        page = self.open("#/history/trends/steps/4w", DESK)
        expect(page.locator(".trend text.mt")).to_have_count(2)
        apart = page.evaluate(
            """() => [0, 1].map((mean) => {
                const box = (what) => document.querySelector(`.trend ${what}.m${mean}`)
                    .getBoundingClientRect();
                return Math.abs(box("path").top - box("text").bottom);
            })""")
        self.assertLess(max(apart), 8, apart)

    def test_keyboard(self):
        """The arrows go from day to day, and the readout says the same as the slider."""
        page = self.open("#/history/trends/steps/4w", DESK)
        page.get_by_role("radio", name="Steps").focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator(".loud")).to_contain_text("km")
        expect(page.get_by_role("radio", name="Distance")).to_be_focused()
        slider = page.get_by_role("slider", name="Moment of the chart")
        slider.focus()
        yesterday = date.today() - timedelta(days=1)
        for key, ago in (("End", 0), ("ArrowLeft", 1), ("ArrowLeft", 2), ("Home", 55)):
            page.keyboard.press(key)
            day = yesterday - timedelta(days=ago)
            text = f"{day.day} {day.strftime('%B')}"
            self.assertIn(text, slider.get_attribute("aria-valuetext"), key)
            expect(page.locator(".readout b")).to_contain_text(text)

    def test_pointer(self):
        """Whoever points at a bar reads it, and the one under the pointer is marked."""
        page = self.open("#/history/trends/steps/4w", DESK)
        expect(page.locator(".key")).to_contain_text("cut bar: more than 16,000")
        plot = page.locator(".trend")
        said = [text for _, text in self.readouts(page, plot)]
        self.assertGreaterEqual(len(said), 50)
        self.assertTrue([text for text in said if "goal reached" in text], said)
        self.assertTrue([text for text in said if "nothing was counted" in text], said)
        page.mouse.move(0, 0)
        expect(page.locator(".trend .here")).to_have_count(0)

    def test_missing_beats(self):
        page = self.open("#/history/trends/hrv/3m", DESK)
        expect(page.locator(".told")).to_contain_text(re.compile(
            r"Beats were missing on \d+ of \d+ mornings\."))
        said = [text for _, text in self.readouts(page, page.locator(".trend"))]
        self.assertTrue([text for text in said if "% of the beats missing" in text], said)

    def test_phone(self):
        page = self.open("#/history/trends/steps/3m", PHONE)
        page.get_by_label("Measure", exact=True).select_option("climb")
        expect(page.locator(".say")).to_contain_text("You climbed")
        for button in page.locator(".seg.small button").all():
            self.assertGreaterEqual(button.bounding_box()["height"], 44)

    def test_records(self):
        page = self.open("#/history", DESK)
        page.get_by_role("link", name="Records", exact=True).click()
        expect(page.locator("main h1")).to_have_text("Records")
        expect(page.locator(".loud")).to_contain_text("your longest streak of the daily goal")
        # Nobody has gone a mile.
        expect(page.locator("ol .recrow")).to_have_count(9)
        row = page.locator(".recrow", has_text="Longest walk")
        row.get_by_role("link").first.click()
        page.wait_for_url("**/#/walks/*")


class AWeek(PageTest):
    """Too little to compare: the days are there, and no percent."""

    past = functools.partial(mornings, 6)
    only_looks = True

    def test_looks(self):
        self.look_at(("#/history/trends/steps/4w", ".trend path.b1"),
                     ("#/history/trends/hrv/year", ".say"), ("#/history", ".dayc"))
        page = self.open("#/history/trends/steps/4w", DESK)
        expect(page.locator(".say")).to_contain_text("It is too early to compare.")
        self.assertNotIn("%", page.locator(".say").inner_text())
        expect(page.locator(".trend")).to_contain_text("recorded yet")
        expect(page.locator(".how")).to_contain_text("You can import earlier days")
