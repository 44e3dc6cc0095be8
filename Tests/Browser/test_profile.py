"""The profile: a field is saved when it is left, what is refused says why and keeps the old value,
units change every figure, zones are set by handles, keys and numbers."""

import json

from playwright.sync_api import expect

from pages import DESK, PHONE, SMALL, PageTest, tab_to


class Profile(PageTest):
    """A walk with a route, and a walker of whom height, weight and goal are known."""

    past = "track"
    seconds = 60

    def opened(self, size=DESK, dark=False):
        page = self.open("#/profile", size, dark)
        expect(page.get_by_label("Height", exact=True).or_(
            page.get_by_label("Height, ft"))).to_be_visible()
        return page

    def known(self, key):
        return json.loads(self.program.run("profile", "show", "--json"))[key]

    def choose(self, page, name):
        page.locator(".seg label", has_text=name).click()

    def saved(self, page):
        expect(page.locator(".saved")).to_contain_text("Saved at")

    def test_by_keyboard(self):
        page = self.opened()
        tab_to(page, "textbox", "Height")
        page.keyboard.press("Control+A")
        page.keyboard.type("1.82 m")
        page.keyboard.press("Tab")
        expect(page.get_by_label("Weight", exact=True).first).to_be_focused()
        self.saved(page)
        expect(page.get_by_label("Height", exact=True)).to_have_value("182")
        self.assertEqual(self.known("heightMillimetres"), 1_820)
        page.keyboard.press("Control+A")
        page.keyboard.type("74,5")
        page.keyboard.press("Enter")
        expect(page.locator(".set li", has_text="Gives the stride, 75.5 cm,")).to_be_visible()
        tab_to(page, "textbox", "Birth year")
        page.keyboard.type("1985")
        page.keyboard.press("Tab")
        use = page.get_by_role("button", name="Use 179")
        expect(use).to_be_visible()
        use.press("Enter")
        expect(page.get_by_label("Maximum", exact=True)).to_have_value("179")
        expect(use).to_be_hidden()
        self.assertEqual(self.known("weightGrams"), 74_500)
        # An empty field is a value that is not set.
        page.get_by_label("Maximum", exact=True).fill("")
        page.get_by_label("Resting", exact=True).focus()
        expect(use).to_be_visible()
        self.assertIsNone(self.known("maximumHeartRateBPM"))

    def test_goal(self):
        page = self.opened(PHONE)
        goal = page.get_by_label("Daily goal", exact=True).last
        expect(goal).to_have_value("8,000")
        page.get_by_role("button", name="500 more").click()
        expect(goal).to_have_value("8,500")
        goal.fill("7,250")
        # It waits for what was typed.
        page.get_by_role("button", name="500 less").click()
        expect(goal).to_have_value("7,000")
        self.assertEqual(self.known("dailyGoalSteps"), 7_000)

    def test_refused(self):
        page = self.opened()
        self.tolerated.append("422")
        height = page.get_by_label("Height", exact=True)
        height.fill("18")
        page.get_by_label("Weight", exact=True).first.focus()
        line = page.locator("#height-error")
        expect(line).to_contain_text("18 cm is out of range: from 50 cm to 250 cm. "
                                     "Did you mean 180 cm? Until then 180 cm counts.")
        expect(height).to_have_attribute("aria-invalid", "true")
        expect(height).to_have_attribute("aria-describedby", "height-error")
        expect(page.locator(".saved")).to_have_text("1 value not saved")
        page.get_by_label("Resting", exact=True).fill("fast")
        page.get_by_label("Maximum", exact=True).focus()
        expect(page.locator(".saved")).to_have_text("2 values not saved")
        self.look_around(page, "two values refused")
        self.assertEqual(self.known("heightMillimetres"), 1_800)
        # What else is saved leaves them as they were typed.
        page.get_by_label("Weight", exact=True).first.fill("80")
        page.get_by_label("Maximum", exact=True).focus()
        expect(page.locator(".saved")).to_have_text("2 values not saved")
        expect(height).to_have_value("18")
        height.fill("181")
        page.get_by_label("Resting", exact=True).fill("")
        page.get_by_label("Resting", exact=True).press("Enter")
        self.saved(page)
        expect(line).to_be_hidden()
        self.assertEqual(self.known("heightMillimetres"), 1_810)

    def test_miles(self):
        page = self.opened()
        expect(page.locator(".seen")).to_contain_text(" km, ")
        self.choose(page, "miles, ft")
        expect(page.get_by_label("Height, ft")).to_have_value("5")
        expect(page.get_by_label("Height, in")).to_have_value("11")
        expect(page.locator(".seen")).to_contain_text(" miles, ")
        self.choose(page, "pounds")
        expect(page.get_by_label("Weight", exact=True).first).to_have_value("165.3")
        page.get_by_label("Height, ft").fill("6")
        page.get_by_label("Height, in").fill("1.5")
        page.get_by_label("Height, in").press("Enter")
        expect(page.get_by_label("Height, in")).to_have_value("2")
        self.assertEqual(self.known("heightMillimetres"), 1_867)
        self.look_around(page, "miles and pounds")
        # Each other screen follows at once, also what is typed there.
        self.go(page, "#/history")
        # Nothing counted steps: the distance leads.
        expect(page.locator(".loud")).to_contain_text("miles in ")
        expect(page.locator("main")).not_to_contain_text(" km")
        self.go(page, f"#/walks/{self.walk}")
        expect(page.locator(".lead")).to_contain_text("miles")
        expect(page.locator("main")).not_to_contain_text("km")
        self.go(page, "#/walk")
        page.locator(".goals label", has_text="Distance").click()
        expect(page.get_by_label("Target in miles")).to_have_value("3.00")

    def test_zones(self):
        page = self.opened()
        expect(page.locator(".zl")).to_contain_text("from 140")
        share = page.get_by_label("% of max.")
        expect(share).to_be_disabled()
        self.choose(page, "My own")
        moderate = page.get_by_role("slider", name="Moderate from")
        moderate.press("ArrowLeft")
        moderate.press("PageDown")
        expect(moderate).to_have_attribute("aria-valuenow", "94")
        typed = page.get_by_label("Vigorous from, BPM")
        typed.fill("90")
        typed.blur()
        expect(page.locator("#zones-error")).to_have_text(
            "Each limit must be above the one before.")
        expect(page.get_by_role("button", name="Save these limits")).to_be_disabled()
        typed.fill("125")
        typed.blur()
        # A handle cannot pass its neighbour.
        for _ in range(8):
            moderate.press("PageUp")
        expect(moderate).to_have_attribute("aria-valuenow", "124")
        box = moderate.bounding_box()
        page.mouse.move(box["x"] + 22, box["y"] + 22)
        page.mouse.down()
        page.mouse.move(box["x"] - 60, box["y"] + 22, steps=4)
        page.mouse.up()
        expect(moderate).not_to_have_attribute("aria-valuenow", "124")
        typed_moderate = page.get_by_label("Moderate from, BPM")
        typed_moderate.fill("95")
        typed_moderate.blur()
        self.look_around(page, "own zones")
        page.get_by_role("button", name="Save these limits").click()
        self.saved(page)
        expect(page.get_by_role("button", name="Save these limits")).to_be_hidden()
        self.assertEqual(self.known("zoneLimits"), [95, 125, 180])
        page.get_by_label("Resting", exact=True).fill("60")
        page.get_by_label("Maximum", exact=True).fill("180")
        page.get_by_label("Maximum", exact=True).press("Enter")
        for name, scheme, limit in (("% of max.", "percentOfMaximum", "Moderate from, %"),
                                    ("Reserve", "heartRateReserve", "Moderate from, %")):
            expect(page.get_by_label(name)).to_be_enabled()
            self.choose(page, name)
            page.get_by_label(limit).fill("55")
            page.get_by_label(limit).blur()
            page.get_by_role("button", name="Save these limits").click()
            expect(page.get_by_role("button", name="Save these limits")).to_be_hidden()
            self.assertEqual(self.known("zones"), scheme)
            self.assertEqual(self.known("zoneLimits")[0], 55)
        self.choose(page, "Standard")
        expect(page.locator(".zl")).to_contain_text("from 140")
        self.assertEqual(self.known("zones"), "standard")

    def test_during_a_walk(self):
        page = self.opened(PHONE)
        above = page.get_by_role("switch", name="Alert above")
        value = page.get_by_label("Alert above, BPM")
        expect(value).to_be_disabled()
        above.check()
        expect(value).to_be_enabled()
        self.assertEqual(self.known("alertAboveBPM"), 150)
        value.fill("155")
        value.press("Enter")
        self.saved(page)
        page.get_by_role("switch", name="Automatic pauses").check()
        page.get_by_role("switch", name="Automatic laps").check()
        expect(page.get_by_label("Automatic laps, km")).to_be_enabled()
        # They are saved one after the other, this one last.
        with page.expect_response(
                lambda answer: "steps-per-cadence" in (answer.request.post_data or "")):
            self.choose(page, "strides")
        self.assertEqual(
            [self.known(key) for key in ("alertAboveBPM", "autoPause", "autoLapMillimetres",
                                         "stepsPerCadenceCount")], [155, True, 1_000_000, 2])
        above.uncheck()
        expect(value).to_be_disabled()
        self.assertIsNone(self.known("alertAboveBPM"))
        # What is the browser's own is kept by it, and is in no log.
        for name in "Hear the goal and the turn", "Large figures", "Beat with the heart":
            page.get_by_role("switch", name=name).click()
        self.load(page, page.reload)
        expect(page.get_by_role("switch", name="Large figures")).to_be_checked()
        expect(page.get_by_role("switch", name="Beat with the heart")).to_be_checked()
        expect(page.get_by_role("switch", name="Hear the goal and the turn")).not_to_be_checked()

    def test_looks(self):
        for size, dark in ((PHONE, True), (DESK, False), (PHONE, False), (DESK, True)):
            page = self.open("#/history", size, dark)
            page.locator("main a[aria-label=Profile]:visible, .bar-end a:visible").first.click()
            expect(page.get_by_label("Height", exact=True)).to_be_visible()
            self.look(page, f"the profile at {size[0]}")
            page.context.close()

    def test_small_screens(self):
        page = self.opened(SMALL)
        self.choose(page, "miles, ft")
        expect(page.get_by_label("Height, ft")).to_be_visible()
        self.fits(page, "the profile")
