"""What all tests of the page share: a browser, a page that is watched for complaints and foreign
requests, and the program behind it."""

import os
import re
import unittest

from playwright.sync_api import expect, sync_playwright

from program import Program, Straps

PHONE, DESK = (390, 844), (1440, 900)
ANSWER_MILLISECONDS = 60_000


class Browser:
    """One Chromium for all tests of a run."""

    playwright = instance = None

    @classmethod
    def get(cls):
        if cls.instance is None:
            cls.playwright = sync_playwright().start()
            cls.instance = cls.playwright.chromium.launch(
                executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"])
            # What is waited for is a state, however long a busy machine takes to get there.
            expect.set_options(timeout=ANSWER_MILLISECONDS)
            unittest.addModuleCleanup(cls.close)
        return cls.instance

    @classmethod
    def close(cls):
        cls.instance.close()
        cls.playwright.stop()
        cls.instance = cls.playwright = None


class PageTest(unittest.TestCase):
    """A test with a program, and pages that must not complain."""

    straps = None
    """The scenario of the straps in range; None for no Bluetooth at all."""
    replay = None
    """The case of Replays/ that the store begins with."""

    def setUp(self):
        self.complaints, self.tolerated = [], []
        self.played = Straps(self.straps) if self.straps else None
        if self.played:
            self.addCleanup(self.played.stop)
        self.program = Program(self.played)
        self.addCleanup(self.program.remove)
        if self.replay:
            self.program.run("import", f"{os.environ['REPLAYS']}/{self.replay}/capture.jsonl")
        self.prepare()
        self.program.start()
        self.addCleanup(self.look_back)

    def prepare(self):
        """What a test does to the store before the program starts."""
        self.program.run("profile", "set", "height=180cm", "weight=75kg", "daily-goal=8000")

    def look_back(self):
        """No complaint, no foreign request, no breach of the policy; whatever else was tested."""
        left = [text for text in self.complaints
                if not any(re.search(pattern, text) for pattern in self.tolerated)]
        self.assertEqual(left[:5], [], f"The page complained {len(left)} times.")

    def open(self, where="#/walk", size=PHONE, dark=False, reduced=False, theme=None, let_in=True,
             zone="UTC", to=None):
        """Opens the page in a browser of its own; `to` is an address of another kind."""
        context = Browser.get().new_context(
            viewport={"width": size[0], "height": size[1]}, timezone_id=zone, locale="en-GB",
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if reduced else "no-preference")
        self.addCleanup(context.close)
        page = context.new_page()
        page.set_default_timeout(ANSWER_MILLISECONDS)
        page.add_init_script(
            "addEventListener('securitypolicyviolation', (event) =>"
            " console.error('policy', event.violatedDirective, event.blockedURI));")
        page.on("console", lambda message: self.complaints.append(message.text)
                if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.complaints.append(f"thrown: {error}"))
        page.on("dialog", lambda dialog: self.complaints.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: self.check_request(request.url))
        self.watch(page)
        if let_in:
            # There at once: a screen that sets up a walk would begin today in the log.
            page.goto(self.program.address + ("" if to else where))
        query = f"?theme={theme}" if theme else ""
        page.goto(to or f"{self.program.origin}/{query}{where}")
        page.locator("main h1").first.wait_for(state="attached")
        return page

    def watch(self, page):
        """What a test does to a page before it is opened."""

    def readouts(self, page, plot):
        """Places and texts: what stands below a chart while the pointer goes over it."""
        line = page.locator(".readout").first
        box = plot.bounding_box()
        found = []
        for across in range(0, int(box["width"]), 4):
            x, y = box["x"] + across, box["y"] + box["height"] / 2
            page.mouse.move(x, y)
            text = line.text_content()
            if text and (not found or found[-1][1] != text):
                found.append(((x, y), text))
        return found

    def check_request(self, url):
        if not url.startswith((self.program.origin + "/", "about:", "blob:")):
            self.complaints.append(f"foreign request: {url}")

    def go(self, page, where):
        """Goes to another screen as a link would."""
        page.evaluate("(where) => { location.hash = where; }", where)
        page.locator("main h1").first.wait_for(state="attached")


def tab_to(page, role, name, most=60):
    """Presses Tab until something has the focus, as somebody without a pointer would."""
    wanted = page.get_by_role(role, name=name, exact=True).first
    for _ in range(most):
        page.keyboard.press("Tab")
        if wanted.count() and wanted.evaluate("node => node === document.activeElement"):
            return
    raise AssertionError(f"Tab does not reach the {role} {name}")
