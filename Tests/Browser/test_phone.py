"""A phone on the network: it is paired by a code that the page of this machine shows, shows the walk,
goes on with what it missed, and is out at once when it is revoked."""

import json
import os
import re
import socket
import subprocess
import tempfile
import threading
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import expect

from pages import DESK, PageTest
from scenarios import STRAP, steady
from test_stream import GONE


class PhoneTest(PageTest):
    """A program that listens at an address of this machine."""

    straps = steady()

    def prepare(self):
        asked = subprocess.run([os.environ["PULSELOG"], "serve", "--listen", "x"],
                               env=self.program.environment, capture_output=True, text=True)
        own = re.search(r"takes ([0-9.]+) ", asked.stderr)
        if not own:
            self.skipTest("not tested: this machine is on no network")
        self.program.options = ["--listen", own[1]]

    def check_request(self, url):
        if not url.startswith(getattr(self, "phones", "none") + "/"):
            super().check_request(url)


class Code(PhoneTest):
    """From the page of this machine to the phone's."""

    def test_is_typed(self):
        self.program.pair(STRAP)
        desk = self.open("#/devices", DESK)
        phones = desk.get_by_label("Phones")
        expect(phones).to_contain_text("No phone is paired yet.")
        for dark in (False, True):
            desk.get_by_role("button", name="Pair a phone").click()
            code = phones.locator(".code").inner_text()
            if dark:
                desk.get_by_role("radio", name="All").check()
                expect(phones.locator(".code")).not_to_have_text(code)
            self.assertRegex(code, "^[0-9A-Z]{4}-[0-9A-Z]{4}$")
            self.look_around(desk, "the code")
            self.tolerated.append("403")
            self.phones = phones.locator(".where").inner_text()
            page = self.open(let_in=False, dark=dark, to=f"{self.phones}/")
            desk.get_by_role("button", name="Another code").click()
            expect(phones.locator(".code")).not_to_have_text(code)
            self.look_around(page, "the page for the code")
            page.get_by_label("Code").fill("wrong")
            page.get_by_role("button", name="Pair").click()
            expect(page.locator(".answer")).to_contain_text("This code is wrong")
            page.get_by_label("Code").fill(phones.locator(".code").inner_text().lower())
            page.keyboard.press("Enter")
            expect(page.get_by_role("button", name="Start", exact=True)).to_be_enabled()
            expect(phones).to_contain_text("The phone is paired.")
            expect(page.get_by_role("link", name="Devices")).to_have_count(1 if dark else 0)
        phones.get_by_text("Change rights").first.click()
        phones.get_by_role("radio", name="Watch").click()
        expect(phones).to_contain_text("May watch")
        expect(phones).to_contain_text("Phone 2")
        self.go(page, "#/devices")
        expect(page.get_by_label("Heart", exact=True)).to_contain_text("Strap One")
        expect(page.get_by_label("Phones")).to_be_hidden()

    def test_is_scanned(self):
        self.program.pair(STRAP)
        desk = self.open("#/devices", DESK, dark=True)
        desk.get_by_role("button", name="Pair a phone").click()
        expect(desk.locator(".qr")).to_be_visible()
        desk.set_viewport_size({"width": 320, "height": 568})
        self.fits(desk, "the code")
        with tempfile.TemporaryDirectory() as folder:
            picture = Path(folder) / "code.png"
            desk.locator(".qr").screenshot(path=picture)
            try:
                link = subprocess.run(["zbarimg", "--quiet", "--raw", picture],
                                      capture_output=True, text=True, check=True).stdout.strip()
            except FileNotFoundError:
                self.skipTest("not tested: no zbarimg")
        self.phones = link.split("/#")[0]
        page = self.open(let_in=False, to=link)
        expect(page.get_by_role("button", name="Start", exact=True)).to_be_enabled()
        self.assertNotIn("pair=", page.url)
        self.assertEqual(page.evaluate("document.cookie"), "")


class Network:
    """The way between a phone and this machine, which can be cut."""

    def __init__(self, host, port):
        self.there = (host, port)
        self.ends, self.is_cut = [], False
        self.door = socket.create_server((host, 0))
        self.address = f"http://{host}:{self.door.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near = self.door.accept()[0]
                far = socket.create_connection(self.there)
            except OSError:
                return
            if self.is_cut:
                near.close()
                far.close()
                continue
            self.ends += [near, far]
            for here, there in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=(here, there), daemon=True).start()

    @staticmethod
    def carry(here, there):
        try:
            while part := here.recv(65536):
                there.sendall(part)
            there.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def cut(self):
        """Nothing gets through, and nobody is told."""
        self.is_cut = True
        for end in self.ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def stop(self):
        for end in (self.door, *self.ends):
            end.close()


class Walk(PhoneTest):
    """A walk on a phone that is paired."""

    def begin(self):
        self.program.begin(STRAP, kind="steps", target=6000)
        offer = json.loads(self.program.run("serve", "pair", "--json"))
        url = urlsplit(offer["address"])
        self.network = Network(url.hostname, url.port)
        self.addCleanup(self.network.stop)
        self.phones = self.network.address
        self.asked = []
        page = self.open(
            let_in=False, to=offer["link"].replace(offer["address"], self.network.address))
        page.on("request", lambda request: self.asked.append(
            request.headers.get("last-event-id")) if request.url.endswith("/api/events") else None)
        expect(page.locator(".pulse .num")).not_to_have_text("–")
        # The first time may have been seen or not; what counts is how it goes on.
        self.asked.clear()
        return page

    def test_goes_on_with_what_it_missed(self):
        page = self.begin()
        self.tolerated.append(GONE)
        self.network.cut()
        expect(page.locator("p.away")).to_be_visible()
        self.program.command("mark", text="a mark that was missed")
        self.program.command("pause")
        self.network.is_cut = False
        expect(page.locator(".panel .chip")).to_contain_text("Paused for")
        paused = self.program.events("sessionPaused")[-1]["position"]
        self.assertTrue(self.asked and None not in self.asked, self.asked)
        self.assertLess(int(self.asked[-1]), paused)
        page.get_by_role("button", name="Resume").click()
        expect(page.locator(".panel .chip")).to_contain_text("Recording")

    def test_is_out_when_it_is_revoked(self):
        page = self.begin()
        self.tolerated.append("401|ERR_INCOMPLETE|ERR_CONNECTION")
        desk = self.open("#/devices", DESK)
        desk.get_by_role("button", name="Unpair Phone").click()
        self.look_around(desk, "a phone is to be revoked")
        desk.get_by_role("button", name="Unpair", exact=True).click()
        expect(desk.get_by_label("Phones")).to_contain_text("No phone is paired yet.")
        expect(page.get_by_role("heading", name="Pair this phone")).to_be_visible()

    def test_keeps_the_screen_awake(self):
        self.program.begin(STRAP)
        page = self.open()
        expect(page.locator(".pulse .num")).not_to_have_text("–")
        expect(page.locator("html")).to_have_attribute("data-locks", "1")
        self.go(page, "#/day")
        expect(page.locator("html")).to_have_attribute("data-locks", "0")

    def watch(self, page):
        page.add_init_script("""
            let locks = 0;
            const add = (count) => {
                locks += count;
                document.documentElement.dataset.locks = locks;
            };
            if (location.hostname === "127.0.0.1") {
                Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
                    add(1);
                    return { release: () => add(-1) };
                } } });
            }""")
