"""Ten years of walks: a year as a calendar, its walks, a search among them, and all years."""

import functools
import json
import re
from datetime import date, timedelta

from playwright.sync_api import expect

from made_logs import years
from pages import DESK, PHONE, PageTest

LARGEST_BYTES = 300_000


class YearsTest(PageTest):
    """Looks back at walks of some years."""

    only_looks = True
    seconds = 60
    last = date.today().year - 1


class TenYears(YearsTest):
    """However many years there are, a screen stays quick and readable."""

    days = 3_650
    past = functools.partial(years, days)

    def test_looks(self):
        self.look_at(
            (f"#/history/{self.last}", ".cal"), ("#/history", ".cal"),
            (f"#/history/{self.last}-05", ".dayc"), ("#/history/all", ".years rect.week"))

    def test_small_screens(self):
        self.is_narrow(
            (f"#/history/{self.last}", ".mini:visible, .strip:visible"),
            (f"#/history/{self.last}-05", ".dayc"), ("#/history/all", ".years rect.week"))

    def test_log(self):
        """The slider is time: imported walks stand where they were, and a page is a day."""
        page = self.open("#/log", DESK)
        slider = page.get_by_role("slider", name="Time in the log")
        expect(page.locator(".hours span").first).to_contain_text(str(self.last - 9))
        slider.press("Home")
        first = date.today() - timedelta(days=self.days)
        for key, after in (("PageUp", 0), ("PageUp", 1), ("PageDown", 0)):
            slider.press(key)
            day = first + timedelta(days=after)
            expect(slider).to_have_attribute("aria-valuetext", re.compile(
                rf" {day.day} {day:%B} {day.year}, 12:"))
        expect(page.locator(".density .in")).to_have_count(2)

    def test_answers_are_small(self):
        for path in (f"/api/year?year={self.last}", f"/api/year?year={self.last}&hidden=1",
                     f"/api/year?year={self.last}&text=lake", "/api/years"):
            answer = json.dumps(self.program.ask(path), ensure_ascii=False, separators=(",", ":"))
            with self.subTest(path=path):
                self.assertLess(len(answer.encode()), LARGEST_BYTES)

    def test_all_years(self):
        page = self.open("#/history", DESK)
        page.get_by_role("link", name="All years").click()
        expect(page.locator("main h1")).to_have_text("All years")
        self.assertGreaterEqual(page.locator(".years tbody tr").count(), 10)
        page.locator(".years tbody a", has_text=str(self.last)).click()
        expect(page.locator("main h1")).to_have_text(str(self.last))


