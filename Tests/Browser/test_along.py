"""Along the way: lanes on one axis of time, and one cursor through lanes, map, legend and splits, by
pointer, finger and arrow keys; what has no source is left out."""

import re

from playwright.sync_api import expect

from pages import DESK, PHONE, SMALL, PageTest, wait_until

VALUE = re.compile(
    r"^\d\d:\d\d(\d+ BPM)?(held|silent|disconnected|no contact|paused|no heart rate)?"
    r"(\d+:\d\d /km)?(−?\d+ m)?(\d+ /min)?$")


class AlongTest(PageTest):
    """A walk and its lanes."""

    only_looks = True

    def has_cursor(self, page):
        # A line has no width: for Playwright it is never visible.
        expect(page.locator(".hair")).to_have_attribute("x1", re.compile(r"^\d"))
        expect(page.locator(".hair")).not_to_have_attribute("visibility", "hidden")

    def names(self, page):
        return page.locator(".lanes .what").all_inner_texts()


class WithAllSources(AlongTest):
    """Heart rate, steps and a route."""

    past = "track"

    def test_by_pointer(self):
        page = self.open_walk()
        plot = page.locator(".plot.of-heart")
        plot.scroll_into_view_if_needed()
        found = [text for _, text in self.readouts(page, plot)]
        for text in found[1:]:
            self.assertRegex(text, VALUE)
        self.assertTrue(any("BPM" in text and "/km" in text for text in found), found)
        self.has_cursor(page)
        expect(page.locator(".map path.cursor")).to_be_attached()
        expect(page.locator(".table tr.at")).to_have_count(1)

    def test_menus(self):
        """On a phone a menu lies below its own button, and ends above the tabs."""
        page = self.open_walk((390, 640))
        tabs = page.locator(".bar").bounding_box()
        for name in "More", "Export":
            button = page.locator("summary", has_text=name)
            button.click()
            wait_until(page, "(top) => document.querySelector('details[open] .menu')"
                       ".getBoundingClientRect().bottom <= top", tabs["y"])
            menu, own = page.locator("details[open] .menu").bounding_box(), button.bounding_box()
            self.assertLessEqual(menu["x"], own["x"])
            self.assertLessEqual(own["x"] + own["width"], menu["x"] + menu["width"])
            button.click()

    def test_picture(self):
        """The figures of a long walk stand apart, each says what it is, and four are the most."""
        def lengthen(route):
            answer = route.fetch()
            session = answer.json()
            session["view"]["picture"]["figures"] = [
                {"name": name, "value": value, "words": words, "isShown": name != "Climb"}
                for name, value, words in (
                    ("Distance", "108.12", "km"), ("Active", "11:29:40", "active"),
                    ("Pace", "11:02", "/km, pace"), ("Climb", "39", "m, climb"),
                    ("Steps", "8,123", "steps"))]
            route.fulfill(response=answer, json=session)

        self.watch = lambda page: page.route(re.compile(r"/api/sessions/\d+$"), lengthen)
        page = self.open_walk()
        page.evaluate(
            """() => {
                const context = CanvasRenderingContext2D.prototype;
                const fill = context.fillText;
                window.drawn = [];
                context.fillText = function (text, x, y, ...more) {
                    const end = x + this.measureText(text).width;
                    if (y === 1046 || y === 1188) window.drawn.push([text, x, end]);
                    if (y === 1092 || y === 1234) window.words = [...window.words ?? [], text];
                    return fill.call(this, text, x, y, ...more);
                };
            }""")
        page.get_by_role("button", name="Picture").click()
        wait_until(page, "() => drawn.length > 0")
        drawn = page.evaluate("drawn")
        self.assertEqual([text for text, *_ in drawn], ["108.12", "11:29:40", "11:02", "8,123"])
        for (_, _, end), limit in zip(drawn, (544, 1_016) * 2):
            self.assertLess(end, limit)
        self.assertEqual(page.evaluate("words"), ["km", "active", "/km, pace", "steps"])
        picture = page.get_by_label("A picture to share")
        pace, climb = (picture.get_by_role("checkbox", name=name) for name in ("Pace", "Climb"))
        expect(climb).to_be_disabled()
        pace.uncheck(force=True)
        climb.check(force=True)
        self.assertEqual(page.evaluate("words.slice(-4)"), ["km", "active", "m, climb", "steps"])
        expect(pace).to_be_disabled()

    def test_by_keys(self):
        page = self.open_walk()
        slider = page.get_by_role("slider", name="Moment of the walk")
        slider.focus()
        for key in "End", "Home", "ArrowRight", "ArrowRight":
            page.keyboard.press(key)
        step = int(slider.get_attribute("step"))
        self.assertEqual(int(slider.input_value()), 2 * step)
        expect(slider).to_have_attribute("aria-valuetext", re.compile(r"^\d\d:\d\d, .*"))
        self.has_cursor(page)

    def test_by_finger(self):
        page = self.open_walk(PHONE)
        plot = page.locator(".lanes .plot").last
        plot.scroll_into_view_if_needed()
        box = plot.bounding_box()
        node = page.locator(".lanes")
        for name, across in ("pointerdown", .3), ("pointermove", .6):
            node.dispatch_event(name, {
                "pointerType": "touch", "bubbles": True, "clientX": box["x"] + box["width"] * across,
                "clientY": box["y"] + 10})
        expect(page.locator(".readout")).to_contain_text("BPM")
        first = page.locator(".readout").inner_text()
        node.dispatch_event("pointermove", {
            "pointerType": "touch", "clientX": box["x"] + box["width"] * .8, "clientY": box["y"]})
        expect(page.locator(".readout")).not_to_have_text(first)
        self.assertNotIn("#/log/", page.url)

    def test_from_map_splits_and_legend(self):
        page = self.open_walk()
        row = page.locator(".table tbody tr", has=page.locator("svg.pace")).first
        row.hover()
        expect(row).to_have_class("at")
        expect(page.locator(".readout")).to_contain_text("BPM")
        page.get_by_label("Heat-map shows").select_option("heart")
        expect(page.locator(".legend .at")).to_have_count(1)
        said = page.locator(".readout").inner_text()
        page.locator(".map").scroll_into_view_if_needed()
        page.locator(".map path.start").hover(force=True)
        expect(page.locator(".readout")).not_to_have_text(said)

    def test_looks(self):
        for size, dark in ((PHONE, True), (DESK, False), (SMALL, True)):
            page = self.open_walk(size, dark)
            page.get_by_role("slider", name="Moment of the walk").press("PageUp")
            self.has_cursor(page)
            self.look(page, f"lanes at {size[0]}")


class WithoutARoute(AlongTest):
    """Steps of a foot pod, and nothing else along the way."""

    past = "foot-pod"

    def test_lanes(self):
        page = self.open_walk()
        names = self.names(page)
        self.assertNotIn("Height, metres", names)
        self.assertIn("Cadence, steps a minute", names)
        expect(page.locator(".map")).to_have_count(0)


class WithHeartRateOnly(AlongTest):
    """A strap alone."""

    past = "drops"

    def test_lanes(self):
        self.assertEqual(self.names(self.open_walk()), ["Heart rate, BPM"])
