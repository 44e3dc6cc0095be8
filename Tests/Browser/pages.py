"""What all tests of the page share: a browser, a page that is watched for complaints and foreign
requests, and the program behind it."""

import multiprocessing.util
import os
import re
import unittest
from pathlib import Path
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error, expect, sync_playwright

from program import Program, Receiver, Straps

PHONE, DESK = (390, 844), (1440, 900)
SMALL, SIDEWAYS = (320, 568), (844, 390)
ANSWER_MILLISECONDS = 60_000
# A folder for pictures of what is looked at.
SHOTS = os.environ.get("PAGE_SHOTS")
# Chromium gives up what it loads when a network of this machine comes or goes, whosever it is.
NETWORK = "ERR_NETWORK_CHANGED"
# Where the page's files are taken from, if not from the program.
SITE = Path(os.environ["PULSELOG_SITE"]) if "PULSELOG_SITE" in os.environ else None
LIBRARIES = Path("/usr/share/javascript")
POLICY = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
PROFILE = ("height=180cm", "weight=75kg", "daily-goal=8000")

# Colours follow the theme and places the size, so two of the four show everything but what only
# comes together; PAGE_LOOKS=all looks at all four.
LOOKS = [(PHONE, True), (DESK, False)]
if os.environ.get("PAGE_LOOKS") == "all":
    LOOKS += [(PHONE, False), (DESK, True)]


# Looks at each frame whether it is so. Playwright's wait_for_function evaluates its text at each
# look, which the page's policy forbids.
WAIT = """([arg, milliseconds]) => new Promise((done, give_up) => {
    const end = performance.now() + milliseconds;
    const look = () => {
        if ((CONDITION)(arg)) done();
        else if (performance.now() > end) give_up(new Error(`It never was so: CONDITION`));
        else requestAnimationFrame(look);
    };
    look();
})"""

# Answers of an address that has this in it are held back, until what `held` has of them is called.
HOLD = """(part) => {
    const ask = window.fetch;
    window.held = [];
    window.fetch = async (path, options) => {
        const answer = await ask(path, options);
        if (!String(path).includes(part)) return answer;
        const body = await answer.json();
        await new Promise((let_go) => { held.push(let_go); });
        return { ok: answer.ok, status: answer.status, json: async () => body };
    };
}"""


def serve(route):
    """Answers with a file of the folder SITE, or leaves it to the program."""
    url = urlsplit(route.request.url)
    folder = LIBRARIES if url.path.startswith("/leaflet/") else SITE
    file = folder / (url.path.strip("/") or "index.html")
    if url.query or not file.is_file():
        route.fallback()
    else:
        route.fulfill(path=file, headers={"Content-Security-Policy": POLICY})


