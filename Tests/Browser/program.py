"""Starts what a test of the page needs: a strap that FakeStrap plays on a private bus, and the
program under test with a store of its own; both end with the test."""

import ctypes
import json
import os
import shutil
import signal
import subprocess
import tempfile
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

ANSWER_SECONDS = 90


class Refusal(Exception):
    """An answer that is no success: its status and its sentence."""

    def __init__(self, status, message):
        super().__init__(f"{status}: {message}")
        self.status, self.message = status, message


def end(process, how=signal.SIGTERM):
    """Ends a process and waits for it."""
    if process.poll() is None:
        process.send_signal(how)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def end_with_parent():
    """A run that is interrupted leaves no server behind (Linux, prctl(2))."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


class Played:
    """A program that plays something, from the line on that says where."""

    def __init__(self, name, *options):
        self.process = subprocess.Popen(
            [os.environ[name], *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{name} did not start; is dbus-daemon installed?")
        self.said = json.loads(line)

    def stop(self):
        end(self.process)
        self.process.stdin.close()
        self.process.stdout.close()


class Straps(Played):
    """Straps in range: a scenario as a value."""

    def __init__(self, play):
        self.folder = Path(tempfile.mkdtemp(prefix="page-straps-"))
        self.sent = self.folder / "sent.jsonl"
        scenario = self.folder / "scenario.json"
        scenario.write_text(json.dumps(play))
        super().__init__("FAKESTRAP", "--scenario", scenario, "--sent", self.sent)
        self.address = self.said["address"]

    def stop(self):
        super().stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Receiver(Played):
    """A receiver that FakeGpsd carries along a track."""

    def __init__(self, *options):
        super().__init__("FAKEGPSD", *options)
        self.address = f"127.0.0.1:{self.said['port']}"


class Program:
    """`pulselog serve` with a store of its own."""

    def __init__(self, straps=None, beside=None, begun=None):
        """`beside` is another program whose store this one shares, `begun` one whose store and
        state it begins with."""
        self.folder = Path(tempfile.mkdtemp(prefix="page-store-"))
        if begun:
            shutil.copytree(begun.folder, self.folder, dirs_exist_ok=True)
        self.process = None
        self.options = []
        self.port = 0
        bus = straps.address if straps else f"unix:path={self.folder}/no-bus"
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "TZ": "UTC",
            "LANG": "C.UTF-8",
            "PULSELOG_STORE": str((beside or self).folder / "store"),
            "DBUS_SYSTEM_BUS_ADDRESS": bus, "PULSELOG_GPSD": "none"}

    def run(self, *arguments):
        """Runs a command on the store and returns what it prints."""
        done = subprocess.run([os.environ["PULSELOG"], *arguments], env=self.environment,
                              capture_output=True, text=True, timeout=ANSWER_SECONDS)
        if done.returncode != 0:
            raise RuntimeError(f"pulselog {' '.join(arguments)}: {done.stderr or done.stdout}")
        return done.stdout

    def start(self):
        """Starts it; after a stop on the same port, so that a page finds it again."""
        errors = open(self.folder / "errors", "a", encoding="utf-8")
        self.process = subprocess.Popen(
            [os.environ["PULSELOG"], "serve", "--port", str(self.port), "--json",
             *self.options],
            env=self.environment, stdout=subprocess.PIPE, stderr=errors, text=True,
            preexec_fn=end_with_parent)
        errors.close()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError((self.folder / "errors").read_text())
        told = json.loads(line)
        url = urlsplit(told.get("page") or told["address"])
        self.port = url.port
        self.token = parse_qs(url.query)["token"][0]
        self.origin = f"http://{url.netloc}"
        return self

    @property
    def address(self):
        """The address that lets a browser in."""
        return f"{self.origin}/?token={self.token}"

    def stop(self, how=signal.SIGTERM):
        """Ends it as a service manager would, or as told."""
        if self.process:
            end(self.process, how)
            self.process.stdout.close()
            self.process = None

    def remove(self):
        """Ends it and removes its store."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, path, body=None):
        """Asks the API as a program would, with the token."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.origin + path, data, {
            "Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            told = json.load(error)
            raise Refusal(error.code, told["error"]["message"]) from None

    def processor_seconds(self):
        """How long it has computed."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def command(self, command, **more):
        """Sends a command."""
        return self.ask("/api/commands", {"command": command, **more})

    def pair(self, address):
        """Pairs a strap."""
        self.command("setUp")
        return self.command("pair", address=address)

    def begin(self, *straps, kind="none", **goal):
        """Pairs straps and starts a walk."""
        for address in straps:
            self.pair(address)
        self.command("start", goal={"kind": kind, **goal}, outAndBack=False)

    def events(self, kind=None):
        """All events of the log, or those of a kind."""
        head, found = self.ask("/api/log")["head"], []
        while head is not None and len(found) <= head:
            found += self.ask(f"/api/log?from={len(found)}&count=500")["events"]
        return [event for event in found if kind in (None, event["kind"])]
