"""Firefox draws each screen and says what Chromium does; a walk is gone by keyboard alone."""

import json
import shutil
import subprocess
import tempfile
import time
import unittest
from datetime import date, timedelta

import websocket

from made_logs import mornings
from pages import ANSWER_MILLISECONDS, DESK, PHONE, SITE, WAIT, PageTest
from program import end, end_with_parent
from scenarios import crowd
from test_phone import PhoneTest

FIREFOX = shutil.which("firefox-esr")
# What is below is drawn when it is scrolled to. A path that leads nowhere is not drawn.
IS_DRAWN = """(drawn) => {
    document.querySelector(drawn.split(" ")[0])?.scrollIntoView();
    return [...document.querySelectorAll(drawn)].some((node) =>
        node.getClientRects().length > 0 && (node.getAttribute("d") ?? "M0 0L1 1").length > 6);
}"""
WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
HAS_FOCUS = """(names) => names.includes(document.activeElement.ariaLabel
    ?? document.activeElement.innerText.trim())"""
HAS_COLOURS = """() => new Set(new Uint32Array(document.querySelector(".picture canvas")
    .getContext("2d").getImageData(0, 0, 1080, 1350).data.buffer)).size > 50"""
SAID, PULSE = (f"() => document.querySelector('{what}').textContent" for what in ("main", ".num"))


@unittest.skipUnless(FIREFOX and not SITE, "not tested: no Firefox, or not the program's page")
class FirefoxTest(PageTest):
    """Debian's Firefox, by the WebDriver BiDi that it speaks; Playwright needs a newer one."""

    def setUp(self):
        super().setUp()
        profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(profile.cleanup)
        firefox = subprocess.Popen(
            [FIREFOX, "--headless", "--profile", profile.name, "--remote-debugging-port", "0"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            preexec_fn=end_with_parent)
        self.addCleanup(end, firefox)
        self.enterContext(firefox.stderr)
        address = next(line.split()[-1] for line in firefox.stderr if "BiDi listening" in line)
        self.socket = websocket.create_connection(
            f"{address}/session", ANSWER_MILLISECONDS / 500, suppress_origin=True)
        self.addCleanup(self.socket.close)
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])
        # The window that it begins with never gets the focus, so that no key presses a button.
        self.fox = {"context": self.send("browsingContext.create", type="window")["context"]}

    def send(self, method, **parameters):
        """Sends a command and returns its result; errors and warnings are complaints."""
        self.socket.send(json.dumps({"id": 1, "method": method, "params": parameters}))
        while "id" not in (told := json.loads(self.socket.recv())):
            if told["params"]["level"] in ("error", "warn"):
                self.complaints.append(told["params"]["text"])
        self.assertEqual(told["type"], "success", f"{parameters}: {told}")
        return told["result"]

    def ask(self, function, argument=None):
        """What a function of the page returns."""
        answer = self.send("script.callFunction", awaitPromise=True, target=self.fox,
                           functionDeclaration="async () => JSON.stringify("
                           f"await ({function})({json.dumps(argument)}) ?? null)")
        self.assertEqual(answer["type"], "success", answer)
        return json.loads(answer["result"]["value"])

    def wait(self, condition, argument=None):
        """Waits until a function of the page says yes."""
        self.ask(WAIT.replace("CONDITION", condition), [argument, ANSWER_MILLISECONDS])

    def type(self, *keys):
        codes = [{"Tab": "\ue004", "Enter": "\ue007"}.get(key, key) for key in keys]
        self.send("input.performActions", **self.fox, actions=[{
            "type": "key", "id": "keys", "actions": [
                {"type": kind, "value": code} for code in codes for kind in ("keyDown", "keyUp")]}])

    def press(self, *names):
        """Presses a button of one of these names by keyboard."""
        # After the page's last come Firefox's own.
        self.ask("() => document.querySelector('.skip').focus()")
        for _ in range(60):
            self.type("Tab")
            if self.ask(HAS_FOCUS, names):
                return self.type("Enter")
        raise AssertionError(f"Tab does not reach {names}")

    def see(self, address, *screens):
        """Each screen is a hash and what is drawn on it; yields each on a phone and on a desk."""
        for size in PHONE, DESK:
            self.send("browsingContext.setViewport", **self.fox,
                      viewport={"width": size[0], "height": size[1]})
            self.send("browsingContext.navigate", **self.fox, url=address, wait="complete")
            for where, *drawn in screens:
                self.ask("(where) => { location.hash = where; }", where)
                for one in "main h1", *drawn:
                    self.wait(IS_DRAWN, one)
                self.assertLessEqual(self.ask(WIDE), 0, f"{where} at {size}")
                yield where, size


class LookingBack(FirefoxTest):
    """A walker of some months."""

    past = staticmethod(lambda: mornings(100))
    only_looks = True
    seconds = 60

    def test_screens(self):
        yesterday, chromium = date.today() - timedelta(days=1), {}
        for where, size in self.see(
                self.program.address,
                (f"#/walks/{self.walk}", ".map path.track", ".plot.of-heart path"),
                ("#/history", ".cal rect", ".thumb path"), ("#/history/records", ".recrow .v"),
                (f"#/history/{yesterday:%Y-%m}", ".dayc"), ("#/history/routes", ".route"),
                ("#/history/trends/steps/3m", ".trend path.b1"), ("#/devices", ".card"),
                ("#/history/all", ".years rect.week"), (f"#/day/{yesterday}", ".count"),
                ("#/log/100", ".event .say", ".density rect"), ("#/profile", ".seen")):
            chromium[size] = page = chromium.get(size) or self.open(where, size)
            self.go(page, where)
            until = time.monotonic() + ANSWER_MILLISECONDS / 1000
            # A part of either may come later.
            while (said := self.ask(SAID)) != page.evaluate(SAID) and time.monotonic() < until:
                pass
            self.assertEqual(said, page.evaluate(SAID))
            if where.startswith("#/walks/"):
                self.press("Picture")
                self.wait(HAS_COLOURS)


class Walking(PhoneTest, FirefoxTest):
    """From the code that a phone types to the walk's end; no pointer is used."""

    straps = crowd()
    seconds = 60

    def test_by_keyboard(self):
        offer = self.program.ask("/api/phones/code", {"right": "all"})
        self.phones = offer["address"]
        list(self.see(f"{self.phones}/", ("", "#code")))
        self.type("Tab", *offer["code"], "Enter")
        self.wait(IS_DRAWN, ".tabs a")
        # Firefox tells of requests, too, that a page has called off itself.
        self.tolerated.append("^AbortError")
        list(self.see(self.phones, ("#/history", ".blank"), ("#/day", "h1"), ("#/log", ".event"),
                      ("#/profile", ".seen"), ("#/devices", ".rows li"), ("#/walk", ".pair li")))
        self.press("Pair Strap One")
        self.wait("() => document.querySelector('.strip')?.textContent.includes('BPM')")
        self.press("Start")
        for _ in self.see(self.phones, ("#/walk", ".pulse .beat", ".map")):
            values = ["–"]
            while len(values) < 4:
                self.wait(f"(known) => !known.includes(({PULSE})())", values)
                values.append(self.ask(PULSE))
            self.assertTrue(all(95 <= int(value) <= 125 for value in values[1:]), values)
        for names in ["Pause"], ["Finish"], ["Finish", "Keep it"]:
            self.press(*names)
        self.wait("() => location.hash.startsWith('#/walks/')")
        kinds = [event["kind"] for event in self.program.events()]
        self.assertEqual([kind for kind in kinds if kind.startswith("session")],
                         ["sessionStarted", "sessionPaused", "sessionEnded"])