class Browser:
    """One Chromium for all tests of a process."""

    instance = None

    @classmethod
    def get(cls):
        if cls.instance is None:
            playwright = sync_playwright().start()
            cls.instance = playwright.chromium.launch(
                executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"])
            # What is waited for is a state, however long a busy machine takes to get there.
            expect.set_options(timeout=ANSWER_MILLISECONDS)
            at_exit(playwright.stop)
        return cls.instance


def at_exit(last):
    """Does it when this process ends, which may be one of several that run tests."""
    multiprocessing.util.Finalize(None, last, exitpriority=0)


class PageTest(unittest.TestCase):
    """A test with a program, and pages that must not complain."""

    straps = None
    """The scenario of the straps in range; None for no Bluetooth at all."""
    receiver = False
    """Whether a receiver moves, and reports a place each 200 ms."""
    past = None
    """What the store begins with: the case of Replays/, or a function that makes up a log."""
    profile = PROFILE
    """What is set of the profile after that."""
    only_looks = False
    """Whether nothing is recorded, so that one program is enough for all tests of the class."""
    seconds = 10
    """How long the tests take, roughly: those that take longest begin first."""

    @classmethod
    def setUpClass(cls):
        # Made once: a long log takes longer to import than to look at.
        cls.begun = Program()
        cls.addClassCleanup(cls.begun.remove)
        settings = ("profile", "set", *cls.profile)
        if callable(cls.past):
            # The walks of somebody who begins now, and has walked for long.
            cls.begun.run(*settings)
            path = cls.begun.folder / "log.jsonl"
            path.write_text(cls.past())
            cls.begun.run("import", str(path))
            path.unlink()
        else:
            if cls.past:
                cls.begun.run("import", f"{os.environ['REPLAYS']}/{cls.past}/capture.jsonl")
            cls.begun.run(*settings)
        if cls.only_looks:
            cls.begun.start()

    def setUp(self):
        self.complaints, self.tolerated, self.given_up = [], [NETWORK], []
        self.program = self.begun
        if not self.only_looks:
            self.played = Straps(self.straps) if self.straps else None
            if self.played:
                self.addCleanup(self.played.stop)
            self.program = Program(self.played, begun=self.begun)
            self.addCleanup(self.program.remove)
            if self.receiver:
                moving = Receiver("--interval", "200")
                self.addCleanup(moving.stop)
                self.program.environment["PULSELOG_GPSD"] = moving.address
            self.prepare()
            self.program.start()
        self.addCleanup(self.look_back)

    def prepare(self):
        """What a test does to its store before the program starts."""

    def look_back(self):
        """No complaint, no foreign request, no breach of the policy; whatever else was tested."""
        left = [text for text in self.complaints
                if not any(re.search(pattern, text) for pattern in self.tolerated)]
        self.assertEqual(left[:5], [], f"The page complained {len(left)} times.")

    @property
    def walk(self):
        """The position of the latest walk."""
        return self.program.ask("/api/sessions")["sessions"][0]["position"]

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
        if SITE:
            page.route("**/*", serve)
        self.watch(page)
        page.on("requestfailed", lambda request: self.given_up.append(request)
                if NETWORK in (request.failure or "") else None)
        if let_in:
            # There at once: a screen that sets up a walk would begin today in the log.
            self.load(page, lambda: page.goto(self.program.address + ("" if to else where)))
        query = f"?theme={theme}" if theme else ""
        self.load(page, lambda: page.goto(to or f"{self.program.origin}/{query}{where}"))
        if SITE and not to:
            # The program's answer to the address with the token is not ours.
            self.load(page, page.reload)
        return page

    def load(self, page, how):
        """Loads a page, and again where Chromium gave up."""
        try:
            how()
        except Error as error:
            if NETWORK not in error.message:
                raise
            self.load(page, how)
        if self.given_up:
            self.given_up.clear()
            self.load(page, page.reload)
        page.locator("main h1").first.wait_for(state="attached")

    def open_walk(self, size=DESK, dark=False):
        """Opens the latest walk."""
        page = self.open(f"#/walks/{self.walk}", size, dark)
        expect(page.locator(".who h1")).to_be_visible()
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

    def fits(self, page, what):
        """Nothing is wider than the screen."""
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        self.assertLessEqual(wide, 0, f"{what} is wider than the screen.")

    def look(self, page, what):
        """It fits, and axe finds nothing serious."""
        self.fits(page, what)
        # axe measures colours with inline styles, which the policy blocks, and says so. Whether the
        # page itself has any is seen where axe is not run.
        self.tolerated += ["Applying inline style", "^policy style-src"]
        found = Axe().run(page, options={
            "resultTypes": ["violations"], "preload": False}).response["violations"]
        bad = [f"{one['id']} ({one['impact']}): {one['help']}; "
               + "; ".join(node["html"][:160] for node in one["nodes"][:3])
               for one in found if one["impact"] in ("serious", "critical")]
        self.assertEqual(bad, [], what)
        if SHOTS:
            name = f"{self.id()} {what.replace('/', '-')}"
            page.screenshot(path=f"{SHOTS}/{name}.png", full_page=True)

    def look_around(self, page, what):
        """Looks at a state that is reached by what is done, light and dark, large and small."""
        before = page.viewport_size
        for size, dark in LOOKS:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.emulate_media(color_scheme="dark" if dark else "light")
            self.look(page, f"{what} at {size[0]}x{size[1]}")
        page.set_viewport_size(before)

    def visit(self, screens, each, sizes):
        """Each screen is a hash and a locator that is there when it stands."""
        page = self.open("#/devices")
        for size, dark in sizes:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.emulate_media(color_scheme="dark" if dark else "light")
            self.load(page, page.reload)
            for where, standing in screens:
                self.go(page, where)
                expect(page.locator(standing).first).to_be_visible()
                with self.subTest(where=where, size=size, dark=dark):
                    each(page, f"{where} at {size[0]}x{size[1]}")
        page.context.close()

    def look_at(self, *screens):
        """Looks at screens, light and dark, on a phone and on a desk."""
        self.visit(screens, self.look, LOOKS)

    def is_narrow(self, *screens):
        """Nothing is wider than a small screen; axe is not run here."""
        self.visit(screens, self.fits, [(SMALL, False), (SIDEWAYS, False)])


def wait_until(page, condition, arg=None):
    """Waits until a function in the page says yes."""
    page.evaluate(WAIT.replace("CONDITION", condition), [arg, ANSWER_MILLISECONDS])


def press_tab_until(page, wanted, most=60):
    """Presses Tab until it has the focus, as somebody without a pointer would."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if wanted.count() and wanted.evaluate("node => node === document.activeElement"):
            return
    raise AssertionError(f"Tab does not reach {wanted}")


def press_button(page, name):
    """Presses a button by keyboard."""
    tab_to(page, "button", name)
    page.keyboard.press("Enter")


def tab_to(page, role, name):
    """Presses Tab until what has a role and a name has the focus."""
    press_tab_until(page, page.get_by_role(role, name=name, exact=True).first)
