"""What the heart card says of the link: no change for 10 s after a loss, then grey with a dash, and
back without a word. Nothing pops up, ever."""

import re

from playwright.sync_api import expect

from pages import PageTest
from scenarios import SECOND, STRAP, WATCH, beating, heard, losing, moody, strap, watch


class LinkTest(PageTest):
    """A walk with the strap paired."""

    seconds = 40

    def begin(self):
        # The play begins with the pairing: whoever watches it has to be there.
        page = self.open()
        self.program.begin(STRAP, kind="steps", target=6000)
        expect(page.locator(".pulse .num")).to_have_text("110")
        expect(page.locator(".notice")).to_contain_text("6,000 steps cannot be measured. Time")
        return page

    def show(self, page, word, number="–"):
        """The card says a word and shows a dash in a grey heart that stands still."""
        expect(page.locator(".pulse .zone")).to_have_text(word)
        expect(page.locator(".pulse .num")).to_have_text(number)
        expect(page.locator(".pulse")).to_have_class("pulse glass off")
        self.assertEqual(page.locator(".pulse .beat").count(), 0)

    def record_changes(self, page):
        """Collects what the card shows from now on."""
        page.evaluate("""() => {
            const card = document.querySelector(".pulse");
            const now = () => card.className + "|" + card.innerText.replace(/\\s+/g, " ");
            globalThis.seen = [now()];
            new MutationObserver(() => {
                if (seen.at(-1) !== now()) seen.push(now());
            }).observe(card, { subtree: true, childList: true, characterData: true,
                attributes: true });
        }""")


class LostForLong(LinkTest):
    """Out of range for longer than the grace period."""

    straps = losing(20)

    def test_grey_and_back(self):
        page = self.begin()
        before = page.locator(".pulse").bounding_box()
        self.show(page, "Reconnecting")
        self.assertEqual(page.locator(".pulse").bounding_box(), before)
        lost = self.program.events("linkLost")
        self.assertEqual(len(lost), 1)
        expect(page.locator("#say")).to_have_text("Heart rate lost. Reconnecting.")
        expect(page.locator(".pulse .num")).to_have_text("118")
        expect(page.locator(".pulse .zone")).to_have_text("Moderate")
        expect(page.locator(".panel .chip")).to_contain_text("Recording")


class LostForAMoment(LinkTest):
    """Out of range for less than the grace period: nothing is seen of it."""

    straps = losing(5)

    def test_no_change(self):
        page = self.begin()
        self.record_changes(page)
        expect(page.locator(".pulse .num")).to_have_text("118")
        self.assertEqual(len(self.program.events("linkLost")), 1)
        seen = page.evaluate("seen")
        self.assertEqual(len(seen), 2, seen)
        self.assertTrue(all("Moderate" in text and " off" not in text for text in seen), seen)


class Spare(LinkTest):
    """Another paired strap is worn while the one of the walk is away."""

    straps = heard(
        strap([beating(110, 110, 12), {"drop": "out-of-range", "for": 600}]),
        strap([beating(90, 90)], "Strap Two", SECOND, -70))

    def test_is_offered_and_used(self):
        self.program.pair(STRAP)
        self.program.pair(SECOND)
        page = self.begin()
        use = page.get_by_role("button", name="Use Strap Two")
        expect(use).to_be_visible()
        expect(page.locator(".panel .say:visible")).to_contain_text("Strap One is away")
        self.look_around(page, "another strap is offered")
        use.click()
        expect(page.locator(".pulse .num")).to_have_text("90")
        expect(use).to_be_hidden()
        chosen = [event["device"] for event in self.program.events("primaryChosen")]
        self.assertEqual(chosen[-1], SECOND)


class SilentAndWithoutContact(LinkTest):
    """The link is up, but there is no heart rate."""

    straps = moody()

    def test_says_which(self):
        page = self.begin()
        self.show(page, "No contact")
        self.show(page, "No value")
        expect(page.locator(".pulse .num")).to_have_text("112")


class NoBluetooth(PageTest):
    """Without a bus: a sentence, and the command that helps; a walk can start all the same."""

    def test_says_what_helps(self):
        page = self.open()
        expect(page.locator(".sheet .say:visible")).to_contain_text("pulselog doctor")
        self.look_around(page, "no Bluetooth")
        page.get_by_role("button", name="Start without a strap").click()
        expect(page.locator(".panel .chip")).to_contain_text("Recording")
        expect(page.locator(".panel .notice")).to_contain_text("pulselog doctor")
        self.look_around(page, "a walk without Bluetooth")
        self.program.command("finish")
        expect(page.locator("main")).to_contain_text("This walk counts with its time.")


class WatchAlone(PageTest):
    """Where a watch counts and no strap is paired, no sentence is of a strap."""

    straps = heard(watch())

    def test_knows_no_strap(self):
        self.program.run("devices", "pair", WATCH)
        page = self.open()
        expect(page.locator(".strip b")).to_contain_text("today")
        expect(page.locator(".goals")).to_contain_text("by InfiniTime")
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator(".hero")).to_contain_text("of 6,000 steps")
        # The first steps have come.
        expect(page.locator(".hero strong")).to_have_text(re.compile("^[1-9]"))
        self.program.command("finish")
        expect(page.locator("main")).to_contain_text("Nothing measured your heart rate.")
        self.assertNotIn("strap", page.locator("main").inner_text().lower())
