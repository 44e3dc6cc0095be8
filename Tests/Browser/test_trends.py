"""Trends and records of a walker who wears a strap in the morning, and on walks with positions."""

import json
import re
import time
from datetime import date, timedelta

from playwright.sync_api import expect

from pages import DESK, PHONE
from test_looks import SMALL, LooksTest

LARGEST_BYTES = 300_000
LONGEST_SECONDS = 2.0
MEASURES = ("steps", "distance", "active", "climb", "heart", "resting", "hrv", "load", "pace")
STRAP = "C4:00:00:00:00:01"


def rolled(number, most):
    """A number below `most` that looks random and is always the same."""
    return number * 2_654_435_761 % 4_294_967_296 * most >> 32


def capture(days):
    """Mornings at rest and walks of the days until yesterday, and their steps, as a log."""
    begin = date.today() - timedelta(days=days)
    events, start = [], (begin - date(1970, 1, 1)).days * 86_400_000

    def add(kind, at, **fields):
        events.append({
            "position": len(events), "source": 0, "bootMilliseconds": 1_000_000 + int(at),
            "wallMilliseconds": start + int(at), "bootNumber": 0, "wallTrusted": True,
            "simulated": False, "kind": kind, "version": 1, **fields})
        return len(events) - 1

    def heart(at, bpm, spread=0, missing=False):
        beats = [] if missing else [
            60 * 1024 // bpm + (spread if beat % 2 else -spread) for beat in range(4)]
        value = bytes([0x06 | (0x10 if beats else 0), bpm]) + b"".join(
            beat.to_bytes(2, "little") for beat in beats)
        add("characteristicNotified", at, device=STRAP, characteristic="heartRateMeasurement",
            value=value.hex())

    profile = {"heightMillimetres": 1800, "weightGrams": 75000, "dailyGoalSteps": 8000,
               "maximumHeartRateBPM": None, "restingHeartRateBPM": None, "zones": "standard",
               "stepsPerCadenceCount": 1}
    add("originBegan", 0, cause="created", checkpoint=None)
    add("bootBegan", 0, bootID="5f0c7d1a6b2e4c3d9a8b7c6d5e4f3a2b", zoneOffsetMinutes=0,
        zoneName="UTC")
    add("recorderStarted", 0, programVersion="0.1.0", zoneOffsetMinutes=0, zoneName="UTC")
    add("profileChanged", 0, **profile)
    add("devicePaired", 0, device=STRAP, name="Strap One", roles=1)

    def session(at, name, hidden=False, **said):
        walk = add("sessionStarted", at, goalKind="none", goalTarget=0, outAndBack=False,
                   **profile)
        add("linkUp", at, device=STRAP, attempt=1, connectMilliseconds=500)
        yield
        add("linkLost", events[-1]["wallMilliseconds"] - start + 500, device=STRAP,
            cause="unknown", reason=None)
        at = events[-1]["wallMilliseconds"] - start
        add("sessionEnded", at, reason="requested")
        add("sessionDescribed", at, session=walk, sessionName=name, place=None, note=None,
            tags=None, sport=said.get("sport"), listing="hidden" if hidden else None)
        yield

    for day in range(days):
        noon = day * 86_400_000 + 43_200_000
        if rolled(day, 3) > 0:
            one = session(noon - 5 * 3_600_000, "Morning")
            next(one)
            bpm = 63 - day * 5 // days + rolled(day + 5, 3)
            for beat in range(160):
                heart(noon - 5 * 3_600_000 + beat * 240_000 // bpm, bpm,
                      15 + rolled(day + 9, 8), day % 7 == 0 and beat % 8 == 0)
            next(one)
        if rolled(day + 1_000, 2) > 0 or day == days - 1:
            one = session(noon, "Round the lake", hidden=day % 50 == 0,
                          sport="run" if day % 11 == 0 else None)
            next(one)
            length, bpm = 600 + rolled(day, 600), 112 + rolled(day + 3, 16)
            for second in range(0, length, 5):
                heart(noon + second * 1_000, bpm)
                if second % 10 == 0:
                    add("positionFixed", noon + second * 1_000 + 1,
                        latitudeE7=480_000_000 + second * (104 + day * 8 // days),
                        longitudeE7=110_000_000,
                        altitudeMillimetres=40_000 + 6_000 * (second // 300 % 2),
                        accuracyMillimetres=5_000, speedMillimetresPerSecond=None,
                        satellites=None, fixedAtMilliseconds=None)
            next(one)
        if day % 19 != 0:
            add("healthTotalObserved", noon + 40_000_000,
                date=str(begin + timedelta(days=day)),
                total=2_000 + rolled(day + 7, 12_000) + (40_000 if day == days - 9 else 0),
                validUntilMilliseconds=None, origin="phone")
    return events


class TrendsTest(LooksTest):
    """Looks at trends of some days."""

    days = 0

    def prepare(self):
        super().prepare()
        path = self.program.folder / "days.jsonl"
        path.write_text("".join(json.dumps(event) + "\n" for event in capture(self.days)))
        self.program.run("import", str(path))


class AYear(TrendsTest):
    """Every measure and span, by pointer, keyboard and touch."""

    days = 200

    def test_looks(self):
        self.look_at((
            ("#/history/trends/steps/4w", ".trend path.b1"),
            ("#/history/trends/hrv/3m", ".trend circle.hollow"),
            ("#/history/trends/load/3m", ".trend path.b0"),
            ("#/history/trends/pace/all", ".trend path.line"),
            ("#/history/records", ".recrow .v")))

    def test_small_screens(self):
        self.is_narrow((
            ("#/history/trends/resting/year", ".trend path.line"),
            ("#/history/trends/active/3m", ".trend path.b1"), ("#/history/records", ".recrow .v")))

    def test_answers(self):
        """Each is small, and once the walks have been read, quick."""
        self.program.ask("/api/records")
        for path in ["/api/records"] + [f"/api/trends?measure={measure}&span={span}"
                                        for measure in MEASURES for span in ("4w", "year", "all")]:
            begin = time.monotonic()
            answer = json.dumps(self.program.ask(path), ensure_ascii=False, separators=(",", ":"))
            with self.subTest(path=path):
                self.assertLess(time.monotonic() - begin, LONGEST_SECONDS)
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
            expect(page.locator(".trend svg")).to_have_count(1)
            with self.subTest(name=name):
                self.assertGreater(page.locator(".trend").locator("path.b1, circle.b1").count(), 0)
                self.assertGreater(page.locator(".how p:not(.note)").count(), 0)
        # The address follows, so that a reload shows the same.
        self.assertTrue(page.url.endswith("#/history/trends/pace/4w"), page.url)
        page.get_by_role("button", name="Year", exact=True).click()
        expect(page.get_by_role("button", name="Year", exact=True)).to_be_focused()
        expect(page.locator(".loud")).to_contain_text("months")
        page.reload()
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

    def test_means_cover_nothing(self):
        page = self.open("#/history/trends/steps/4w", DESK)
        expect(page.locator(".trend text.mt")).to_have_count(2)
        covered = page.evaluate(
            """() => {
                const boxes = (what) => [...document.querySelectorAll(`.trend ${what}`)]
                    .map((node) => node.getBoundingClientRect());
                return boxes("text.mt").flatMap((text) => boxes("path:is(.b0, .b1)").filter((bar) =>
                    bar.left < text.right && bar.right > text.left && bar.top < text.bottom - 3));
            }""")
        self.assertEqual(covered, [])

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
        expect(page.locator("ol .recrow")).to_have_count(8)
        row = page.locator(".recrow", has_text="Longest walk")
        row.get_by_role("link").first.click()
        page.wait_for_url("**/#/walks/*")


class AWeek(TrendsTest):
    """Too little to compare: the days are there, and no percent."""

    days = 6

    def test_looks(self):
        self.look_at((("#/history/trends/steps/4w", ".trend path.b1"),
                      ("#/history/trends/hrv/year", ".say")))
        page = self.open("#/history/trends/steps/4w", DESK)
        expect(page.locator(".say")).to_contain_text("It is too early to compare.")
        self.assertNotIn("%", page.locator(".say").inner_text())
        expect(page.locator(".trend")).to_contain_text("recorded yet")
        expect(page.locator(".how")).to_contain_text("You can import earlier days")
