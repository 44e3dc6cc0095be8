"""The overlay, as OBS has it: transparent, of a size that is known, and in step with the page."""

import base64
import json
from itertools import groupby

from playwright.sync_api import expect

from pages import PageTest
from scenarios import STRAP, beating, heard, strap

# What a card says, each time it says something else.
FOLLOW = """() => {
    window.told = [];
    const look = () => {
        const now = document.querySelector(".pulse").innerText.split("\\n").join(" ");
        if (now !== told.at(-1)) told.push(now);
        requestAnimationFrame(look);
    };
    look();
}"""
# How opaque a picture is at some places.
OPAQUE = """async ([picture, places]) => {
    const image = await createImageBitmap(await (await fetch(picture)).blob());
    const paper = new OffscreenCanvas(image.width, image.height).getContext("2d");
    paper.drawImage(image, 0, 0);
    return places.map(([x, y]) => Math.round(paper.getImageData(x, y, 1, 1).data[3] / 2.55));
}"""
# Where numbers begin and end in their slot.
EDGES = """(texts) => texts.map((text) => {
    const [node, range] = [document.querySelector(".num"), new Range()];
    node.textContent = text;
    range.selectNodeContents(node);
    const [slot, box] = [node, range].map((one) => one.getBoundingClientRect());
    return [box.left >= slot.left, Math.round(10 * (slot.right - box.right))];
})"""


class OverlayTest(PageTest):
    """A link, and what is drawn there."""

    def over(self, query=""):
        """Opens it where nothing else is let in."""
        told = json.loads(self.program.run(
            "serve", "--port", str(self.program.port), "overlay", "Stream", "--json"))
        self.link, self.asked = told["link"].split("?")[0], []
        usual, self.load = self.load, lambda page, how: how()
        page = self.open(let_in=False, to="about:blank")
        self.load = usual
        page.on("request", lambda request: self.asked.append(request.url))
        page.goto(f"{self.link}?{query}")
        return page

    def opaque(self, page, *places):
        shot = base64.b64encode(page.screenshot(omit_background=True)).decode()
        blank = page.context.new_page()
        found = blank.evaluate(OPAQUE, [f"data:image/png;base64,{shot}", places])
        blank.close()
        return found


class WithoutAStrap(OverlayTest):
    """Nothing is drawn."""

    def test_is_empty(self):
        page = self.over()
        with page.expect_request("**/api/overlay/*"):
            page.reload()
        expect(page.locator(".pulse")).to_be_hidden()
        self.assertEqual(self.opaque(page, (0, 0), (20, 50), (120, 40)), [0, 0, 0])


class Sizes(OverlayTest):
    """Transparent around the piece, which has its size, and one edge for all numbers."""

    straps = heard(strap([beating(110, 110)]))

    def test_are_known(self):
        self.program.begin(STRAP)
        page = self.over()
        for query, *size in [
                ("size=s", 240, 72), ("size=x", 360, 112), ("size=l", 560, 168),
                ("size=s&show=time", 240, 106), ("show=x,time,time", 360, 162),
                ("size=l&show=pace,time&zone=off&beat=heart", 560, 244)]:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            self.asked.clear()
            page.goto(f"{self.link}?{query}")
            expect(page.locator(".pulse .num")).to_have_text("110")
            expect(page.locator(".zone:visible")).to_have_count(0 if "off" in query else 1)
            expect(page.locator("li:visible")).to_have_count(1 if "show" in query else 0)
            self.assertEqual(page.locator(".pulse").bounding_box(),
                             {"x": 0, "y": 0, "width": size[0], "height": size[1]})
            self.assertEqual(self.opaque(page, (0, 0), (size[0] // 2, 3)), [0, 86])
            edges = page.evaluate(EDGES, ["99", "100", "–", "255"])
            self.assertEqual(edges, [[True, edges[0][1]]] * 4)
            api = self.link.replace("/overlay", "/api/overlay")
            self.assertEqual(self.asked, [f"{self.link}?{query}", api])
        expect(page.locator("a, button, input, [aria-live], [role]")).to_have_count(0)
        self.fits(page, "the overlay")
        self.tolerated.append("401|ERR_INCOMPLETE|ERR_CONNECTION")
        self.program.run("serve", "devices", "revoke", "Stream")
        expect(page.locator(".pulse")).to_be_hidden()


class Drops(OverlayTest):
    """The strap is lost for less than the grace, then for longer."""

    straps = heard(strap([
        beating(110, 110, 9), {"drop": "out-of-range", "for": 5},
        {"wait": "subscribed", "timeout": 600}, beating(120, 120, 9),
        {"drop": "out-of-range", "for": 20},
        {"wait": "subscribed", "timeout": 600}, beating(118, 118)]))
    seconds = 60

    def test_are_as_on_the_page(self):
        self.program.begin(STRAP)
        pages = [self.open(), self.over("size=s")]
        for page in pages:
            expect(page.locator(".pulse .num")).not_to_have_text("–")
            page.evaluate(FOLLOW)
        for page in pages:
            expect(page.locator(".pulse.off")).to_have_text("–BPMReconnecting")
        for page in pages:
            expect(page.locator(".pulse .num")).to_have_text("118")
        self.program.command("pause")
        for page in pages:
            expect(page.locator(".pulse.hold")).to_have_text("–BPMPaused")
            told = page.evaluate("told")
            # A strap that has come back may have no value yet.
            values = [value for value, _ in groupby(one.split()[0] for one in told)]
            self.assertEqual(values, ["110", "120", "–", "118", "–"], told)