class LastYear(YearsTest):
    """A whole year, by keyboard, by pointer and by touch."""

    past = functools.partial(years, 760)

    def test_months(self):
        """The newest month has eight rows and what leads to the others; the others a line each."""
        page = self.open(f"#/history/{self.last}", DESK)
        expect(page.locator("main h1")).to_have_text(str(self.last))
        expect(page.locator(".walks .walk")).to_have_count(8)
        more = page.get_by_role("button", name="more from")
        expect(more).to_contain_text("from December")
        more.click()
        self.assertGreater(page.locator(".walks .walk").count(), 28)
        lines = page.locator(".line-of")
        expect(lines).to_have_count(11)
        lines.first.click()
        expect(page.locator("details li").first).to_contain_text("Nov, 12:00")
        page.get_by_role("link", name=str(self.last - 1), exact=True).click()
        expect(page.locator("main h1")).to_have_text(str(self.last - 1))

    def test_phone_has_room(self):
        """The title leaves the arrows alone, and all columns of the months can be seen."""
        page = self.open(f"#/history/{self.last}-09", PHONE)
        title = page.locator("main h1")
        expect(title).to_have_text(f"September {self.last}")
        self.assertTrue(title.evaluate("node => node.scrollWidth <= node.clientWidth"))
        self.go(page, f"#/history/{self.last}")
        page.locator(".fold summary").click()
        edge = page.locator(".fold").bounding_box()
        for cell in page.locator(".fold th").all():
            box = cell.bounding_box()
            self.assertLessEqual(box["x"] + box["width"], edge["x"] + edge["width"] + 1)
        for figure in page.locator(".lead .figure dd:not(.note)").all():
            self.assertLess(figure.bounding_box()["height"], 30, figure.inner_text())

    def test_search_in_vain(self):
        page = self.open(f"#/history/{self.last}", DESK)
        expect(page.locator(".cal")).to_be_visible()
        page.get_by_label("Search walks").fill("not to be found")
        expect(page.locator(".result")).to_contain_text("No walk")
        expect(page.locator(".cal")).to_have_count(0)
        page.get_by_label("Search walks").fill("")
        expect(page.locator(".cal")).to_be_visible()

    def test_slider(self):
        page = self.open(f"#/history/{self.last}", DESK)
        slider = page.get_by_role("slider", name="Day of the year")
        slider.focus()
        for key, text in (("End", "31 December"), ("ArrowUp", "30 December"),
                          ("ArrowLeft", "23 December"), ("PageUp", "23 November"),
                          ("PageDown", "23 December"), ("Home", "1 January"),
                          ("ArrowLeft", "1 January"), ("ArrowDown", "2 January"),
                          ("ArrowRight", "9 January")):
            page.keyboard.press(key)
            self.assertIn(text, slider.get_attribute("aria-valuetext"), key)
            expect(page.locator(".readout b")).to_contain_text(text)
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/#/day/{self.last}-01-09")
        # Imported walks have no steps; the day has them all the same.
        page.locator(".walks a.walk").first.click()
        page.wait_for_url("**/#/walks/*")

    def test_search(self):
        page = self.open(f"#/history/{self.last}", DESK)
        page.get_by_label("Search walks").fill("lake")
        expect(page.locator(".result")).to_contain_text(f" walks with “lake” in {self.last}: ")
        expect(page.locator(".loud")).to_contain_text("kilometres in this search")
        expect(page.get_by_role("button", name="Steps", exact=True)).to_have_count(0)
        page.get_by_role("button", name="All years").click()
        expect(page.locator("main h1")).to_have_text("Search")
        expect(page.locator(".wk h2").first).to_have_text(str(date.today().year))
        expect(page.get_by_role("button", name="All years")).to_be_focused()
        self.look_around(page, "a search in all years")
        page.get_by_role("button", name=str(self.last), exact=True).click()
        expect(page.locator("main h1")).to_have_text(str(self.last))
        page.get_by_role("button", name="Filter", exact=True).click()
        page.get_by_label("At least, kilometres").fill("far")
        page.keyboard.press("Tab")
        expect(page.locator(".panel .said")).to_contain_text("Enter a distance in kilometres")
        self.tolerated.append("status of 422")
        page.get_by_label("At least, kilometres").fill("0,1")
        page.get_by_label("From").fill(f"{self.last}-05-01")
        page.locator(".panel label", has_text="dog").click()
        # What was typed stands in its field alone.
        expect(page.locator(".tagx")).to_have_count(3)
        expect(page.locator(".count")).to_have_text("3")
        with self.subTest("as it stands"):
            self.look_around(page, "the panel of filters")
        page.get_by_role("button", name="Remove the filter dog").click()
        expect(page.locator(".tagx")).to_have_count(2)
        # Whoever looks at a walk and comes back finds the search as it was.
        page.locator(".walks .walk").first.click()
        page.wait_for_url("**/#/walks/*")
        page.go_back()
        expect(page.locator(".tagx")).to_have_count(2)
        expect(page.get_by_label("Search walks")).to_have_value("lake")
        # The longest of those that were found is a click away.
        page.locator(".lead .figure", has_text="Longest").get_by_role("link").click()
        page.wait_for_url("**/#/walks/*")
        page.go_back()
        page.get_by_role("button", name="Clear all").click()
        expect(page.locator(".tagx")).to_have_count(0)
        expect(page.locator(".loud")).to_contain_text(f"steps in {self.last}")

    def test_routes(self):
        """A route gets its name once, for its walks."""
        page = self.open(f"#/history/{self.last}", DESK)
        page.get_by_role("link", name="Routes").click()
        expect(page.locator(".route:not(.names)")).to_have_count(3)
        route = page.locator(".route:not(.names)").first
        expect(route).to_contain_text("times")
        route.locator(".btn").last.click()
        asked = []
        page.route("**/api/commands", lambda sent: (
            asked.append(json.loads(sent.request.post_data)),
            sent.fulfill(json={"firstPosition": 1, "events": 1})))
        self.look_around(page, "a route that gets a name")
        route.get_by_label("Name", exact=True).fill("The usual")
        page.keyboard.press("Enter")
        expect(route.locator("form")).to_be_hidden()
        self.assertEqual([(one["command"], one["name"]) for one in asked],
                         [("describe", "The usual")])
        self.assertGreater(len(asked[0]["sessions"]), 200)

    def test_hidden(self):
        page = self.open(f"#/history/{self.last}", DESK)
        expect(page.locator(".rest")).to_contain_text("hidden walks are not listed")
        page.get_by_role("button", name="Filter", exact=True).click()
        page.get_by_role("switch", name="Show hidden walks").check()
        expect(page.locator(".told")).to_contain_text("They are in no sum")
        self.look_around(page, "hidden walks")
        asked = []
        page.route("**/api/commands", lambda route: (
            asked.append(json.loads(route.request.post_data)),
            route.fulfill(json={"firstPosition": 1, "events": 1})))
        page.locator(".hid").first.get_by_role("button", name="Show again").click()
        expect(page.locator(".hid").first).to_be_visible()
        self.assertEqual(asked[0]["command"], "describe")
        self.assertEqual(asked[0]["listing"], "listed")
        self.assertIsInstance(asked[0]["session"], int)
        page.get_by_role("button", name="Put them away").click()
        expect(page.locator(".hid")).to_have_count(0)

    def test_measure(self):
        page = self.open(f"#/history/{self.last}", DESK)
        page.get_by_role("button", name="Distance", exact=True).click()
        expect(page.locator(".loud")).to_contain_text("kilometres in")
        expect(page.locator(".key")).to_contain_text("below 3 km")

    def test_phone(self):
        """A month is the target; it opens with a link for each day."""
        page = self.open(f"#/history/{self.last}", PHONE)
        page.get_by_role("link", name="May,").click()
        expect(page.locator("main h1")).to_have_text(f"May {self.last}")
        day = page.locator("a.dayc").first
        self.assertGreaterEqual(day.bounding_box()["height"], 44)
        page.get_by_role("link", name=f"April {self.last}").click()
        expect(page.locator("main h1")).to_have_text(f"April {self.last}")
        page.locator("a.dayc").first.click()
        page.wait_for_url(f"**/#/day/{self.last}-04-01")
        expect(page.locator(".walks a.walk").first).to_be_visible()
